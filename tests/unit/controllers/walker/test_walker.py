"""The walker: its spec and what is wrong with one, the body's measures, styles, small geometry, mirror, snapshots."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.characters.catalog import load_character
from poise.characters.model import SIDES
from poise.characters.random_bodies import random_body
from poise.characters.toeless import without_toes
from poise.checking import check_controller
from poise.checking.mirror import mirror_axes, mirror_state
from poise.checking.subject import find_difference
from poise.controllers.catalog import load_controller, read_controller_file, revise_table
from poise.controllers.walker import frames, layout, spec
from poise.controllers.walker.body import sole_of
from poise.controllers.walker.fields import load_fields
from poise.controllers.walker.memory import mirror_memory
from poise.controllers.walker.styles import OWN, PLAIN, find_partner, read_curve, shipped_styles, write_curve
from poise.controllers.walker.table import read_spec
from poise.errors import FileFormatError, InputError, PoiseError
from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.world import World

WALK = "walker/walk"
BODIES = ("humanoid", "beast1", "beast2", "robot")
ANGLE = st.floats(-1.4, 1.4)


def walk_table() -> dict[str, Any]:
    return copy.deepcopy(dict(read_controller_file(WALK).table))


def open_walk(speed_mps: float = 0.6, **values: float) -> World:
    physics = PhysicsSettings(timestep_s=0.001)
    return Scene(WALK, values={"speed_mps": speed_mps, **values}, physics=physics).open()


def record_of(controller: Controller) -> Any:
    return controller.params.view(layout.PARAMS)[0]


def plain(function: Any) -> Any:
    """The Python function of a compiled one that has no way in from Python."""
    return getattr(function, "py_func", function)


def test_every_parameter_stands_where_its_name_says() -> None:
    controller = load_controller(WALK, load_character("humanoid"))
    for parameter in controller.parameters:
        value = parameter.high if parameter.choices else 0.5 * (parameter.low + parameter.high) + 0.01
        changed = controller.with_values({parameter.name: value})
        assert np.flatnonzero(changed.params != controller.params).tolist() in ([parameter.index], [])
        assert changed.value(parameter.name) == pytest.approx(value)
    places = [p.index for p in controller.parameters]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"vales": {}}, "no key named 'vales'"),
        ({"values": {"sped_mps": 1.0}}, "no value named 'sped_mps'"),
        ({"values": {"speed_mps": "fast"}}, "values.speed_mps: must be a number, got 'fast'"),
        ({"values": {"speed_mps": True}}, "values.speed_mps: must be a number, got True"),
        ({"values": {"reach": 7.0}}, "reach"),
        ({"values": {"style": "moonwalk"}}, "no style named 'moonwalk'"),
        ({"values": 3}, "values: must be a table, got 3"),
        ({"gains": {"tail": [1.0, 1.0]}}, "no joint named 'tail'"),
        ({"gains": {"knee": 5.0}}, "gains.knee: must be a list of 2 numbers, got 5.0"),
        ({"gains": {"knee": [5.0, -1.0]}}, "knee"),
        ({"styles": {"mine": {"speed": 1.0}}}, "no key named 'speed'"),
        ({"styles": {"mine": {"curves": {"tail_rad": 1.0}}}}, "no channel named 'tail_rad'"),
        ({"styles": {"mine": {"curves": {"back_pitch_rad": [1.0, 2.0]}}}}, "a list of 5 numbers"),
        ({"styles": {"mine": {"curves": {"back_pitch_rad": 9.0}}}}, "back_pitch_rad"),
        ({"styles": {"mine": {"tempo": "slow"}}}, "styles.mine.tempo: must be a number"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said(table: dict[str, Any], said: str) -> None:
    with pytest.raises(PoiseError) as caught:
        read_spec(table, "mine")
    assert said in str(caught.value) and str(caught.value).startswith("mine")


def test_a_misspelt_name_is_guessed() -> None:
    with pytest.raises(InputError, match=r"Did you mean 'speed_mps'\?"):
        read_spec({"values": {"speed_mp": 1.0}}, "mine")


def test_a_file_with_the_earlier_names_gives_the_same_spec() -> None:
    names, fields = load_fields().earlier_names, load_fields().all
    assert not set(names) & set(fields) and set(names.values()) <= set(fields)
    earlier = {name: fields[new].low for name, new in names.items()}
    current = {names[name]: value for name, value in earlier.items()}
    assert read_spec({"values": earlier}, "mine") == read_spec({"values": current}, "mine")
    revised = revise_table(spec.METHOD, {"values": {"knock": 2.0}}, {"impact_gain": 3.0}, load_character("humanoid"))
    assert revised == {"values": {"impact_gain": 3.0}}


def test_details_are_set_in_a_file_only() -> None:
    assert set(load_fields().details) <= set(load_fields().all)
    character = load_character("humanoid")
    late = spec.build(character, "mine", table={"values": {"late_step_ratio": 2.0}})
    assert record_of(late).late_step_ratio == 2.0
    assert record_of(spec.build(character, "mine", table={})).late_step_ratio == 1.3
    with pytest.raises(InputError, match="controller mine: no parameter named 'late_step_ratio'"):
        late.with_values({"late_step_ratio": 2.0})


def test_every_default_is_in_its_range() -> None:
    for field in load_fields().all.values():
        assert field.low <= field.default <= field.high and field.scale in ("", "mass", "length", "hips")
    assert load_fields().commands["style"].high == layout.MAX_STYLES - 1


def test_a_value_under_both_its_names_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        read_spec({"values": {"impact_gain": 1.0, "knock": 2.0}}, "mine")
    assert str(caught.value) == "mine: values.knock: is the earlier name of impact_gain, which is given too."


def test_a_body_in_the_plane_is_refused() -> None:
    with pytest.raises(
        InputError, match="character biped7: the walker moves in three dimensions, this body in a plane"
    ):
        load_controller(WALK, load_character("biped7"))


def test_a_bad_file_says_where(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('method = "walker"\ncharacter = "humanoid"\ndescription = "x"\n[values]\nreech = 0.5\n')
    with pytest.raises(FileFormatError, match=r"mine\.toml:5:1: values\.reech: .*Did you mean 'reach'\?"):
        load_controller(str(path), load_character("humanoid"))


def test_gains_and_forces_follow_the_mass_and_lengths_the_leg() -> None:
    table = walk_table()
    heavy, usual = (record_of(load_controller(WALK, load_character(b))) for b in ("beast1", "humanoid"))
    ratio = load_character("beast1").mass_kg / load_character("humanoid").mass_kg
    assert np.allclose(heavy.gain, ratio * usual.gain)
    assert heavy.stand_kp == pytest.approx(ratio * usual.stand_kp)
    legs = [min(r.thigh[k] + r.shank[k] for k in range(2)) for r in (heavy, usual)]
    assert heavy.step_height == pytest.approx(usual.step_height * legs[0] / legs[1])
    assert usual.placement_speed_gain == table["values"].get("placement_speed_gain", usual.placement_speed_gain)


def test_what_was_searched_is_written_back() -> None:
    character = load_character("beast2")
    values = {"placement_speed_gain": 1.41, "step_height_m": 0.2, "stand_kp_npm": 3000.0}
    table = revise_table(spec.METHOD, walk_table(), values, character)
    again = spec.build(character, WALK, table=table)
    assert again.values() == pytest.approx(load_controller(WALK, character).with_values(values).values())


@pytest.mark.parametrize("name", BODIES)
def test_a_sole_lies_around_its_ankle(name: str) -> None:
    body = load_character(name)
    for side in SIDES:
        heel, toe, inner, outer, depth = sole_of(body, side)
        assert heel < 0.0 < toe and inner < 0.0 < outer and depth > 0.0
        assert toe - heel > outer - inner


def test_soles_are_the_same_on_both_sides_and_with_fixed_toes() -> None:
    body = load_character("humanoid")
    assert sole_of(body, "left") == pytest.approx(sole_of(body, "right"))
    assert sole_of(without_toes(body), "left") == pytest.approx(sole_of(body, "left"))


def test_a_random_body_is_measured() -> None:
    body = random_body(load_character("humanoid"), 5)
    record = record_of(load_controller(WALK, body))
    at = body.reference_positions_m()
    for k, side in enumerate(SIDES):
        hip, knee = (np.array(at[body.roles[f"{side}_{part}"]]) for part in ("thigh", "shank"))
        assert record.thigh[k] == pytest.approx(np.linalg.norm(hip - knee))
    assert record.thigh[0] != pytest.approx(record.thigh[1])


def test_the_bank_holds_every_style_and_a_slot_to_edit() -> None:
    controller = load_controller(WALK, load_character("humanoid"))
    names = controller.parameter("style").choices
    assert names[0] == PLAIN and OWN in names and set(shipped_styles()) <= set(names)
    record = record_of(controller)
    for k, name in enumerate(names):
        style = shipped_styles().get(name, shipped_styles()[PLAIN])
        assert np.array_equal(record.styles[k], style.curves) and record.tempo[k] == style.tempo
    assert controller.with_values({"style": "zombie"}).value("style") == names.index("zombie")


def test_a_file_may_bring_styles_of_its_own() -> None:
    table = {"values": {"style": "mine"}, "styles": {"mine": {"tempo": 1.2, "curves": {"back_pitch_rad": 0.3}}}}
    controller = spec.build(load_character("humanoid"), "mine", table=table)
    at = int(controller.value("style"))
    assert controller.parameter("style").choices[at] == "mine"
    assert read_curve(controller.params, at, "back_pitch") == (0.3,) * layout.KEYS
    assert record_of(controller).tempo[at] == 1.2
    assert controller.memory.view(layout.MEMORY)[0].style == at


def test_partners_are_mutual_and_joined_curves_go_on() -> None:
    for channel in layout.CHANNELS:
        partner = find_partner(channel)
        assert partner is None or find_partner(partner[0]) == (channel, partner[1])
    params = load_controller(WALK, load_character("humanoid")).params.copy()
    write_curve(params, 0, "stance_elbow", [0.1, 0.2, 0.3, 0.4, 0.5], joined=True)
    swing = read_curve(params, 0, "swing_elbow")
    assert (swing[0], swing[-1]) == (0.5, 0.1)


@given(ANGLE, ANGLE, ANGLE, st.floats(-3.0, 3.0), st.floats(-1.0, 1.0))
def test_hinges_give_back_the_rotation(pitch: float, roll: float, yaw: float, turn: float, tilt: float) -> None:
    parent = Rotation.from_euler("ZX", [turn, tilt])
    child = parent * Rotation.from_euler("YXZ", [pitch, roll, yaw])
    out = np.zeros(3)
    plain(frames.write_hinges)(parent.as_matrix().ravel(), child.as_matrix().ravel(), out)
    assert out == pytest.approx([pitch, roll, yaw], abs=1e-9)


@given(ANGLE, ANGLE, st.floats(-3.0, 3.0))
def test_a_posture_is_yaw_then_pitch_then_roll(pitch: float, roll: float, yaw: float) -> None:
    out = np.zeros(9)
    plain(frames.write_rotation)(pitch, roll, yaw, out)
    assert out.reshape(3, 3) == pytest.approx(Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix(), abs=1e-12)


@given(st.lists(st.floats(-1.5, 1.5), min_size=3, max_size=3), st.floats(-3.0, 3.0))
def test_the_rotation_error_turns_one_into_the_other(vector: list[float], yaw: float) -> None:
    now = Rotation.from_euler("Z", yaw)
    target = Rotation.from_rotvec(vector) * now
    out = np.zeros(3)
    plain(frames.write_rotation_error)(now.as_matrix().ravel(), target.as_matrix().ravel(), out)
    assert out == pytest.approx(vector, abs=1e-6)


def test_mirroring_a_memory_twice_changes_nothing() -> None:
    world = open_walk()
    world.step(2500)
    memory = world.memories[0].copy()
    mirrored = mirror_memory(memory)
    assert not np.array_equal(mirrored, memory)
    assert np.array_equal(mirror_memory(mirrored), memory)


def test_the_mirror_image_of_a_walk_is_the_walk_of_the_mirror_image() -> None:
    world, image = open_walk(), open_walk()
    for one in (world, image):
        one.step(2000)
    mirror_state(world, image)
    steps = int(world.memories[0].view(layout.MEMORY)[0].steps)
    for one in (world, image):
        one.step(700)
    assert int(world.memories[0].view(layout.MEMORY)[0].steps) > steps, "a strike lies in between"
    partner, sign = mirror_axes(world.characters[0])
    here, there = sign * world.percepts[0].joint_q[partner], image.percepts[0].joint_q
    assert there == pytest.approx(here, abs=1e-4)
    assert image.data.qpos[:3] == pytest.approx(world.data.qpos[:3] * np.array([1.0, -1.0, 1.0]), abs=1e-4)


def test_a_snapshot_in_the_middle_of_everything_goes_on_to_the_same_bits() -> None:
    world = open_walk(idle=1.0)
    world.step(1500)
    world.set_parameter("heading_deg", 60.0)
    world.set_parameter("style", "zombie")
    world.step(200)
    kept = world.snapshot()
    world.step(1000)
    first = world.snapshot()
    world.restore(kept)
    world.step(1000)
    assert find_difference(first, world.snapshot()) == ""


@pytest.mark.parametrize("name", ["walker/walk", "walker/text"])
def test_it_keeps_the_contract(name: str) -> None:
    wrong = [f"{r.name}: {r.detail}" for r in check_controller(name) if not r.passed]
    assert wrong == []


@pytest.mark.parametrize("name", BODIES)
def test_every_body_gets_a_controller_that_answers_finitely(name: str) -> None:
    world = Scene(WALK, name, values={"speed_mps": 0.5}, physics=PhysicsSettings(timestep_s=0.001)).open()
    world.step(300)
    assert np.isfinite(world.data.qpos).all() and np.isfinite(world.memories[0]).all()
