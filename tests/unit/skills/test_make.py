"""Where the phases of a transition may come from."""

from poise.skills.make import find_via
from poise.skills.script_file import LIBRARY, library_transitions
from poise.skills.skill import load_skill


def test_first_guesses_that_are_shipped_go_by_their_files_names(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_via("walk") == "walk"
    assert find_via("_hands-over.ctl") == str(LIBRARY / "_hands-over.ctl")
    assert len(load_skill(find_via("_hands-over.ctl")).program.script.phases) == 3
    # One's own file of that name comes first.
    (tmp_path / "_hands-over.ctl").write_text("")
    assert find_via("_hands-over.ctl") == "_hands-over.ctl"


def test_first_guesses_are_no_transitions() -> None:
    names = [path.name for path in library_transitions()]
    assert "handwalk-to-walkover.ctl" in names and "_hands-over.ctl" not in names
