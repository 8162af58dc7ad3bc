"""The page with which the studio opens: a walker that is steered, restyled and rebuilt while it walks."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser.tab import Tab
from poise.characters.catalog import load_character
from poise.studio.observer import HOLE
from poise.studio.scene import describe_scene
from poise.world.terrain import parse_terrain
from poise.world.world import World

pytestmark = pytest.mark.browser

#: What the tests here ask the studio to write.
FILES = {"out/my-walk.toml"}
#: What the browser knows of the arrow on the ground.
ARROW = "theatre.compass.command"


def stand(tab: Tab) -> None:
    """Still, so that the test does not depend on how well it walks."""
    tab.page.keyboard.press("Space")
    tab.wait_for_value("speed_mps", "v === 0")


def test_it_walks_by_itself(tab: Tab) -> None:
    tab.wait("text('state') === 'on its feet' && number('steps') >= 3 && number('distance') > 0.5")
    assert tab.value("speed_mps") == 1.0
    assert tab.find("knob-style").is_visible() and tab.find("group-balance").is_visible()
    assert tab.find("knob-placement_speed_gain").is_hidden(), "the gains of the balance are folded away"


def test_keys_change_speed_and_heading(tab: Tab) -> None:
    keys = tab.page.keyboard
    keys.press("ArrowDown")
    keys.press("s")
    tab.wait_for_value("speed_mps", "v === 0.8")
    keys.press("ArrowUp")
    tab.wait_for_value("speed_mps", "v === 0.9")
    keys.press("ArrowLeft")
    keys.press("a")
    tab.wait_for_value("heading_deg", "v === 30")
    keys.press("d")
    tab.wait_for_value("heading_deg", "v === 15")
    tab.wait(f"Math.abs({ARROW}.speed - 0.9) < 1e-6 && {ARROW}.heading === 15")
    keys.press("Space")
    tab.wait_for_value("speed_mps", "v === 0")
    assert not tab.text("state").startswith("paused")
    keys.press("p")
    tab.wait("text('state').startsWith('paused')")


def test_keys_work_after_a_button_was_clicked(tab: Tab) -> None:
    tab.click("camera")
    tab.page.wait_for_function("document.activeElement === document.body")
    tab.page.keyboard.press("ArrowDown")
    tab.wait_for_value("speed_mps", "v === 0.9")


def test_keys_that_are_typed_into_a_field_steer_nothing(tab: Tab) -> None:
    tab.unfold("fold-curves")
    tab.find("style-name").fill("")
    tab.find("style-name").press_sequentially("wasd")
    assert (tab.value("speed_mps"), tab.value("heading_deg")) == (1.0, 0.0)


def test_dragging_the_arrow_sets_heading_and_speed(tab: Tab) -> None:
    stand(tab)
    angle = tab.theatre("controls.getAzimuthalAngle()")
    tab.drag(tab.theatre("locateArrow()"), tab.theatre("locateGround(0.2, -0.9)"))
    tab.wait("theatre.compass.held")
    tab.wait_for_value("speed_mps", "v > 0.3 && v < 0.9")
    tab.wait_for_value("heading_deg", "v > -95 && v < -60")
    tab.page.mouse.up()
    tab.wait("!theatre.compass.held")
    assert abs(tab.theatre("controls.getAzimuthalAngle()") - angle) < 1e-6
    tab.wait("Math.abs(number('heading')) > 20")


def test_the_slider_turns_the_arrow(tab: Tab) -> None:
    field = tab.find("knob-heading_deg").locator("input[type=number]")
    field.fill("40")
    field.press("Enter")
    tab.wait(f"{ARROW}.heading === 40 && Math.abs(theatre.compass.angle - 0.698) < 0.01")


def test_a_style_is_chosen_from_the_list(tab: Tab) -> None:
    knob = tab.find("knob-style")
    assert knob.locator(".q-slider").count() == 0, "a choice is a drop-down"
    knob.locator(".q-field").click()
    menu = tab.page.locator(".q-menu .q-item")
    menu.first.wait_for()
    assert menu.first.inner_text() == "plain" and "own" in menu.all_inner_texts()
    menu.filter(has_text="own").last.click()
    tab.wait("text('knob-style').includes('own')")
    tab.unfold("fold-curves")
    tab.wait("text('curve-style').startsWith('Drag the points')")
    tab.click("reset-commands")
    tab.wait("text('knob-style').includes('plain')")


def settle(tab: Tab, element: Any) -> dict[str, float]:
    """Position of an element once the panel has stopped moving."""
    box = None
    while box != (now := element.bounding_box()):
        box = now
        tab.page.wait_for_timeout(200)
    return dict(box)


def test_a_curve_is_edited_while_it_walks_and_kept_in_a_file(tab: Tab, folder: Path) -> None:
    tab.unfold("fold-curves")
    tab.click("edit-style")
    tab.wait("text('knob-style').includes('own')")
    tab.page.locator("[data-testid=curve]:not(.poise-curve-locked)").wait_for()
    dot = tab.page.locator("[data-testid=curve] [data-point='2'] .dot")
    dot.scroll_into_view_if_needed()
    box = settle(tab, dot)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    tab.drag(at, {"x": at["x"], "y": at["y"] - 25})
    tab.page.mouse.up()
    tab.wait("text('state') === 'on its feet'")
    # Another curve and back again: what is drawn now comes from the simulation.
    high = dot.bounding_box()["y"]
    assert high < box["y"] - 15
    tab.choose("curve-channel", "swing elbow")
    tab.page.wait_for_function(
        f"document.querySelector(\"[data-point='2'] .dot\").getBoundingClientRect().y !== {high}"
    )
    tab.choose("curve-channel", "stance shoulder pitch")
    tab.page.wait_for_function(
        f"Math.abs(document.querySelector(\"[data-point='2'] .dot\").getBoundingClientRect().y - {high}) < 2"
    )
    tab.find("style-name").fill("my-walk")
    tab.click("save-style")
    tab.page.locator(".q-notification").get_by_text("poise run out/my-walk.toml").wait_for()
    table = tomllib.loads((folder / "out/my-walk.toml").read_text(encoding="utf-8"))
    assert table["values"]["style"] == "my-walk"
    assert table["styles"]["my-walk"]["curves"]["stance_shoulder_pitch_rad"][2] > 0.1
    tab.click("save-style")
    tab.find("overwrite-no").wait_for()
    tab.click("overwrite-no")
    command = [sys.executable, "-m", "poise", "run", "out/my-walk.toml", "--seconds", "1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, "still on its feet" in done.stdout) == (0, True), done.stderr


def test_a_longer_leg_is_built_and_it_walks_on(tab: Tab) -> None:
    tab.wait("number('distance') > 0.8")
    tab.page.keyboard.press("ArrowDown")
    tab.wait_for_value("speed_mps", "v === 0.9")
    pelvis = tab.theatre("bodies[0].position.x")
    tab.unfold("fold-body")
    slider = tab.find("part-legs").locator(".q-slider")
    slider.scroll_into_view_if_needed()
    staged = tab.theatre("staged")
    slider.click(position={"x": 0.54 * slider.bounding_box()["width"], "y": 9})
    tab.wait(f"theatre.staged > {staged} && text('part-legs').includes('1.1')")
    tab.wait("text('state') === 'on its feet' && number('steps') >= 3 && number('distance') > 0.3")
    assert tab.theatre("bodies[0].position.x") > pelvis
    assert tab.value("speed_mps") == 0.9
    tab.click("reset-body")
    tab.wait("text('part-legs').includes('1.00')")


def test_another_character_walks_on(tab: Tab) -> None:
    tab.unfold("fold-body")
    bodies = tab.theatre("bodies.length")
    staged = tab.theatre("staged")
    tab.choose("body-character", "robot")
    tab.wait(f"theatre.staged > {staged} && number('steps') >= 2")
    tab.page.wait_for_function("document.querySelectorAll('.poise-choice')[1].innerText.includes('robot')")
    tab.choose("body-character", "humanoid")
    tab.wait(f"theatre.staged > {staged} + 1 && theatre.bodies.length === {bodies} && number('steps') >= 2")
    tab.find("body-seed").fill("7")
    tab.find("body-seed").press("Enter")
    tab.wait(f"theatre.staged > {staged} + 2 && text('part-head') !== 'head\\n1.00×'")
    assert all(text != "1.00×" for text in tab.page.locator(".poise-part-value").all_inner_texts()), "the dice move all"
    tab.click("reset-body")
    tab.wait(f"theatre.staged > {staged} + 3 && number('steps') >= 1")


def test_after_a_fall_it_can_start_again(tab: Tab) -> None:
    tab.knock_over("push-left", 5)
    tab.set_speed("4×")
    tab.wait("text('state').startsWith('fallen') && text('fell').startsWith('It fell at')")
    tab.click("start-again")
    tab.wait("text('state') === 'on its feet'")
    tab.find("fall").wait_for(state="hidden")


def test_after_a_fall_it_starts_again_by_itself(tab: Tab) -> None:
    tab.knock_over("push-left", 5)
    tab.wait("text('state').startsWith('fallen')")
    tab.click("auto-restart")
    tab.wait("text('state') === 'on its feet'")
    tab.click("auto-restart")


def test_a_shove_and_a_ball_from_the_side(tab: Tab) -> None:
    stand(tab)
    tab.set_speed("0.1×")
    assert tab.find("push-left").is_visible()
    tab.click("ball-left")
    ball = "theatre.bodies.find((body) => body.name === 'ball_1')"
    tab.wait(f"{ball}.visible && {ball}.position.distanceTo(theatre.bodies[0].position) < 1.2")
    tab.click("push-left")
    tab.wait("theatre.arrows.pushes[0].visible")


TERRAINS = ("steps:rise=0.12", "steps:rise=-0.1", "stones", "slope:8", "hills")


def test_the_arrow_lies_on_the_surface(tab: Tab) -> None:
    """The heights that the browser draws on are those of the physics, and no part of the arrow hangs in the air."""
    rng = np.random.default_rng(1)
    for spec in TERRAINS:
        terrain = parse_terrain(spec)
        ground = describe_scene(World([load_character("humanoid")], terrain=terrain))["ground"]
        points = rng.uniform([0.0, -0.4], [6.0, 0.4], (200, 2)).round(4).tolist()
        expected = [terrain.height_m(x, y) for x, y in points]
        tab.page.evaluate(
            """([ground, points]) => {
                const { theatre } = document.querySelector(".poise-view");
                const Surface = theatre.ground.surface.constructor;
                window.surface = new Surface(ground);
                window.heights = points.map(([x, y]) => window.surface.height(x, y));
            }""",
            [ground, points],
        )
        error = np.abs(np.array(tab.page.evaluate("window.heights")) - expected)
        # A height field is drawn with fewer points than it has.
        assert error.max() < (0.02 if terrain.height_field else 1e-6), spec
        for x in (0.93, 1.37, 2.23, 3.07):
            floor = max(terrain.height_m(x + dx, 0.0) for dx in (-0.2, 0.0, 0.2))
            for px, py, pz in lay_arrow(tab, x, floor):
                gap = pz - terrain.height_m(px, py)
                assert abs(gap) < 0.06 or gap > HOLE * 1.7, (spec, x, px, gap)
                assert pz > floor - 1.0, (spec, "not at the bottom of a hole")


def lay_arrow(tab: Tab, x_m: float, floor_m: float) -> list[list[float]]:
    """Points in the middle of the bands of the arrow, if a walker stood there; everything is put back."""
    points: list[list[float]] = tab.page.evaluate(
        """([x, floor]) => {
            const { theatre: { compass, ground, height } } = document.querySelector(".poise-view");
            const { position } = compass.group;
            const before = position.clone();
            compass.layOn(window.surface, compass.limit);
            compass.follow(x, 0, floor);
            const points = [];
            for (const mesh of [compass.ring, compass.wedge, compass.shaft, compass.head]) {
                const { array } = mesh.geometry.attributes.position;
                for (let i = 0; i < array.length; i += 6) {
                    const at = [0, 1, 2].map((k) => (array[i + k] + array[i + 3 + k]) / 2 + position.getComponent(k));
                    points.push(at);
                }
            }
            position.copy(before);
            compass.layOn(ground.surface, compass.limit);
            return points;
        }""",
        [x_m, floor_m],
    )
    return points
