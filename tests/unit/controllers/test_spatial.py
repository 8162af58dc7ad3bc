"""SIMBICON in space: gaits as data, the root's torque to round-off, the change of legs, mirror images, blends."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.checking.mirror import mirror_axes, mirror_state
from poise.checking.subject import ask
from poise.controllers.catalog import LIBRARY, load_controller, read_controller_file, revise_table
from poise.controllers.simbicon import blend, spatial
from poise.controllers.simbicon import spatial_law as law
from poise.controllers.simbicon.spatial_gait import METHOD, mirror_gait, split_gait
from poise.controllers.simbicon.spatial_table import read_gait, write_gait
from poise.errors import FileFormatError, InputError, PoiseError
from poise.reproduce.coros.simbicon_spatial import compute_root_torque_error_nm
from poise.rollout.scene import Scene
from poise.world.world import World
from refusals import ANYTHING, find_line, refusal, replace_inside, write_in

WALK, BODY = "simbicon/bird-walk", "bird"


def walk_table() -> dict[str, Any]:
    return copy.deepcopy(dict(read_controller_file(WALK).table))


def open_walk(**values: float) -> World:
    return Scene(WALK, values=values).open()


def test_reading_and_writing_give_the_same_gait() -> None:
    gait = read_gait(walk_table(), WALK)
    assert read_gait(write_gait(gait), WALK) == gait
    two = replace(split_gait(gait), heading_joints=("ankle",), gains={"hip_pitch": (200.0, 20.0)})
    assert read_gait(write_gait(two), WALK) == two


def test_every_parameter_stands_where_its_name_says() -> None:
    controller = load_controller(WALK, load_character(BODY))
    assert controller.value("step_duration_s") == walk_table()["states"][0]["duration_s"]
    assert controller.value("step_swing_knee_pitch_2") == walk_table()["states"][0]["swing_knee_pitch_rad"][1]
    for parameter in controller.parameters:
        changed = controller.with_values({parameter.name: 0.5 * (parameter.low + parameter.high) + 0.01})
        assert np.flatnonzero(changed.params != controller.params).tolist() == [parameter.index]


def test_what_was_searched_is_written_back() -> None:
    character = load_character(BODY)
    values = {"step_duration_s": 0.41, "step_swing_hip_roll_rad": 0.07, "root_yaw_kp_nm_per_rad": 700.0}
    table = revise_table(METHOD, walk_table(), values, character)
    again = spatial.build(read_gait(table, WALK), character, WALK)
    expected = load_controller(WALK, character).with_values(values)
    assert again.values() == pytest.approx(expected.values())
    with pytest.raises(InputError, match="no parameter named 'step_tail'"):
        revise_table(METHOD, walk_table(), {"step_tail": 0.1}, character)


def test_all_gaits_of_a_body_have_one_layout() -> None:
    character = load_character(BODY)
    gait = read_gait(walk_table(), WALK)
    one, two = (spatial.build(g, character, WALK) for g in (gait, split_gait(gait)))
    assert one.params.shape == two.params.shape


def test_a_split_gait_moves_as_the_whole_one_did() -> None:
    gait = split_gait(read_gait(walk_table(), WALK))
    two = Scene(spatial.build(gait, load_character(BODY), "two"), BODY).open()
    one = open_walk()
    for world in (one, two):
        world.step(2400)
    assert law.read_memory(one.memories[0]).steps >= 2
    assert np.array_equal(one.data.qpos, two.data.qpos)


def test_the_net_torque_on_the_pelvis_is_the_roots_own() -> None:
    world = open_walk()
    errors = []
    for _ in range(60):
        world.step(40)
        errors.append(compute_root_torque_error_nm(world))
    carried = [e for e in errors if e is not None]
    assert len(carried) > 50
    assert max(carried) < 1e-9


def test_a_step_ends_with_a_strike_or_when_its_time_is_up() -> None:
    world = open_walk()
    percept, memory = world.percepts[0], law.read_memory(world.memories[0])
    changes = 0
    for _ in range(6000):
        steps, phase, stance = (
            memory.steps,
            memory.phase,
            int(memory.stance),
        )
        load = percept.touch_load[percept.feet[1 - stance, 0]]
        world.step(1)
        if memory.steps != steps:
            changes += 1
            assert phase >= 1.0 or (phase > 0.5 and load > 20.0)
            assert int(memory.stance) == 1 - stance
    assert changes >= 5


@pytest.mark.parametrize("until", ["time", "contact"])
def test_a_step_waits_for_what_it_was_told_to(until: str) -> None:
    table = walk_table()
    table["until"] = until
    world = Scene(spatial.build(read_gait(table, WALK), load_character(BODY), WALK), BODY).open()
    world.step(1)
    percept, memory = world.percepts[0], world.memories[0]
    torque, damping = np.zeros(len(percept.joint_q)), np.zeros(len(percept.joint_q))
    feet = percept.feet[:, 0]

    def tick(phase: float, load_n: float) -> bool:
        now = memory.copy()
        law.read_memory(now).phase = phase
        percept.touch_load[feet[1]] = load_n
        law.spatial_law(percept, world.params[0], now, torque, damping)
        return bool(law.read_memory(now).steps > law.read_memory(memory).steps)

    assert tick(1.01, 0.0) is (until == "time")
    assert tick(0.9, 100.0) is (until == "contact")
    assert not tick(0.4, 100.0), "the swing foot has not left yet"


def test_the_mirror_image_answers_with_the_mirror_image() -> None:
    world, image = open_walk(), open_walk()
    world.step(900)
    mirror_state(world, image)
    here, there = ask(world), ask(image)
    partner, sign = mirror_axes(world.characters[0])
    assert there.torque == pytest.approx(sign * here.torque[partner], abs=1e-8)


def test_a_mirrored_gait_is_the_mirror_image_of_the_gait() -> None:
    character = load_character(BODY)
    gait = split_gait(read_gait(walk_table(), WALK))
    left = replace(gait.states[0], turn_rad=0.2, targets_rad={**gait.states[0].targets_rad, "neck_yaw": (0.3,)})
    gait = replace(gait, states=(left, gait.states[1]))
    assert mirror_gait(mirror_gait(gait)) == gait
    worlds = [Scene(spatial.build(g, character, "turn"), BODY).open() for g in (gait, mirror_gait(gait))]
    for world in worlds:
        world.step(1600)
    partner, sign = mirror_axes(character)
    assert law.read_memory(worlds[0].memories[0]).steps >= 1
    assert worlds[1].percepts[0].joint_q == pytest.approx(sign * worlds[0].percepts[0].joint_q[partner], abs=1e-6)
    assert law.read_memory(worlds[1].memories[0]).heading == pytest.approx(
        -law.read_memory(worlds[0].memories[0]).heading, abs=1e-6
    )


def test_a_turn_goes_to_the_left() -> None:
    world = open_walk(step_turn_rad=0.2)
    world.step(8000)
    assert world.fell_at_s() is None
    assert 0.5 < world.percepts[0].heading_rad[0] < 3.0


def test_a_blend_at_its_ends_is_the_gait_itself() -> None:
    character = load_character(BODY)
    one = load_controller(WALK, character)
    other = one.with_values({"step_duration_s": 0.5, "step_swing_hip_roll_rad": 0.1})
    for part, gait in ((1.0, one), (0.0, other)):
        mixed = blend.blend(one, other, part, "mix")
        worlds = [Scene(replace(c, start=one.start), BODY).open() for c in (mixed, gait)]
        for world in worlds:
            world.step(1500)
        assert worlds[0].data.qpos == pytest.approx(worlds[1].data.qpos, abs=1e-9)


def test_a_blend_adds_the_torques_by_their_weights() -> None:
    character = load_character(BODY)
    one = load_controller(WALK, character)
    other = one.with_values({"step_swing_hip_pitch_1_rad": 1.0, "step_root_pitch_rad": 0.2})
    world = open_walk()
    world.step(700)
    answers = []
    for controller in (one, other, blend.blend(one, other, 0.3, "mix")):
        percept = world.percepts[0]
        torque, damping = np.zeros(len(percept.joint_q)), np.zeros(len(percept.joint_q))
        controller.law(percept, controller.params, world.memories[0].copy(), torque, damping)
        answers.append((torque, damping))
    for k in range(2):
        assert answers[2][k] == pytest.approx(0.3 * answers[0][k] + 0.7 * answers[1][k], abs=1e-9)


def test_a_blend_runs_at_the_blended_pace() -> None:
    character = load_character(BODY)
    one = load_controller(WALK, character)
    slow = one.with_values({"step_duration_s": 3.0 * one.value("step_duration_s")})
    world = Scene(blend.blend(one, slow, 0.5, "mix"), BODY).open()
    world.step(100)
    elapsed = 100 * world.settings.timestep_s
    assert law.read_memory(world.memories[0]).phase == pytest.approx(elapsed / (2.0 * one.value("step_duration_s")))


def test_gaits_that_cannot_be_blended_are_refused(tmp_path: Path) -> None:
    bird = load_controller(WALK, load_character(BODY))
    raptor = load_controller("simbicon/raptor-walk", load_character("raptor"))
    with pytest.raises(InputError, match="are gaits of different characters"):
        blend.blend(bird, raptor, 0.5, "mix")
    with pytest.raises(InputError, match="is not a gait of the method simbicon"):
        blend.blend(bird, load_controller("pose/hold", load_character(BODY)), 0.5, "mix")
    path = tmp_path / "mix.toml"
    head = 'method = "simbicon-blend"\ncharacter = "bird"\ndescription = "x"\n'
    for text, what in (
        ('gaits = ["simbicon/bird-walk"]', ":4:1: gaits: must be the names or files of two gaits, got"),
        (
            'gaits = ["simbicon/bird-walk", "pose/hold"]',
            ":4:32: gaits[1]: pose/hold is not a gait of the method",
        ),
        (f'gaits = ["simbicon/bird-walk", "{path}"]', f":4:32: gaits[1]: {path} is not a gait of the method simbicon"),
        (
            'gaits = ["simbicon/bird-walk", "simbicon/bird-walk"]\nblend = 2',
            ":5:1: blend: out of range, got 2. Allowed: 0 to 1.",
        ),
        ('gaits = ["simbicon/bird-walk", "simbicon/bird-walk"]\nbland = 1', "Did you mean 'blend'?"),
    ):
        path.write_text(head + text)
        with pytest.raises(FileFormatError) as caught:
            load_controller(str(path), load_character(BODY))
        assert str(caught.value).startswith(str(path)) and what in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("mass_kg",), -1.0, "gait: mass_kg: out of range, got -1.0. Allowed: 0.1 to 10000."),
        (("until",), "contct", "Did you mean 'contact'?"),
        (("hold",), "lodaed", "Did you mean 'loaded'?"),
        (("root_kp_nm_per_rad",), [1.0, 2.0], "gait: root_kp_nm_per_rad: must be a list of 3 numbers, got [1.0, 2.0]."),
        (
            ("root_kd_nms_per_rad",),
            [1.0, -2.0, 3.0],
            "gait: root_kd_nms_per_rad: out of range, got -2.0. Allowed: 0 to 100000.",
        ),
        (("heading_joints",), "ankle", "gait: heading_joints: must be a list of strings, got 'ankle'."),
        (("gains",), {"hip_pitch": 3.0}, "gait: gains.hip_pitch: must be a list of 2 numbers, got 3.0."),
        (("states", 0, "stance"), "lft", "Did you mean 'left'?"),
        (("states", 0, "stance"), "left", "states must be one with stance 'both', or one with 'left'"),
        (("states", 0, "duration_s"), 0.0, "gait: states[0].duration_s: out of range, got 0.0. Allowed: 0.05 to 3."),
        (("states", 0, "turn_rad"), 9.0, "gait: states[0].turn_rad: out of range, got 9.0. Allowed: -1.6 to 1.6."),
        (
            ("states", 0, "swing_hip_pitch_rad"),
            [0.0] * 7,
            "states[0].swing_hip_pitch_rad: wrong number of values, got 7. Allowed: 1 to 6.",
        ),
        (
            ("states", 0, "swing_hip_pitch_rad"),
            40.0,
            "states[0].swing_hip_pitch_rad: out of range, got 40.0. Allowed: -3.2 to 3.2.",
        ),
        (("states", 0, "swing_hipp_pitch_rad"), 0.1, "Did you mean 'swing_hip_pitch_rad'?"),
        (("states", 0, "speed"), 0.1, "no key named 'speed'"),
        (
            ("states", 0, "swing_hip_pitch_cd_radpm"),
            99.0,
            "states[0].swing_hip_pitch_cd_radpm: out of range, got 99.0. Allowed: -10 to 10.",
        ),
        (("states",), {}, "gait: states: must be a list of tables, got {}."),
        (("start",), 3, "gait: start: must be a table, got 3."),
        (("start",), {"velocity_mps": [1.0]}, "gait: start.velocity_mps: must be a list of 3 numbers, got [1.0]."),
        (("start",), {"stance": "rigth"}, "Did you mean 'right'?"),
    ],
)
def test_nonsense_is_refused_with_its_place(path: tuple[Any, ...], value: Any, message: str) -> None:
    table: Any = walk_table()
    replace_inside(table, path, value)
    with pytest.raises(InputError) as caught:
        spatial.build(read_gait(table, "gait"), load_character(BODY), "gait")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ("swing_hip_roll_rad", "swng_hip_roll_rad", "swng_hip_roll_rad", "no key named 'swng_hip_roll_rad'"),
        ('stance = "both"', 'stance = "bth"', 'stance = "bth"', "Did you mean 'both'?"),
        ('until = "either"', 'until = "eiter"', 'until = "eiter"', "Did you mean 'either'?"),
    ],
)
def test_an_error_in_a_file_names_its_line(tmp_path: Path, old: str, new: str, place: str, what: str) -> None:
    text = (LIBRARY / f"{WALK}.toml").read_text().replace(old, new, 1)
    path = write_in(tmp_path, "gait.toml", text)
    message = refusal(lambda name: load_controller(name, load_character(BODY)), str(path))
    assert message.startswith(f"{path}:{find_line(text, place)}:1: ")
    assert what in message


def test_a_body_without_the_joints_is_not_the_files_fault() -> None:
    with pytest.raises(InputError) as caught:
        load_controller(WALK, load_character("biped7"))
    assert str(caught.value) == "character biped7: it is planar, but simbicon needs a free root."


@given(st.sampled_from([*walk_table(), "start", "gains"]), st.sampled_from(["", *walk_table()["states"][0]]), ANYTHING)
def test_fuzzed_tables_give_a_gait_or_a_poise_error(key: str, inner: str, value: Any) -> None:
    table = walk_table()
    replace_inside(table, ("states", 0, inner) if inner else (key,), value)
    try:
        controller = spatial.build(read_gait(table, "gait"), load_character(BODY), "gait")
    except PoiseError:
        return
    assert np.isfinite(controller.params).all()
