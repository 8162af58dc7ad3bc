"""Scripts that were damaged in print: what is repaired, what is listed, and what is left unchanged."""

from pathlib import Path

import pytest

from poise.characters.catalog import LIBRARY as CHARACTERS
from poise.controllers.limit_cycle.scripts.read import load_script, parse_script
from poise.controllers.limit_cycle.scripts.repair import repair_script
from poise.errors import FileFormatError

SHIPPED = CHARACTERS.parent / "scripts" / "human-walk.script"
#: The sources are not part of the project: tests that read them are skipped without them.
THESIS = Path(__file__).resolve().parents[4] / "shared" / "seeds" / "laszlo-1996-thesis.txt"

ZERO = " ".join(["0"] * 15)
PITCH = ZERO.replace("0 0 0", "0 0 1", 1)
DAMAGED = f"""\
set hinit {",".join(["0"] * 14)}
posecycle poses 0
{ZERO} .2
{ZERO} 14 5
# hip roll perturbations:
posecycle poses 1   # right hip pitch
0 {PITCH} 0 0
{ZERO} 0
posecycle poses 2   # right hip pitch
  {PITCH}   0
{ZERO} 0
posecycle poses 3   # left hip pitch
{ZERO}
{ZERO} 0
"""


def test_damage_is_mended_from_what_is_whole_and_listed() -> None:
    text, repairs = repair_script(DAMAGED)
    assert [str(r) for r in repairs] == [
        f"line 1: 14 angles instead of 15, the last is 0: was 'set hinit {','.join(['0'] * 14)}', "
        f"is now 'set hinit {','.join(['0'] * 15)}'",
        "line 5: the table below is for the right hip pitch: was '# hip roll perturbations:', "
        "is now '# hip pitch perturbations:'",
        f"line 7: 18 columns instead of 16, taken from line 10, right hip pitch: was '0 {PITCH} 0 0', "
        f"is now '{PITCH} 0'",
    ]
    # Nothing whole is there for the third table: it stays, and the reader will say so.
    assert text.split("\n")[12] == ZERO
    assert repair_script(text) == (text, [])


def test_what_is_whole_is_left_alone() -> None:
    for text in (SHIPPED.read_text(), "# nothing"):
        assert repair_script(text) == (text, [])


def print_appendix() -> str:
    """The sample script of the source, as printed: its pages one after the other."""
    if not THESIS.is_file():
        pytest.skip("the source is not available")
    appendix = THESIS.read_text(encoding="utf-8").rpartition("## APPENDIX C")[2]
    return "\n".join(line for line in appendix.split("\n")[1:] if not line.startswith("```"))


def test_the_printed_sample_script_can_be_read_once_it_is_mended() -> None:
    printed = print_appendix()
    with pytest.raises(FileFormatError, match="has 24 columns, expected 20"):
        parse_script(printed, "printed.script")
    text, repairs = repair_script(printed)
    # Four tables of six rows, one initial pose, one heading.
    assert len(repairs) == 26
    script = parse_script(text, "printed.script")
    assert [t.strategy for t in script.trials] == ["FL"] * 9 + ["SP"] * 9 + ["LF"] * 9
    targets = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
    assert [t.target for t in script.trials] == [(q, 0.0) for q in targets] * 3
    ours = load_script(SHIPPED).trials[0]
    for trial in script.trials:
        assert (trial.spec.base, trial.spec.changes) == (ours.spec.base, ours.spec.changes)
        assert (trial.spec.start, trial.ground, trial.steps) == (ours.spec.start, ours.ground, 60)
