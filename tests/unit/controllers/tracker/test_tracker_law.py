"""What the tracker's law does: it asks for what the reference does, joins fragments, and waits for landings."""

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.checking.subject import ask
from poise.controllers.catalog import load_controller
from poise.controllers.tracker import layout
from poise.controllers.tracker.cycle import make_endless, make_track
from poise.controllers.tracker.reference import RATE_HZ, Reference
from poise.controllers.tracker.spec import Gains, build_from_track, check_body, read_gains
from poise.errors import InputError
from poise.motion.rotations import quat_conjugate, quat_multiply, quat_rotate, quat_to_rotation_vector
from poise.world.compile import PhysicsSettings
from poise.world.world import World
from unit.controllers.tracker.motions import LEE, make_stand, make_walk

FRAME_TICKS = 30
FEEDBACK = (
    "stance_hip", "swing_speed_sagittal", "swing_speed_coronal", "swing_place_behind", "swing_place_ahead",
    "swing_place_coronal", "ankle_speed", "ankle_place", "foot_height", "foot_rise", "synchronise",
)  # fmt: skip


def _open(reference: Reference, gains: Gains | None = None, *, endless: bool = False, gravity: float = 9.8) -> World:
    track = make_endless(reference, lead_in=False) if endless else make_track(reference)
    controller = build_from_track(track, "test", gains or Gains())
    return World([LEE], [controller], settings=PhysicsSettings(1.0 / 900.0, gravity))


def _turns(world: World, block: int) -> np.ndarray:
    """Turns of all segments in a block of the law's memory."""
    return world.memories[0][block : block + 4 * 13].reshape(13, 4)


def _angles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.linalg.norm(quat_to_rotation_vector(quat_multiply(quat_conjugate(a), b)), axis=-1)


def test_a_body_that_stands_as_recorded_goes_on_standing() -> None:
    world = _open(make_stand())
    world.advance(900 * 2, stop_on=["down"])
    assert world.fell_at_s() is None
    assert np.abs(world.percepts[0].root_q[:2]).max() < 0.05
    assert _angles(_turns(world, layout.LAST)[1:], make_stand().turns[0, 1:]).max() < 0.1


def test_the_start_is_the_first_frame_with_its_speeds() -> None:
    reference = make_walk()
    world = _open(reference)
    ask(world)
    assert _angles(_turns(world, layout.ACTUAL)[1:], reference.turns[0, 1:]).max() < 1e-6
    way = reference.root_pos_m[1] - reference.root_pos_m[0]
    assert world.percepts[0].root_v[:2] == pytest.approx(way[:2] * RATE_HZ, abs=1e-6)


def _relative_velocities(world: World) -> np.ndarray:
    """Angular velocities of the segments against their parents, each in its own frame."""
    mujoco.mj_kinematics(world.model, world.data)
    mujoco.mj_comPos(world.model, world.data)
    mujoco.mj_comVel(world.model, world.data)
    p = world.percepts[0]
    return quat_rotate(quat_conjugate(p.quat_w[1:]), p.spatial_vel[1:, :3] - p.spatial_vel[p.parent[1:], :3])


def test_joints_get_the_angular_accelerations_that_the_law_asks_for() -> None:
    world = _open(make_walk())
    world.advance(FRAME_TICKS * 6)
    before = _relative_velocities(world)
    world.step(1)
    asked = world.memories[0][layout.ASKED + 3 : layout.ASKED + 39].reshape(12, 3)
    found = (_relative_velocities(world) - before) / world.settings.timestep_s
    assert np.abs(asked).max() > 20.0, "next to nothing is asked, so nothing is tested"
    assert np.abs(found - asked).max() < 0.02 * np.abs(asked).max()


def test_in_the_air_joints_follow_the_recording() -> None:
    reference = make_walk()
    world = _open(reference, Gains(track_kp=100.0, **dict.fromkeys(FEEDBACK, 0.0)), gravity=0.0)
    world.percepts[0].root_q[2] += 5.0
    errors = []
    for frame in range(1, 60):
        world.advance(FRAME_TICKS)
        ask(world)
        errors.append(_angles(_turns(world, layout.ACTUAL)[1:], reference.turns[frame, 1:]))
    assert np.mean(errors) < 0.05
    assert np.max(errors) < 0.25


def test_targets_go_on_smoothly_where_a_fragment_ends_early() -> None:
    world = _open(make_walk(), endless=True)
    joined, before = [], None
    for _ in range(180):
        done = world.memories[0][layout.DONE]
        world.advance(FRAME_TICKS)
        now = _turns(world, layout.LAST).copy()
        if before is not None and world.memories[0][layout.DONE] > done:
            joined.append(_angles(before, now).max())
        before = now
    assert len(joined) >= 3, "hardly a fragment ended, so nothing is tested"
    # No target moves further in a frame than legs do in the swing.
    assert max(joined) < 0.35


