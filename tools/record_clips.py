"""Make the clips that Poise ships: `python -m tools.record_clips [NAME ...] [--out FOLDER]`.

The walker is steered on its own body. Its motion is retargeted to `lee13` like any motion file and saved at 30 frames
per second. The result is deterministic.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.errors import unknown_name
from poise.motion.clip import Clip
from poise.motion.clip_file import save_clip
from poise.motion.contacts import annotate
from poise.motion.mapping import Mapping as Roles
from poise.motion.resample import resample
from poise.motion.retarget import retarget
from poise.motion.rotations import quat_conjugate, quat_multiply
from poise.motion.skeleton import make_character_skeleton
from poise.recordings.recording import Recording
from poise.rollout.scene import Scene
from poise.rollout.simulate import Change, simulate
from poise.world.compile import PhysicsSettings

LIBRARY = Path(__file__).resolve().parents[1] / "src" / "poise" / "library"
CONTROLLER, BODY, TARGET = "walker/walk", "humanoid", "lee13"
RATE_HZ, RECORD_HZ = 30.0, 120.0
#: Interval between changes of smoothly changing commands.
COMMAND_S = 0.05
#: Time of standing before walking and after stopping.
REST_S = 1.0
STOPPING_S = 3.0


@dataclass(frozen=True)
class Plan:
    """Commands of the walker: its speed, a style, and headings (s, degrees) that are interpolated linearly."""

    about: str
    speed_mps: float
    seconds: float = 6.0
    turn: tuple[tuple[float, float], ...] = ()
    values: Mapping[str, float | str] | None = None
    #: Whether it begins and ends with standing; otherwise it is cut from a settled walk.
    rests: bool = True
    #: Time (s) from which it walks at another speed (m/s).
    then: tuple[float, float] | None = None


def _turn(angle_deg: float, takes_s: float) -> tuple[tuple[float, float], ...]:
    """Headings of a turn that begins at 3.5 s and takes `takes_s`."""
    return ((3.5, 0.0), (3.5 + takes_s, angle_deg))


def _steady(rate_dps: float) -> tuple[tuple[float, float], ...]:
    return ((0.0, 0.0), (60.0, 60.0 * rate_dps))


def _name_pace(speed_mps: float, rate_dps: float) -> str:
    way = f"back-{-speed_mps:g}" if speed_mps < 0.0 else f"{speed_mps:g}"
    return f"pace-{way}" + (f"-left-{rate_dps:g}" if rate_dps else "")


PLANS: Mapping[str, Plan] = {
    "normal": Plan("stands, walks at 0.9 m/s and stops", 0.9),
    "slow": Plan("the same at 0.5 m/s", 0.5),
    "fast": Plan("the same at 1.3 m/s", 1.3),
    "backward": Plan("the same backward, at 0.5 m/s", -0.5),
    "march": Plan("marches with straight legs and swinging arms", 0.8, values={"style": "march"}),
    "sneak": Plan("sneaks", 0.5, values={"style": "sneak"}),
    "happy": Plan("walks merrily", 0.8, values={"style": "happy"}),
    "left-45": Plan("walks, turns left by 45 degrees, walks on and stops", 0.8, 7.0, _turn(45.0, 0.9)),
    "right-45": Plan("the same to the right", 0.8, 7.0, _turn(-45.0, 0.9)),
    "left-90": Plan("turns left by 90 degrees", 0.8, 8.0, _turn(90.0, 1.8)),
    "right-90": Plan("the same to the right", 0.8, 8.0, _turn(-90.0, 1.8)),
    "u-turn": Plan("turns round to the left", 0.7, 9.0, _turn(180.0, 3.2)),
    "spin": Plan(
        "turns round twice on the spot, walks on and stops", 0.0, 21.0, _turn(720.0, 14.0), {"stand": 0},
        then=(18.5, 0.5),
    ),
    **{
        _name_pace(speed, rate): Plan(
            f"walks evenly at {speed:g} m/s and turns left by {rate:g} degrees a second", speed, 8.0, _steady(rate),
            {"stand": 0}, rests=False,
        )
        for speed, rates in ((-0.5, [0]), (0.0, [0, 45]), (0.45, [0, 45, 65]), (0.9, [0, 45]), (1.2, [0]))
        for rate in rates
    },
}  # fmt: skip
#: Part of a steady walk that is kept, after it has settled.
KEPT_S = (5.0, 8.0)


def command(plan: Plan) -> tuple[list[Change], float]:
    """All changes of the walker's parameters, and the duration."""
    begin = REST_S if plan.rests else 0.0
    end = begin + plan.seconds
    changes = [Change(begin, "speed", plan.speed_mps)]
    changes += [Change(plan.then[0], "speed", plan.then[1])] if plan.then else []
    times = np.arange(0.0, end, COMMAND_S)
    if plan.turn:
        at, headings = np.array(plan.turn).T
        changes += [Change(t, "heading", float(h)) for t, h in zip(times, np.interp(times, at, headings), strict=True)]
    if plan.rests:
        changes.append(Change(end, "speed", 0.0))
        if plan.values and "stand" in plan.values:
            changes += [Change(begin, "stand", 0.0), Change(plan.then[0] if plan.then else end, "stand", 1.0)]
        end += STOPPING_S
    return changes, end


