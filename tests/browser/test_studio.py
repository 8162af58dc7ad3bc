"""The studio in a real browser: what people do there, and what they see."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from browser.tab import MAX_TABS, VIEWPORT, Tab

pytestmark = pytest.mark.browser

CONTROLLER = "simbicon/planar-walk"


def at(studio: str, path: str = "") -> str:
    """Another route of the studio, with its secret."""
    base, _, query = studio.partition("?")
    return f"{base}{path}?{query}"


def count_worlds(studio: str) -> int:
    with urllib.request.urlopen(at(studio, "tabs")) as answer:
        return int(json.load(answer)["open"])


def wait_for_worlds(tab: Tab, count: int) -> None:
    tab.page.wait_for_function(f"async () => (await (await fetch('/tabs')).json()).open === {count}")


def test_the_character_walks(tab: Tab) -> None:
    tab.wait("text('state') === 'on its feet' && number('distance') > 0.5 && number('steps') >= 2")
    x, drawn = tab.theatre("bodies[0].position.x"), tab.theatre("drawn")
    tab.wait(f"theatre.bodies[0].position.x > {x} + 0.2 && theatre.drawn > {drawn} + 2")
    assert tab.theatre("bodies.length") == 10
    assert tab.page.locator(".poise-chart canvas").count() == 1


def test_everything_comes_from_this_machine(tab: Tab, studio: str) -> None:
    """The page works without a network."""
    tab.page.reload()
    tab.wait_until_walking()
    assert any("three" in url or "scene" in url or "esm" in url for url in tab.requests)
    assert all(url.startswith((studio.partition("?")[0], "data:", "blob:")) for url in tab.requests)


def test_the_camera_follows_and_can_be_turned(tab: Tab) -> None:
    tab.wait("Math.abs(theatre.bodies[0].position.x - theatre.focus.x) < 0.5 && theatre.focus.x > 0.3")
    before = tab.theatre("controls.getAzimuthalAngle()")
    tab.page.mouse.move(60, 400)
    tab.page.mouse.down()
    tab.page.mouse.move(220, 400, steps=4)
    tab.page.mouse.up()
    tab.wait(f"Math.abs(theatre.controls.getAzimuthalAngle() - {before}) > 0.2")
    turned = tab.theatre("controls.getAzimuthalAngle()")
    x = tab.theatre("focus.x")
    tab.wait(f"theatre.focus.x > {x} + 0.3")
    assert abs(tab.theatre("controls.getAzimuthalAngle()") - before) > 0.5 * abs(turned - before)


def test_pause_step_restart_and_run(tab: Tab) -> None:
    tab.wait("number('time') > 0.3")
    tab.pause()
    stopped = tab.number("time")
    tab.click("step")
    tab.wait(f"Math.abs(number('time') - {stopped} - 0.01) < 0.006")
    tab.click("restart")
    tab.wait("number('time') === 0 && Math.abs(theatre.bodies[0].position.x) < 0.1")
    tab.run()
    tab.wait("number('time') > 0.3")
    tab.page.keyboard.press("r")
    tab.page.locator("body").click(position={"x": 300, "y": 80})
    tab.page.keyboard.press("Space")
    tab.wait("text('state').startsWith('paused')")


def test_time_can_be_slowed_down(tab: Tab) -> None:
    tab.set_speed("½×")
    tab.wait("Math.abs(number('pace') - 0.5) < 0.1")


def test_a_parameter_can_be_typed_and_reset(tab: Tab) -> None:
    """Without stiffness in the trunk nobody walks."""
    knob = tab.find("knob-torso_kp_nm_per_rad")
    field = knob.locator("input[type=number]")
    assert field.input_value() == "1000"
    field.fill("0")
    field.press("Enter")
    tab.set_speed("4×")
    tab.wait("text('state').startsWith('fallen')")
    tab.click("reset-all")
    tab.page.wait_for_function(
        "document.querySelector('[data-testid=\"knob-torso_kp_nm_per_rad\"] input').value === '1000'"
    )
    tab.click("restart")
    tab.wait("text('state') === 'on its feet' && number('steps') >= 3")


def test_a_slider_changes_its_parameter_and_search_finds_it(tab: Tab) -> None:
    tab.find("search").fill("strike knee swing")
    knob = tab.find("knob-strike_swing_knee_rad")
    knob.wait_for(state="visible")
    tab.find("knob-torso_kp_nm_per_rad").wait_for(state="hidden")
    number = "document.querySelector('[data-testid=\"knob-strike_swing_knee_rad\"] input').value"
    assert tab.page.evaluate(number) == "0.05"
    slider = knob.locator(".q-slider")
    slider.click(position={"x": 0.97 * slider.bounding_box()["width"], "y": 9})
    tab.page.wait_for_function(f"parseFloat({number}) > 0.8")
    knob.locator("button").click()
    tab.page.wait_for_function(f"{number} === '0.05'")


def test_a_push_makes_it_faster(tab: Tab) -> None:
    tab.set_speed("4×")
    tab.wait("number('time') > 2")
    tab.set_speed("0.1×")
    assert tab.find("push-left").is_hidden(), "in the plane there is no left"
    tab.click("push-forward")
    tab.wait("number('speed') > 1.3")
    tab.set_speed("4×")
    tab.wait("text('state').startsWith('fallen') || number('steps') > 10")


def test_a_hard_push_back_makes_it_fall(tab: Tab) -> None:
    tab.knock_over("push-back", 4)
    tab.wait("text('state').startsWith('fallen')")


def test_dragging_the_body_pulls_it_and_leaves_the_camera_alone(tab: Tab) -> None:
    tab.set_speed("4×")
    tab.wait("number('time') > 2")
    tab.set_speed("0.1×")
    # What lies under the pointer must still lie there when the button goes down.
    tab.wait("number('pace') < 0.2")
    angle = tab.theatre("controls.getAzimuthalAngle()")
    at = tab.theatre("locate('trunk')")
    tab.page.mouse.move(at["x"], at["y"])
    tab.page.mouse.down()
    tab.wait("theatre.hand.held !== null")
    tab.page.mouse.move(at["x"] + 160, at["y"] - 10, steps=5)
    tab.wait("theatre.arrows.hand.visible && number('speed') > 1.4")
    tab.page.mouse.up()
    tab.wait("theatre.hand.held === null && !theatre.arrows.hand.visible")
    assert abs(tab.theatre("controls.getAzimuthalAngle()") - angle) < 1e-6


def test_a_ball_flies(tab: Tab) -> None:
    tab.set_speed("0.1×")
    ball = "theatre.bodies.find((body) => body.name === 'ball_1')"
    tab.wait(f"!{ball}.visible")
    tab.click("ball-behind")
    tab.wait(f"{ball}.visible && {ball}.position.distanceTo(theatre.bodies[0].position) < 0.9")


def test_another_controller_brings_its_character(tab: Tab) -> None:
    tab.choose("controller", "pose/hold")
    tab.wait("theatre.bodies.some((body) => body.name === 'left_hand' || body.name === 'left_upper_arm')")
    tab.find("push-left").wait_for(state="visible")
    tab.wait("number('time') > 0.2")
    tab.choose("controller", "simbicon/planar-walk")
    tab.find("push-left").wait_for(state="hidden")
    tab.find("knob-torso_kp_nm_per_rad").wait_for(state="visible")


def test_a_character_that_does_not_fit_is_told_and_nothing_changes(tab: Tab) -> None:
    tab.choose("character", "robo_bird")
    notice = tab.page.locator(".q-notification").first
    notice.wait_for(state="visible")
    assert "robo_bird: no axis named" in notice.inner_text()
    tab.wait("document.querySelectorAll('.poise-choice')[1].innerText.includes('biped7')")
    assert tab.theatre("bodies.length") == 10
    assert tab.text("state") == "on its feet"
    before = tab.number("time")
    tab.wait(f"number('time') > {before} + 0.1")


def test_looking_back_and_going_on_from_there(tab: Tab) -> None:
    tab.set_speed("4×")
    tab.wait("number('time') > 12")
    tab.set_speed("¼×")
    tab.click_in("scrub", 0.8)
    tab.wait("text('state').endsWith(' ago') && number('ago') < -5")
    seen = tab.number("time")
    tab.wait(f"Math.abs(theatre.playback.time - {seen}) < 0.02")
    x = tab.theatre("bodies[0].position.x")
    tab.click("run")
    tab.wait(f"text('ago') === 'now' && number('time') > {seen} && number('time') < {seen} + 6")
    tab.wait(f"theatre.bodies[0].position.x > {x} + 0.1 && text('state') === 'on its feet'")


def test_the_plot_can_be_switched(tab: Tab) -> None:
    tab.page.get_by_text("foot loads", exact=True).click()
    tab.wait("number('time') > 0.5")
    assert tab.page.locator(".poise-chart canvas").count() == 1


def set_up_a_world(tab: Tab) -> str:
    """Change as much as a page shows; return the address."""
    tab.find("knob-torso_kp_nm_per_rad").locator("input[type=number]").fill("900")
    tab.page.keyboard.press("Enter")
    tab.unfold("fold-body")
    tab.find("body-seed").fill("7")
    tab.page.keyboard.press("Enter")
    tab.wait("text('part-legs') !== 'legs\\n1.00×' && text('part-mass') !== 'mass\\n1.00×'")
    tab.page.get_by_text("foot loads", exact=True).click()
    tab.click_in("force", 0.9)
    tab.set_speed("½×")
    tab.wait("number('time') > 0.5 && number('force-value') > 500")
    return str(tab.page.url)


def read_page(tab: Tab) -> list[Any]:
    fields = ["knob-torso_kp_nm_per_rad", "body-seed"]
    values = [
        tab.find(field).locator("xpath=descendant-or-self::input[@type='number']").input_value() for field in fields
    ]
    chosen = [tab.page.get_by_text(text, exact=True).locator("xpath=ancestor::button").get_attribute("aria-pressed")
              for text in ("foot loads", "½×")]  # fmt: skip
    return [
        *values,
        *chosen,
        *(tab.text(f"part-{part}") for part in ("legs", "left_leg", "mass")),
        tab.text("force-value"),
    ]


def test_a_reload_and_a_gap_in_the_connection_keep_the_world(tab: Tab) -> None:
    address = set_up_a_world(tab)
    before, at = read_page(tab), tab.number("time")
    # The stiffness follows the mass of the body.
    assert before[0] != "1000" and before[1:4] == ["7", "true", "true"] and address.count("world=") == 1
    tab.page.reload()
    tab.wait_until_walking()
    tab.wait(f"number('time') >= {at} && text('body-seed') !== undefined && text('part-legs') !== ''")
    assert tab.page.url == address and read_page(tab) == before
    tab.page.evaluate("window.samePage = true")
    tab.page.context.set_offline(True)
    try:
        tab.wait("document.getElementById('popup').ariaHidden === 'false'")
        at = tab.number("time")
        # What is set while there is no connection arrives afterwards.
        tab.press(text="1×")
        tab.page.wait_for_timeout(3000)
        assert tab.number("time") == at, "nobody is shown anything"
    finally:
        tab.page.context.set_offline(False)
    tab.wait(f"number('time') > {at} && Math.abs(number('pace') - 1) < 0.2")
    assert tab.number("time") < at + 3.0, "the world stood still meanwhile"
    assert tab.page.evaluate("window.samePage") and tab.page.url == address
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in tab.take_errors())
    tab.click("reset-body")
    tab.page.get_by_text("speed and lean", exact=True).click()


def test_on_a_phone_every_control_can_be_reached(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 844})
    try:
        tab.wait("theatre.element.clientWidth === 390")
        outside = tab.page.evaluate(
            """() => [...document.querySelectorAll("button, input, .q-slider, [data-testid]")].filter((e) => {
                const { left, right, top, bottom, width } = e.getBoundingClientRect();
                const scrolls = e.closest(".poise-panel, .q-notifications, .cm-editor");
                return width && (left < 0 || right > innerWidth || (!scrolls && (top < 0 || bottom > innerHeight)));
            }).map((e) => e.dataset.testid ?? e.className)"""
        )
        assert outside == []
        size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert tab.page.evaluate(size) == [390, 844]
        shown = [
            "restart",
            "run",
            "step",
            "time-speed",
            "auto-restart",
            "time",
            "scrub",
            "controller",
            "character",
            "help",
        ]
        assert all(tab.find(name).is_visible() for name in shown)
        tab.find("search").scroll_into_view_if_needed()
        assert tab.find("search").bounding_box()["y"] < 844, "the panel scrolls"
    finally:
        tab.page.set_viewport_size(VIEWPORT)


def test_two_tabs_do_not_disturb_each_other_and_closing_one_ends_its_world(tab: Tab, browser: Any, studio: str) -> None:
    other = Tab.open(browser, studio)
    other.pause()
    stopped, before = other.number("time"), tab.number("time")
    tab.wait(f"number('time') > {before} + 0.3")
    assert other.number("time") == stopped
    assert other.errors == []
    assert count_worlds(studio) >= 2
    other.close()
    wait_for_worlds(tab, 1)
    before = tab.number("time")
    tab.wait(f"number('time') > {before} + 0.1")


def test_beyond_the_limit_there_is_a_friendly_page(tab: Tab, browser: Any, studio: str) -> None:
    others = [Tab.open(browser, studio) for _ in range(MAX_TABS - 1)]
    page = browser.new_page(viewport=VIEWPORT)
    page.goto(studio)
    page.locator("[data-testid=full]").wait_for()
    assert "Close one and try again" in page.inner_text("[data-testid=full]")
    assert count_worlds(studio) == MAX_TABS
    others.pop().close()
    page.get_by_role("button", name="Try again").click()
    page.locator("[data-testid=view]").wait_for()
    for one in others:
        one.close()
    page.close()


def test_a_page_from_elsewhere_is_turned_away(studio: str) -> None:
    request = urllib.request.Request(studio, headers={"Host": "elsewhere.example"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)
    assert caught.value.code == 403
    assert urllib.request.urlopen(studio).status == 200


def test_the_secret_leaves_the_address(tab: Tab, studio: str) -> None:
    base, _, query = tab.page.url.partition("?")
    assert base == studio.partition("?")[0] and query.startswith("world=")
    assert "token" not in tab.page.evaluate("document.cookie")


def test_without_the_secret_there_is_a_friendly_page(tab: Tab, browser: Any) -> None:
    page = browser.new_page(viewport=VIEWPORT)
    # The name of a world is no secret: it admits nobody.
    answer = page.goto(tab.page.url)
    assert answer.status == 403
    assert "Open the address that poise studio printed" in page.inner_text("body")
    page.close()


def test_a_file_leads_to_the_page_and_a_frame_does_not(browser: Any, studio: str, tmp_path: Path) -> None:
    file = tmp_path / "lead.html"
    file.write_text(f'<meta http-equiv="refresh" content="0; url={studio}">')
    page = browser.new_page(viewport=VIEWPORT)
    page.goto(file.as_uri())
    # The strict cookie reaches the page although a file has sent the browser there.
    page.locator(".poise-wait, .poise-studio").first.wait_for()
    assert page.url.partition("?")[0] == studio.partition("?")[0] and "token" not in page.url
    frame = tmp_path / "frame.html"
    frame.write_text(f'<iframe src="{studio}"></iframe>')
    page.goto(frame.as_uri())
    assert page.frames[-1].locator(".poise-studio").count() == 0
    page.close()
