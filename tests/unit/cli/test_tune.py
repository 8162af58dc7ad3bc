"""`poise tune` and what the commands that search share."""

from pathlib import Path

import pytest

from poise.search.tuning import graph as module
from poise.tables import load_table

SMALL = ("--vary", "values.target=0:.4", "states.S1+S2.hold_s=.1:.2", "--generations", "2", "--population", "4")


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "run", lambda table, _: module.Trial(3, 1.0, table["values"]["target"], 0.0))


def test_the_provenance_command_finds_the_same_again(poise, quick):
    result = poise("tune", "graph", "limit-cycle/human-walk", "a.toml", *SMALL, "--workers", "1", "--seed", "2")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[-1].startswith("generation 2 of 2: best cost ")
    found = load_table("a.toml")
    command = found["provenance"]["command"]
    assert command == (
        "poise tune graph limit-cycle/human-walk a.toml --vary values.target=0:.4 states.S1+S2.hold_s=.1:.2 "
        "--generations 2 --population 4 --seed 2"
    )
    before = Path("a.toml").read_bytes()
    Path("a.toml").unlink()
    assert poise(*command.split()[1:]).exit_code == 0
    assert Path("a.toml").read_bytes() == before


def test_ctrl_c_says_how_to_resume(poise, monkeypatch, quick):
    tried = []

    def run(table, plan):
        tried.append(table)
        if len(tried) == 7:
            raise KeyboardInterrupt
        return module.Trial(3, 1.0, table["values"]["target"], 0.0)

    with monkeypatch.context() as patch:
        patch.setattr(module, "run", run)
        result = poise("tune", "graph", "limit-cycle/human-walk", "a.toml", *SMALL, "--workers", "1")
    assert result.exit_code == 130
    hint = (
        "poise tune graph limit-cycle/human-walk a.toml --vary values.target=0:.4 states.S1+S2.hold_s=.1:.2 "
        "--generations 2 --population 4 --workers 1 --resume"
    )
    assert result.stderr.endswith(f"interrupted. The best so far is written. Resume it with: {hint}\n")
    assert load_table("a.toml")["provenance"]["stopped_by"] == "interrupted"
    assert poise(*hint.split()[1:]).exit_code == 0
    assert load_table("a.toml")["provenance"]["evaluations"] == 8


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ("graph", "limit-cycle/human-walk", "a.toml", "--vary", "a"),
            "--vary: a name and a value are needed, got 'a'.",
        ),
        (("graph", "limit-cycle/human-walk", "a.toml", "--vary", "a=1"), "--vary a: two bounds are needed, got '1'."),
        (
            ("graph", "limit-cycle/human-walk", "a.toml", "--vary", "a=0:1", "b=0:1", "--ground", "1"),
            "--ground: stiffness and damping are needed, got '1'. Write K,D, such as 25000,1500.",
        ),
        (("gait", "walck", "a.toml"), "poise tune gait: no gait named 'walck'."),
        (("walker", "a.toml", "--vary", "nkee"), "poise tune walker: no parameter named 'nkee'."),
        (("skill", "kip", "--cost", "turnd:1"), "cost: no term named 'turnd'."),
        (("skill", "kip", "--cost", "standing", "--pose", "x"), "poise tune skill: no pose named 'x'."),
        (("steering", "a.toml", "--start", "nowhere"), "controllers: no controller named 'nowhere'."),
    ],
)
def test_what_makes_no_sense_is_said(poise, words, text):
    result = poise("tune", *words)
    assert result.exit_code == 2
    assert text in result.stderr
    assert not Path("a.toml").exists()