def test_a_fragment_waits_for_its_landing_with_the_stance_leg_held() -> None:
    world = _open(make_walk(), endless=True, gravity=0.0)
    world.percepts[0].root_q[2] += 5.0
    length = world.params[0][int(world.params[0][layout.FRAGMENT_TABLE]) + layout.LENGTH]
    world.advance(FRAME_TICKS * (int(length) + 8))
    memory = world.memories[0]
    assert memory[layout.DONE] == 0
    assert memory[layout.FRAME] > length + 5
    foot = int(world.params[0][layout.LEGS + 2])
    held = _turns(world, layout.WORLD)[foot].copy()
    world.advance(FRAME_TICKS)
    assert world.memories[0][layout.FRAME] > length + 6
    assert _angles(held, _turns(world, layout.WORLD)[foot]) < 0.05


def test_raising_the_swing_foot_bends_its_knee() -> None:
    bends = []
    for lift in (0.0, 0.06):
        world = _open(make_walk(), Gains(lift_m=lift), endless=True)
        world.advance(FRAME_TICKS * 8 + 1)
        stance = int(world.params[0][int(world.params[0][layout.FRAGMENT_TABLE]) + layout.STANCE])
        shank = int(world.params[0][layout.LEGS + 3 * (1 - stance) + 1])
        bends.append(_angles(_turns(world, layout.LAST)[shank], np.array([1.0, 0.0, 0.0, 0.0])))
    assert bends[1] > bends[0] + 0.05


def test_a_stance_foot_stays_level_under_a_leg_that_is_off() -> None:
    """The foot of the walk is level all the time; without the gain the target's tilts with the stance leg."""
    tilts = []
    for level in (0.0, 1.0):
        gains = Gains(stance_level=level, stance_rise=0.2, ankle_speed=0.0, ankle_place=0.0)
        world = _open(make_walk(), gains, endless=True)
        world.data.qvel[4] += 1.5
        world.advance(FRAME_TICKS * 8 + 1)
        stance = int(world.params[0][int(world.params[0][layout.FRAGMENT_TABLE]) + layout.STANCE])
        foot = int(world.params[0][layout.LEGS + 3 * stance + 2])
        tilts.append(float(np.arccos(quat_rotate(_turns(world, layout.WORLD)[foot], np.array([0.0, 0.0, 1.0]))[2])))
    assert tilts[0] > 0.05 and tilts[1] < 0.2 * tilts[0], tilts


@pytest.mark.parametrize("forgetting", [0.0, 0.5])
def test_what_is_learned_about_speed_settles_where_steps_forget(forgetting: float) -> None:
    gains = Gains(speed_learning=0.01, speed_forgetting=forgetting, **dict.fromkeys(FEEDBACK, 0.0))
    world = _open(make_walk(), gains, endless=True, gravity=0.0)
    memory, learned = world.memories[0], []
    for _ in range(70):
        done, before, total = memory[layout.DONE], memory[layout.LEARNED], memory[layout.SPEED_SUM]
        count = memory[layout.SPEED_COUNT]
        world.advance(FRAME_TICKS)
        if memory[layout.DONE] > done:
            learned.append((memory[layout.LEARNED], (1.0 - forgetting) * before + 0.01 * total / count))
    assert len(learned) >= 3
    assert np.array(learned)[:, 0] == pytest.approx(np.array(learned)[:, 1])


def test_a_planar_body_is_refused() -> None:
    with pytest.raises(InputError) as error:
        check_body(load_character("biped7"))
    assert str(error.value) == "character biped7: the tracker drives bodies in space with at most 24 segments."


def test_hinges_get_the_part_of_the_angular_acceleration_that_they_can_give() -> None:
    """The remainder of the least squares problem is perpendicular to the axes of the joint."""
    body = load_character("humanoid")
    world = World([body], [load_controller("tracker/normal", body)])
    world.step(60)
    percept, answer = world.percepts[0], ask(world)
    torque, memory = answer.torque, answer.memory
    for segment in range(1, len(body.segments)):
        first, count = percept.segment_axes[segment]
        if count not in (1, 2):
            continue
        rotation = percept.rot_w[segment].reshape(3, 3)
        axes = percept.axis_motion[first : first + count, :3] @ rotation
        v, a = percept.joint_v[first : first + count], torque[first : first + count]
        drift = -np.cross(axes[1] * v[1], axes[0]) * v[0] if count == 2 else 0.0
        asked = memory[layout.ASKED + 3 * segment : layout.ASKED + 3 * segment + 3]
        assert axes @ (asked - drift - a @ axes) == pytest.approx(0.0, abs=1e-6 * (1.0 + np.abs(asked).max()))


def test_unknown_gains_are_named() -> None:
    with pytest.raises(InputError) as error:
        read_gains({"stance_hop": 1.0}, "walk.toml")
    assert "walk.toml: gains.stance_hop: no gain named 'stance_hop'." in str(error.value)
    assert str(error.value).endswith("Did you mean 'stance_hip'?")


def test_damping_is_critical_unless_it_is_given() -> None:
    assert Gains(track_kp=20.0).track_kv == pytest.approx(8.944, abs=1e-3)
    assert Gains(track_kp=20.0, track_kv=3.0).track_kv == 3.0
