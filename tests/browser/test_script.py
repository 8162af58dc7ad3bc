"""A script that is written while it runs, in a real browser."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.tab import COMPILE_MS, Tab

pytestmark = pytest.mark.browser

CONTROLLER = "wave.ctl"
FILES = {"wave.ctl", "arm.ctl", "out/wave.ctl"}

WAVE = """# Waves with an arm.
SCRIPTS arm.ctl;
BEGINSCRIPT wave(void)
PHASE 0
    ACTIONS
        POSE lHip(0), rHip(0), lKnee(.05), rKnee(.05), waist(0, 600, 30), lTorso2uTorso(0, 600, 30);
    ENDACTIONS
    TRANSITION to(1).after(time .1);
ENDPHASE
PHASE 1
    > arm.ctl(-1.5);
ENDPHASE
ENDSCRIPT
"""
ARM = """BEGINSCRIPT arm(angle)
PHASE 0
    ACTIONS
        LIPOSE lShoulder(angle, 300, 30).time(.2);
        POSE lElbow(-.1, 100, 10);
    ENDACTIONS
ENDPHASE
ENDSCRIPT
"""
#: Steps of 0.01 s to where most tests look: the arm is up, and the body has not begun to fall.
STEPS = 45
#: How high the left hand is.
HAND = "theatre.bodies.find((body) => body.name === 'left_hand').position.z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("studio")
    (path / "wave.ctl").write_text(WAVE)
    (path / "arm.ctl").write_text(ARM)
    return path


def save_elsewhere(path: Path, text: str) -> None:
    path.write_text(text)
    later = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))


@pytest.fixture
def page(shared_tab: Tab, folder: Path) -> Iterator[Tab]:
    """The tab with both files as they were at first, paused some moments after the start."""
    tab = shared_tab
    tab.wait("text('editor').includes('BEGINSCRIPT')", timeout=COMPILE_MS)
    tab.click("sheet-wave.ctl")
    tab.wait("text('editor').includes('BEGINSCRIPT wave')")
    tab.find("since").get_by_text("start", exact=True).click()
    replace_text(tab, read_text(tab), WAVE)
    for name, text in (("wave.ctl", WAVE), ("arm.ctl", ARM)):
        save_elsewhere(folder / name, text)
    tab.wait("!text('sheet-wave.ctl').includes('•') && text('script-status').startsWith('no errors')")
    if not tab.text("state").startswith("paused"):
        tab.pause()
    tab.click("restart")
    tab.wait_until_drawn(0)
    tab.page.evaluate("document.activeElement.blur()")
    for _ in range(STEPS):
        tab.page.keyboard.press(".")
    tab.wait_until_drawn(STEPS / 100)
    yield tab
    assert tab.take_errors() == []


def replace_text(tab: Tab, old: str, new: str) -> None:
    """Edits as if it was typed at once."""
    tab.page.evaluate(
        """([old, text]) => {
            const { view } = document.querySelector(".poise-editor").editor;
            const from = view.state.doc.toString().indexOf(old);
            view.dispatch({ changes: { from, to: from + old.length, insert: text } });
        }""",
        [old, new],
    )


def read_text(tab: Tab) -> Any:
    return tab.page.evaluate("document.querySelector('.poise-editor').editor.view.state.doc.toString()")


def read_hand(tab: Tab) -> float:
    return float(tab.theatre("bodies.find((body) => body.name === 'left_hand').position.z"))


def undo(tab: Tab, words: str) -> None:
    """Undoes the last change, after which the text has some words; a key that a busy page did not take comes again."""
    for _ in range(5):
        tab.page.locator(".cm-content").focus()
        tab.page.keyboard.press("Control+z")
        for _ in range(25):
            if words in read_text(tab):
                return
            tab.page.wait_for_timeout(200)


def wait_for_run(tab: Tab, words: str) -> None:
    tab.wait(f"text('script-status').includes('{words}')")


def test_the_phases_that_run_are_marked(page: Tab) -> None:
    page.wait("text('script-where') === 'wave.ctl 1 › arm.ctl 0'")
    calling = page.page.locator(".cm-poise-calling")
    calling.first.wait_for()
    assert calling.all_inner_texts() == ["PHASE 1", "    > arm.ctl(-1.5);", "ENDPHASE"]
    page.click("sheet-arm.ctl")
    acting = page.page.locator(".cm-poise-acting")
    acting.first.wait_for()
    assert acting.first.inner_text() == "PHASE 0" and acting.last.inner_text() == "ENDPHASE"


def test_an_edit_moves_the_body_at_the_moment_in_view_and_is_saved_when_that_is_asked(page: Tab, folder: Path) -> None:
    time, high = page.number("time"), read_hand(page)
    replace_text(page, "arm.ctl(-1.5)", "arm.ctl(.5)")
    wait_for_run(page, "runs from 0.00 s")
    page.wait(f"{HAND} < {high} - 0.15 && theatre.ghosts.count > 4")
    assert page.number("time") == time and "•" in page.text("sheet-wave.ctl")
    assert (folder / "wave.ctl").read_text() == WAVE, "nothing is written before it is asked for"
    page.page.locator(".cm-content").focus()
    page.page.keyboard.press("Control+s")
    page.wait("!text('sheet-wave.ctl').includes('•')")
    assert (folder / "wave.ctl").read_text() == WAVE.replace("(-1.5)", "(.5)")


def test_from_the_phase_in_view(page: Tab) -> None:
    page.find("since").get_by_text("phase in view", exact=True).click()
    replace_text(page, "arm.ctl(-1.5)", "arm.ctl(-.5)")
    wait_for_run(page, "runs from 0.10 s")
    assert "arm.ctl(-.5)" in read_text(page) and "•" in page.text("sheet-wave.ctl")


def test_an_error_stands_under_its_line_and_the_run_goes_on(page: Tab) -> None:
    page.run()
    before = page.number("time")
    line = page.page.locator(".cm-line", has_text="waist(0, 600, 30)")
    line.click()
    page.page.keyboard.press("Home")
    page.page.keyboard.type("P ")
    remark = page.find("remark-6")
    remark.wait_for()
    assert remark.inner_text().splitlines()[-1].startswith("error: ")
    below = remark.bounding_box()["y"] - line.bounding_box()["y"]
    assert 0 < below < 2 * line.bounding_box()["height"]
    page.wait(f"number('time') > {before} + 0.1 && !text('state').startsWith('paused')")
    assert page.text("script-status").startswith("1 error, wave.ctl line 6")
    page.page.keyboard.press("Control+z")
    remark.wait_for(state="detached")
    wait_for_run(page, "no errors")
    assert read_text(page) == WAVE


def test_what_another_editor_saves_is_taken_up(page: Tab, folder: Path) -> None:
    high = read_hand(page)
    save_elsewhere(folder / "arm.ctl", ARM.replace("lShoulder(angle", "lShoulder(.4"))
    page.wait(f"{HAND} < {high} - 0.15")
    page.click("sheet-arm.ctl")
    page.wait("text('editor').includes('lShoulder(.4')")
    assert "•" not in page.text("sheet-arm.ctl"), "what came from the disk is no change of ours"


def test_changed_here_and_on_the_disk_nothing_is_lost(page: Tab, folder: Path) -> None:
    replace_text(page, "Waves with an arm", "Mine")
    page.wait("text('sheet-wave.ctl').includes('•')")
    save_elsewhere(folder / "wave.ctl", WAVE.replace("Waves with an arm", "Theirs"))
    page.find("take-disk").wait_for()
    page.find("take-disk").evaluate("button => { button.same = true; }")
    replace_text(page, "Mine", "Still mine")
    page.wait("text('script-status').includes('no errors') && text('editor').includes('Still mine')")
    page.page.wait_for_timeout(1000)
    assert page.find("take-disk").evaluate("button => button.same"), "a click on a replaced button would be lost"
    replace_text(page, "Still mine", "Mine")
    assert "Mine" in read_text(page) and "Theirs" in (folder / "wave.ctl").read_text()
    page.wait("text('script-status').includes('no errors')")
    page.page.wait_for_timeout(1000)
    page.click("take-disk")
    page.wait("text('editor').includes('Theirs')")
    undo(page, "Mine")
    assert "Mine" in read_text(page)
