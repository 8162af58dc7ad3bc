"""`poise clip tame`: gains for a motion file on the command line."""

import pytest

from poise.search import tame as module
from poise.tables import load_table
from unit.search.small_clip import write_walk


@pytest.fixture
def walk(tmp_path, monkeypatch):
    """A walk that is tried for two seconds, and few candidates once more at the end."""
    monkeypatch.setattr(module, "FINALISTS", 1)
    return write_walk(tmp_path / "walk.npz")


def test_a_tamed_clip_is_a_controller_that_runs(poise, walk):
    result = poise("clip", "tame", "walk.npz", "--evaluations", "12", "--seeds", "1", "--seconds", "2")
    assert result.exit_code == 0, result.output
    assert "generation 1 of 1: best cost" in result.stderr
    assert "of 8 starts, 60 s" in result.stdout
    assert "poise run walk.toml" in result.stdout
    table = load_table("walk.toml")
    assert (table["method"], table["character"], table["clip"]) == ("tracker", "lee13", "walk.npz")
    assert "friction" not in table
    assert table["provenance"]["stopped_by"] == "evaluations"
    assert poise("run", "walk.toml", "--seconds", "0.1", "--timestep", "0.0011111").exit_code == 0
    again = poise("clip", "tame", "walk.npz", "--evaluations", "12", "--seeds", "1", "--seconds", "2")
    assert (again.exit_code, again.stderr) == (
        2,
        "error: walk.tame.journal: holds an unfinished search. Continue it with --resume, remove the file to start "
        "again, or give another file with --out.\n",
    )


def test_ctrl_c_writes_the_best_so_far(poise, walk, monkeypatch):
    def end(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(module._Run, "close", end)
    result = poise("clip", "tame", "walk.npz", "--once", "--evaluations", "12", "--seeds", "1", "--friction", "2")
    assert result.exit_code == 130
    assert result.stderr.endswith(
        "interrupted. The best so far is written. Resume it with: poise clip tame walk.npz --once --evaluations 12 "
        "--seeds 1 --friction 2 --resume\n"
    )
    table = load_table("walk.toml")
    assert (table["endless"], table["friction"]) == (False, 2.0)
    assert table["provenance"]["stopped_by"] == "interrupted"
    assert poise("show", "controller", "walk.toml").exit_code == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--evaluations", "5"], "evaluations: too few for one generation, got 5. At least 12."),
        (["--once", "--cycle", "1"], "--cycle: has no effect with --once. Leave out one of them."),
        (["--cycle", "9"], "cycle: no such cycle, got 9. Allowed: 0 to 3."),
        (["--friction", "-1"], "--friction: the number is out of range, got -1.0. Allowed: 0 to 100."),
        (["--out", "x.txt"], "--out: a controller is written to a .toml file, got 'x.txt'."),
        (["--resume"], "walk.tame.journal: no such file. A search writes it with its first results."),
        (
            ["--character", "biped7"],
            "character biped7: the tracker drives bodies in space with at most 24 segments.",
        ),
    ],
)
def test_what_cannot_be_tamed_is_explained(poise, walk, options, text):
    result = poise("clip", "tame", "walk.npz", *options)
    assert (result.exit_code, result.stderr) == (2, f"error: {text}\n")


def test_a_controller_asks_for_friction(poise, walk):
    from poise.rollout.scene import Scene

    head = 'method = "tracker"\ncharacter = "lee13"\ndescription = "a walk"\nclip = "walk.npz"\nfriction = '
    with open("walk.toml", "w") as file:
        file.write(head + "2.5\n")
    assert Scene("walk.toml").open().terrain.friction == 2.5
    assert Scene("walk.toml", friction=0.7).open().terrain.friction == 0.7
    with open("walk.toml", "w") as file:
        file.write(head + "-1\n")
    result = poise("run", "walk.toml", "--seconds", "0.1")
    assert result.exit_code == 2
    assert "walk.toml:5:1: friction: out of range, got -1. Allowed: at least 0." in result.stderr