def record(plan: Plan) -> Recording:
    """Record the walker under the commands of a plan."""
    changes, seconds = command(plan)
    values = {k: v for k, v in (plan.values or {}).items() if k != "stand" or not plan.rests}
    world = Scene(CONTROLLER, BODY, values=values, physics=PhysicsSettings(1.0 / 1200.0)).open()
    return simulate(world, seconds, changes=changes, record_hz=RECORD_HZ)


def make_clip(recording: Recording, name: str) -> Clip:
    """Clip of a recording, on its own body."""
    character = recording.characters[0]
    skeleton = make_character_skeleton(character)
    world = recording.segment_quat_wxyz
    quats = world.copy()
    for k, parent in enumerate(skeleton.parents):
        if parent >= 0:
            quats[:, k] = quat_multiply(quat_conjugate(world[:, parent]), world[:, k])
    return Clip(name, skeleton, 1.0 / RECORD_HZ, recording.segment_pos_w_m[:, 0], quats, character=character.name)


def fit(clip: Clip, body: Character, target: Character) -> Clip:
    """Retarget a clip to another body at the rate of our clips, with its contacts."""
    roles = Roles({role: body.segment_names.index(name) for role, name in body.roles.items()})
    fitted = retarget(resample(annotate(clip, roles), RATE_HZ), roles, target).clip
    return fitted


def cut(clip: Clip, begin_s: float, end_s: float) -> Clip:
    """A part of a clip."""
    part = slice(round(begin_s * RATE_HZ), round(end_s * RATE_HZ) + 1)
    contacts = None if clip.contacts is None else clip.contacts[part]
    return replace(clip, root_pos_m=clip.root_pos_m[part], quats_wxyz=clip.quats_wxyz[part], contacts=contacts)


def make(name: str, plan: Plan) -> Clip:
    """Make one of our clips."""
    clip = make_clip(record(plan), name)
    fitted = fit(clip, load_character(BODY), load_character(TARGET))
    if not plan.rests:
        fitted = cut(fitted, *KEPT_S)
    # A hundredth of a millimetre and of a milliradian is enough, and makes the files a third as long.
    fitted = replace(fitted, root_pos_m=fitted.root_pos_m.round(5), quats_wxyz=fitted.quats_wxyz.round(5))
    note = f"{plan.about}; recorded from {CONTROLLER} on {BODY} by tools/record_clips.py"
    return replace(fitted, name=name, character=TARGET, notes=(note,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(PLANS))
    parser.add_argument("--out", type=Path, default=LIBRARY / "clips")
    options = parser.parse_args()
    for name in options.names:
        if name not in PLANS:
            raise unknown_name("record_clips", "clip", name, list(PLANS))
        clip = make(name, PLANS[name])
        save_clip(clip, options.out / f"{name}.npz")
        print(f"{name}: {clip.frames} frames")


if __name__ == "__main__":
    main()
