"""Joint stops: hard on the ground that scripts are made for, at every time step, and without rattling."""

from functools import cache

import mujoco
import numpy as np
import pytest

from poise.controllers.catalog import load_controller
from poise.errors import InputError
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.world import World

PLANAR17 = load_any_character("planar17")
STEPS_S = [0.0005, 0.0001]
#: As scripts of the source do: targets far beyond the stops of trunk, neck, arms and one wrist, in a shallow squat.
PRESS = """
SCRIPTS _stand.ctl;
BEGINSCRIPT press(void)
PHASE 0
    > _stand.ctl(.2, .3);
    TRANSITION to(1).after(complete);
ENDPHASE
PHASE 1
    ACTIONS
        POSE waist(-2, 600, 60), lTorso2uTorso(-2, 600, 10), neck2head(1.5, 600, 60);
        POSE lShoulder(1.9, 100, 30), rShoulder(1.9, 100, 30), lElbow(.4), rElbow(.4), lWrist(2.5, 60, 6);
        LIPOSE lKnee(.6).time(.3);
        LIPOSE rKnee(.6).time(.3);
        LIPOSE lHip(-.2).time(.3);
        LIPOSE rHip(-.2).time(.3);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
ENDPHASE
ENDSCRIPT
"""


def beyond_rad(world: World) -> np.ndarray:
    """How far each joint is beyond its nearer stop; negative within its range."""
    model, q = world.model, world.data.qpos[world.model.jnt_qposadr]
    over = np.maximum(model.jnt_range[:, 0] - q, q - model.jnt_range[:, 1])
    return np.where(model.jnt_limited > 0, over, -1.0)


def pressing_stops(world: World) -> set[int]:
    data = world.data
    kind = mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT
    return {int(data.efc_id[k]) for k in range(data.nefc) if data.efc_type[k] == kind and data.efc_force[k] > 0.0}


@cache
def press(tmp: str, timestep_s: float, ground: str) -> tuple[np.ndarray, np.ndarray]:
    """For each joint: mean radians beyond its stop, and how often it left it, over 0.3 s in which it is pressed."""
    controller = load_controller(tmp, PLANAR17)
    world = World([PLANAR17], [controller], settings=PhysicsSettings(timestep_s=timestep_s, ground=ground))
    world.run_until(1.2)
    ticks = round(0.3 / timestep_s)
    over, left = np.zeros(world.model.njnt), np.zeros(world.model.njnt, dtype=int)
    before: set[int] = set()
    for _ in range(ticks):
        world.step()
        over += np.maximum(beyond_rad(world), 0.0) / ticks
        now = pressing_stops(world)
        for joint in before - now:
            left[joint] += 1
        before = now
    return over, left


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stops") / "press.ctl"
    path.write_text(PRESS)
    return str(path)


@pytest.mark.parametrize("timestep_s", STEPS_S)
def test_a_joint_that_is_pressed_against_its_stop_stays_at_it(script: str, timestep_s: float) -> None:
    over, _ = press(script, timestep_s, "firm")
    assert over.max() < 0.001
    # MuJoCo's own stops give way by more.
    assert press(script, 0.0005, "default")[0].max() > 0.1


@pytest.mark.parametrize("timestep_s", STEPS_S)
def test_a_joint_that_is_pressed_against_its_stop_does_not_rattle(script: str, timestep_s: float) -> None:
    _, left = press(script, timestep_s, "firm")
    # The neck base has no range at all: one or the other of its two stops always acts.
    locked = PLANAR17.axis_index("neck_base_pitch") + 3
    assert np.delete(left, locked).max() <= 3


@pytest.mark.parametrize("timestep_s", [0.001, *STEPS_S])
def test_a_stop_returns_little_of_an_impact(timestep_s: float) -> None:
    world = World([PLANAR17], settings=PhysicsSettings(timestep_s=timestep_s, ground="firm", gravity_mps2=0.0))
    model, data = world.model, world.data
    for name, stop, rate in [("left_knee_pitch", 0, -10.0), ("left_ankle_pitch", 1, 20.0), ("left_hip_pitch", 1, 6.0)]:
        for part in (0.0, 0.3, 0.6, 0.9):
            world.reset()
            data.qpos[1] = 5.0
            joint = model.joint(name)
            data.qpos[joint.qposadr[0]] = joint.range[stop] - rate * (0.01 + part * timestep_s)
            data.qvel[joint.dofadr[0]] = rate
            mujoco.mj_energyVel(model, data)
            before, furthest = float(data.energy[1]), 0.0
            for _ in range(round(0.03 / timestep_s)):
                world.step()
                furthest = max(furthest, float(beyond_rad(world).max()))
            mujoco.mj_energyVel(model, data)
            assert float(data.energy[1]) < before
            assert data.qvel[joint.dofadr[0]] / -rate < 0.45
            # One step at the speed of the impact, or the distance in which a time constant of 1 ms brakes it.
            assert furthest < abs(rate) * max(1.1 * timestep_s, 0.0005)


@pytest.mark.parametrize("name", ["script/stand", "script/walk"])
def test_hard_stops_do_not_make_feet_rattle(name: str) -> None:
    begins = {}
    for stop_time_s in (None, 0.02):
        controller = load_controller(name, PLANAR17)
        world = World([PLANAR17], [controller], settings=PhysicsSettings(stop_time_s=stop_time_s))
        feet = {world.model.body(f"{side}_foot").id for side in ("left", "right")}
        before: set[int] = set()
        count = 0
        for _ in range(round(2.0 / world.settings.timestep_s)):
            world.step()
            geoms = world.data.contact.geom[: world.data.ncon].ravel()
            now = feet & {int(world.model.geom_bodyid[g]) for g in geoms}
            count += len(now - before)
            before = now
        begins[stop_time_s] = count
    assert begins[None] <= 1.25 * begins[0.02]


def test_only_firm_ground_has_hard_stops() -> None:
    for ground, time_s, impedances in [
        ("default", 0.02, (0.9, 0.95)),
        ("springs", 0.02, (0.9, 0.95)),
        ("firm", 0.001, (0.95, 0.99)),
    ]:
        world = World([PLANAR17], settings=PhysicsSettings(ground=ground))
        limited = world.model.jnt_limited > 0
        assert world.settings.stop_time_s == time_s
        assert np.all(world.model.jnt_solref[limited] == (time_s, 1.0))
        assert np.all(world.model.jnt_solimp[limited] == (*impedances, 0.001, 0.5, 2.0))


def test_the_default_ground_has_the_stops_of_a_plain_model() -> None:
    world = World([PLANAR17])
    plain = mujoco.MjSpec()
    joint = plain.worldbody.add_body(mass=1.0, inertia=[1.0, 1.0, 1.0]).add_joint(type=mujoco.mjtJoint.mjJNT_HINGE)
    assert np.array_equal(world.model.jnt_solref[-1], joint.solref_limit)
    assert np.array_equal(world.model.jnt_solimp[-1], joint.solimp_limit)


def test_a_time_of_stops_that_was_chosen_counts_more() -> None:
    settings = PhysicsSettings(ground="firm", stop_time_s=0.005)
    world = World([PLANAR17], settings=settings)
    assert world.settings.stop_time_s == world.model.jnt_solref[-1][0] == 0.005
    with pytest.raises(InputError) as caught:
        PhysicsSettings(stop_time_s=0.5)
    assert str(caught.value) == "physics: stop_time_s is out of range, got 0.5 s. Allowed: 0.0002 to 0.1 s."
