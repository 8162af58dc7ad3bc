"""The penalty ground: how far it sinks, when it slips, that it never pulls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.characters.model import Axis, Character, Joint, Landmark, Segment, Shape
from poise.constants import GRAVITY_MPS2
from poise.world.compile import PhysicsSettings
from poise.world.ground import PenaltyGround
from poise.world.tape import TapeLog
from poise.world.world import World

MASS_KG = 10.0
FOOT_KG = 1e-4


def make_block() -> Character:
    """A block with four ground points at its lower corners. Feather-light legs lie inside it to play the roles."""
    body = Segment("block", None, None, (0.0, 0.0, 0.0), MASS_KG, (0.0, 0.0, 0.0), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    segments = [body]
    for side in ("left", "right"):
        parent = "block"
        for part in ("thigh", "shank", "foot"):
            name = f"{side}_{part}"
            axis = Axis(f"{name}_axis", (0.0, 1.0, 0.0), armature_kgm2=0.1, stiffness_nm_per_rad=100.0)
            tiny = (1e-6, 1e-6, 1e-6, 0.0, 0.0, 0.0)
            joint = Joint(f"{name}_joint", "hinge", (axis,))
            segments.append(Segment(name, parent, joint, (0.0, 0.0, 0.0), FOOT_KG, (0.0, 0.0, 0.0), tiny))
            parent = name
    roles = {"pelvis": "block", "trunk": "block"}
    roles |= {f"{s}_{p}": f"{s}_{p}" for s in ("left", "right") for p in ("thigh", "shank", "foot")}
    corners = [
        Landmark(f"corner{k}", "block", (0.2 * x, 0.2 * y, -0.05), ground=True)
        for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)))
    ]
    box = Shape("box", (0.4, 0.4, 0.1))
    segments[0] = Segment(body.name, None, None, body.origin_m, MASS_KG, body.com_m, body.inertia_kgm2, (box,))
    return Character("block", "free", tuple(segments), roles, tuple(corners))


def make_world(**ground: float) -> World:
    return World([make_block()], ground=PenaltyGround(**ground), settings=PhysicsSettings(timestep_s=0.00025))


def test_a_resting_block_sinks_by_its_weight_over_the_stiffness_of_its_points() -> None:
    world = make_world(stiffness_npm=25000.0, damping_nspm=1500.0)
    start = world.data.qpos[2]
    world.step(8000)
    sink = start - world.data.qpos[2]
    mass = world.characters[0].mass_kg
    assert sink == pytest.approx(mass * GRAVITY_MPS2 / (4 * 25000.0), rel=0.01)
    assert np.abs(world.data.qvel[:3]).max() < 1e-6
    assert world.ledger.touch_load.sum() == pytest.approx(mass * GRAVITY_MPS2, rel=1e-3)


@pytest.mark.parametrize("friction", [0.3, 0.8, 1.0])
def test_a_block_slips_at_the_angle_of_friction(friction: float) -> None:
    critical = math.degrees(math.atan(friction))
    for angle, slips in ((critical - 1.0, False), (critical + 1.0, True)):
        world = make_world(friction=friction, slope_rad=math.radians(angle))
        half = 0.5 * -math.radians(angle)
        world.data.qpos[3:7] = [math.cos(half), 0.0, math.sin(half), 0.0]
        # Set down on the slope: the block's centre is half its height above the plane.
        world.data.qpos[:3] = [-0.05 * math.sin(math.radians(angle)), 0.0, 0.05 * math.cos(math.radians(angle))]
        world.step(4000)
        at_one = world.data.qpos[:3].copy()
        world.step(4000)
        moved = float(np.linalg.norm(world.data.qpos[:3] - at_one))
        assert (moved > 0.02) is slips, f"{angle:.1f} degrees: moved {moved:.4f} m in a second"


def test_it_never_pulls() -> None:
    world = make_world(damping_nspm=5000.0)
    world.data.qvel[2] = -2.0
    log = TapeLog()
    world.advance(6000, record_every=1, log=log)
    forces = log.arrays()["contact_rows"]
    assert len(forces) > 0
    assert forces[:, 5].min() >= 0.0


def test_forces_stay_in_the_friction_cone() -> None:
    world = make_world(friction=0.5)
    world.data.qvel[:3] = [1.5, 0.7, -0.5]
    log = TapeLog()
    world.advance(3000, record_every=1, log=log)
    rows = log.arrays()["contact_rows"]
    assert (np.hypot(rows[:, 3], rows[:, 4]) <= 0.5 * rows[:, 5] + 1e-9).all()


def test_bad_figures_are_refused() -> None:
    from poise.errors import InputError

    with pytest.raises(InputError, match="stiffness_npm"):
        PenaltyGround(stiffness_npm=-1.0)
