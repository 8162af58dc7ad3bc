"""The penalty ground under a block and under the characters it was designed for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from poise.characters.model import Axis, Character, Joint, Landmark, Segment, Shape
from poise.reproduce.experiment import Row
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.world.compile import PhysicsSettings
from poise.world.ground import PenaltyGround
from poise.world.tape import TapeLog
from poise.world.world import World

BLOCK_KG, FEATHER_KG = 10.0, 1e-4
HALF_SIDE_M, HALF_HEIGHT_M = 0.2, 0.05
#: A block that moves less than this in a second does not slip.
SLIP_MPS = 0.02
#: Settings of the full form, stored with the result.
SETTINGS = {"block_kg": BLOCK_KG, "block_timestep_s": 0.00025, "frictions": [0.3, 0.8, 1.0], "walk_s": 60.0}


def make_block() -> Character:
    """A block with a ground point at each lower corner. Nearly massless legs inside it fill the required roles."""
    solid = Shape("box", (2 * HALF_SIDE_M, 2 * HALF_SIDE_M, 2 * HALF_HEIGHT_M))
    inertia = (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)
    segments = [Segment("block", None, None, (0.0, 0.0, 0.0), BLOCK_KG, (0.0, 0.0, 0.0), inertia, (solid,))]
    roles = {"pelvis": "block", "trunk": "block"}
    for side in ("left", "right"):
        parent = "block"
        for part in ("thigh", "shank", "foot"):
            name = f"{side}_{part}"
            axis = Axis(f"{name}_axis", (0.0, 1.0, 0.0), armature_kgm2=0.1, stiffness_nm_per_rad=100.0)
            joint = Joint(f"{name}_joint", "hinge", (axis,))
            light = (1e-6, 1e-6, 1e-6, 0.0, 0.0, 0.0)
            segments.append(Segment(name, parent, joint, (0.0, 0.0, 0.0), FEATHER_KG, (0.0, 0.0, 0.0), light))
            roles[name] = parent = name
    corners = [
        Landmark(f"corner{k}", "block", (x * HALF_SIDE_M, y * HALF_SIDE_M, -HALF_HEIGHT_M), ground=True)
        for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)))
    ]
    return Character("block", "free", tuple(segments), roles, tuple(corners))


def put_block(ground: PenaltyGround) -> World:
    """A world with a block that lies on the ground plane, whatever its slope."""
    world = Scene(character=make_block(), ground=ground, physics=PhysicsSettings(timestep_s=0.00025)).open()
    slope = ground.slope_rad
    world.state.positions[:3] = [-HALF_HEIGHT_M * math.sin(slope), 0.0, HALF_HEIGHT_M * math.cos(slope)]
    world.state.positions[3:7] = [math.cos(0.5 * slope), 0.0, -math.sin(0.5 * slope), 0.0]
    return world


def measure_sink_ratio() -> float:
    """Static sink of the block over mg/(nk)."""
    ground = PenaltyGround()
    world = put_block(ground)
    world.step(8000)
    expected = world.characters[0].mass_kg * world.settings.gravity_mps2 / (4 * ground.stiffness_npm)
    return float((HALF_HEIGHT_M - world.state.positions[2]) / expected)


def slips(friction: float, angle_deg: float) -> bool:
    """Whether the block slides on a slope, measured over the second second."""
    world = put_block(PenaltyGround(friction=friction, slope_rad=math.radians(angle_deg)))
    world.step(4000)
    before = world.state.positions[:3].copy()
    world.step(4000)
    return float(np.linalg.norm(world.state.positions[:3] - before)) > SLIP_MPS


def measure_slip_angle_deg(friction: float, tolerance_deg: float = 0.1) -> float:
    """Slope at which the block begins to slide, by bisection."""
    low, high = 0.0, 80.0
    while high - low > tolerance_deg:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if slips(friction, middle) else (middle, high)
    return 0.5 * (low + high)


def measure_lowest_normal_n() -> float:
    """Lowest vertical force at any point while a block drops onto strongly damped ground and bounces."""
    world = put_block(PenaltyGround(damping_nspm=5000.0))
    world.state.velocities[2] = -2.0
    log = TapeLog()
    world.advance(6000, record_every=1, log=log)
    return float(log.arrays()["contact_rows"][:, 5].min())


def _block_rows(quick: bool) -> list[Row]:
    sink = measure_sink_ratio()
    frictions = (1.0,) if quick else (0.3, 0.8, 1.0)
    angles = {mu: measure_slip_angle_deg(mu) for mu in frictions}
    worst = max(abs(angles[mu] - math.degrees(math.atan(mu))) for mu in frictions)
    lowest = measure_lowest_normal_n()
    shown = ", ".join(f"{a:.1f}° at {mu:g} (atan {math.degrees(math.atan(mu)):.1f}°)" for mu, a in angles.items())
    return [
        Row(
            "laszlo-2-friction",
            "Laszlo96 §2.4.1, Fig. 2.8",
            "A point slips when its tangential force leaves the friction cone; the vertical force never pulls.",
            "slips within 1° of atan(friction); vertical force never negative",
            f"slips at {shown}; lowest vertical force {lowest:.3g} N",
            worst < 1.0 and lowest >= 0.0,
            note="The anchor is moved onto the cone, not directly above the point: a sliding point keeps its friction.",
        ),
        Row(
            "poise-ground-sink",
            "Poise",
            "A resting body sinks by its weight divided by the total stiffness of its contact points.",
            "mg/(nk) within 1 %",
            f"{sink:.4f} of mg/(nk)",
            abs(sink - 1.0) < 0.01,
        ),
    ]


def _laszlo_row() -> Row:
    """Row about the thesis's human on its ground, from the moment it is set down."""
    scene = Scene(
        "pose/hold", "laszlo_human", ground=PenaltyGround(25000.0, 1500.0), physics=PhysicsSettings(timestep_s=0.00025)
    )
    world = scene.open()
    recording = simulate(world, 0.25, record_hz=4000.0)
    load = float(world.ledger.touch_load.sum())
    weight = world.characters[0].mass_kg * world.settings.gravity_mps2
    sink = -1000.0 * float(recording.contact_pos_w_m[:, 2].min())
    return Row(
        "laszlo-c-sim",
        "Laszlo96 App. C",
        "A floor of 25000 N/m and 1500 N·s/m is stable at a time step of 0.00025 s.",
        "stable; small penetration",
        f"carries {load / weight:.3f} of the weight after 0.25 s, deepest point {sink:.1f} mm",
        abs(load / weight - 1.0) < 0.05 and sink < 20.0,
        note="Integrated by MuJoCo's implicit Euler; the thesis used a Runge-Kutta of fourth order.",
    )


def _coros_row(quick: bool) -> Row:
    seconds = 10.0 if quick else 60.0
    scene = Scene("simbicon/planar-walk", "biped7", ground=PenaltyGround(100000.0, 6000.0, friction=0.8))
    world = scene.open()
    recording = simulate(world, seconds, record_hz=500.0)
    sink = -1000.0 * float(recording.contact_pos_w_m[:, 2].min())
    fell = world.fell_at_s()
    return Row(
        "coros-3-ground",
        "Coros10 §3.6",
        "The planar ground is a damped spring, simulated at a time step of 0.0005 s.",
        "100000 N/m, 6000 N·s/m, 0.0005 s: stable",
        f"walks {seconds:g} s, deepest point {sink:.1f} mm" if fell is None else f"falls at {fell:.2f} s",
        fell is None,
    )


def measure(quick: bool, seed: int) -> Sequence[Row]:
    """Rows about the ground."""
    return [*_block_rows(quick), _laszlo_row(), _coros_row(quick)]
