"""Measure how long recorded walks are tracked: `python -m tools.track_clips --seconds 300 --seeds 3 FOLDER [NAME ...]`.

FOLDER holds the clips released with [Lee10]. Gains are those of its Fig. 5, with our necessary changes. Each seed adds
noise of 0.02 to all velocities at the start, because outcomes are chaotic. Prints a row per run: seconds on its feet,
fragments, mean velocity, yaw, times real time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.tracker import layout
from poise.controllers.tracker.spec import Gains, build
from poise.motion.load import load_clip
from poise.world.compile import PhysicsSettings
from poise.world.terrain import flat
from poise.world.world import World

NOISE = 0.02
_NORMAL = {"swing_speed_sagittal": 0.0, "swing_speed_coronal": 0.3, "swing_place_behind": 1.2}
_SLOW = {"swing_speed_coronal": 0.25, "swing_place_behind": 0.5}
_BACKWARD = {
    "swing_speed_sagittal": 0.1, "swing_speed_coronal": 0.3, "swing_place_behind": 1.0, "swing_place_ahead": 0.0,
    "swing_place_coronal": 0.3, "ankle_speed": 0.3,
}  # fmt: skip
_LEFT_45 = {"swing_speed_sagittal": 0.1, "swing_speed_coronal": 0.4, "swing_place_behind": 0.7, "lift_m": 0.04}
_U_TURN = {"swing_speed_sagittal": 0.05, "swing_speed_coronal": 0.3, "swing_place_behind": 1.2, "lift_m": 0.05}
_SPIN = {"swing_speed_sagittal": 0.2, "swing_speed_coronal": 0.2, "swing_place_behind": 0.7, "lift_m": 0.04}
#: Name of a row -> clip, gains, friction, whether one of its cycles is repeated.
ROWS: dict[str, tuple[str, dict[str, float], float, bool]] = {
    "normal": ("wd2_WalkForwardNormal00", _NORMAL, 1.0, True),
    "normal-lifted": ("wd2_WalkForwardNormal00", {**_NORMAL, "lift_m": 0.05}, 1.0, True),
    "normal-ankle": ("wd2_WalkForwardNormal00", {**_NORMAL, "ankle_speed": 0.2}, 1.0, True),
    "slow": ("wd2_WalkForwardSlow01", _SLOW, 1.0, True),
    "slow-cleared": ("wd2_WalkForwardSlow01", {**_SLOW, "clearance_m": 0.03}, 1.0, True),
    "march": ("wd2_WalkSoldier00", {**_NORMAL, "swing_place_behind": 0.2}, 1.0, True),
    "backward": ("wd2_WalkBackward00", _BACKWARD, 1.0, True),
    "backward-lifted": ("wd2_WalkBackward00", {**_BACKWARD, "lift_m": 0.06}, 1.0, True),
    "march-once": ("wd2_WalkSoldier00", {**_NORMAL, "swing_place_behind": 0.2}, 1.0, False),
    "left-45": ("walk_left_45degree", {**_LEFT_45, "stance_rise": 0.2, "landing_after": 0.85}, 2.0, False),
    "u-turn": ("wd2_u-turn", {**_U_TURN, "stance_rise": 0.2}, 2.0, False),
    "spin": ("wd2_2foot_walk_turn", {**_SPIN, "stance_rise": 0.2}, 3.0, False),
}


def track(folder: Path, row: str, seed: int, seconds: float, changes: dict[str, float]) -> str:
    """One run as a line of text."""
    clip, gains, friction, endless = ROWS[row]
    path = next(iter(sorted(folder.rglob(f"{clip}.bvh"))))
    character = load_character("lee13")
    controller = build(load_clip(path), character, row, Gains(**{**gains, **changes}), endless=endless)
    settings = PhysicsSettings(1.0 / 900.0, 9.8)
    world = World([character], [controller], settings=settings, terrain=flat().with_friction(friction))
    if seed:
        world.state.velocities[:] += np.random.default_rng(seed).normal(0.0, NOISE, len(world.state.velocities))
    world.warm_up()
    start = world.state.positions[:3].copy()
    world.advance(round(seconds * 900.0), stop_on=["down"])
    time = world.fell_at_s() or world.time_s
    way = (world.state.positions[:2] - start[:2]) / time
    end = "fell" if world.fell_at_s() is not None else "up"
    done = int(world.memories[0][layout.DONE])
    rate = world.time_s / world.loop_wall_s
    turned = np.degrees(world.percepts[0].heading_rad[0])
    return (
        f"{row:16} {seed:3d} {end:5} {time:7.1f} s {done:5d} fragments {way[0]:6.2f} {way[1]:6.2f} m/s "
        f"{turned:7.0f} deg {rate:6.1f}x"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(ROWS))
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--set", nargs="*", default=[], metavar="GAIN=VALUE")
    options = parser.parse_args()
    changes = {name: float(value) for name, _, value in (item.partition("=") for item in options.set)}
    for row in options.names:
        for seed in range(options.seeds):
            print(track(options.folder, row, seed, options.seconds, changes), flush=True)


if __name__ == "__main__":
    main()
