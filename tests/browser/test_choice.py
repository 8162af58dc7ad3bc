"""A parameter that is a choice, in a real browser: a drop-down instead of a slider."""

from pathlib import Path

import pytest

from browser.tab import Tab

pytestmark = pytest.mark.browser

#: What the studio of this module shows.
CONTROLLER = str(Path(__file__).with_name("choosy.py"))


def test_a_choice_is_a_drop_down(shared_tab: Tab) -> None:
    knob = shared_tab.find("knob-style")
    shared_tab.wait("text('knob-style').includes('march')")
    assert knob.locator(".q-slider").count() == 0
    knob.locator(".q-field").click()
    menu = shared_tab.page.locator(".q-menu .q-item")
    menu.first.wait_for()
    assert menu.all_inner_texts() == ["walk", "march", "sneak"]
    menu.filter(has_text="sneak").click()
    shared_tab.wait("text('knob-style').includes('sneak')")
    shared_tab.click("reset-all")
    shared_tab.wait("text('knob-style').includes('march')")
    assert shared_tab.take_errors() == []
