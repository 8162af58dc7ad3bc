"""Initial pose graphs of gaits: the states, their sensors and symmetry, and the numbers to search for."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poise.characters.model import swap_side
from poise.errors import unknown_name
from poise.optim.space import FloatArray
from poise.search.tuning.graph import put

#: Initial stance and the search bounds of each axis, in degrees.
NEUTRAL_DEG: Final = {"hip_pitch": 10.0, "knee_pitch": 20.0, "ankle_pitch": 10.0}
BOUNDS_DEG: Final = {"hip_pitch": (-40.0, 80.0), "knee_pitch": (0.0, 100.0), "ankle_pitch": (-40.0, 30.0)}
ROLL_DEG: Final = (-8.0, 2.0)
#: Keys of a state that only the search uses: its pose, the state of a walk that it grows from, whether it flies.
KNOWN: Final = ("pose", "like", "flies")


@dataclass(frozen=True)
class Gait:
    """Prior knowledge of a gait."""

    #: `[[states]]` without poses; those with the same `pose` share one.
    states: tuple[dict[str, Any], ...]
    #: Whether the other leg's step follows as the mirror image; if not, both legs move alike.
    mirrored: bool
    help: str
    #: Whether feet may land near the midline, with a lean over them: a leg that hops alone must be under the body.
    sets_in: bool = False
    hold_s: tuple[float, float] = (0.05, 0.4)


#: A flight ends with the landing, where the balance decides again.
LANDING: Final = {"timeout_s": 1.0, "ends_step": True}
GAITS: Final = {
    "walk": Gait(
        (
            {"name": "S1", "pose": "a", "until_foot": "right", "timeout_s": 0.5},
            {"name": "S2", "pose": "a", "hold_s": 0.2},
            {"name": "S3", "pose": "b", "hold_s": 0.2, "ends_step": True},
        ),
        mirrored=True,
        help="the states of the walk [Laszlo96 Fig. 3.7]: land, swing, reach",
    ),
    "hop": Gait(
        (
            {"name": "S1", "pose": "a", "hold_s": 0.15},
            {"name": "S2", "pose": "b", "hold_s": 0.15},
            {"name": "S3", "pose": "c", "flies": True, "hold_s": 0.1, "until_foot": "left", **LANDING},
        ),
        mirrored=False,
        help="both legs together: bend, push, fly until a foot lands",
    ),
    "skip": Gait(
        (
            {"name": "S1", "pose": "a", "until_foot": "right", "timeout_s": 0.5},
            {"name": "S2", "pose": "a", "hold_s": 0.15},
            {"name": "S3", "pose": "b", "like": "S2", "flies": True, "hold_s": 0.1, "until_foot": "right", **LANDING},
            {"name": "S4", "pose": "c", "like": "S3", "hold_s": 0.15, "ends_step": True},
        ),
        mirrored=True,
        sets_in=True,
        help="each leg twice: land and push, fly until the same foot lands, reach with the other",
    ),
}


def find_gait(name: str) -> Gait:
    """A gait by its name."""
    if name not in GAITS:
        raise unknown_name("poise tune gait", "gait", name, list(GAITS))
    return GAITS[name]


def legs(gait: Gait) -> list[tuple[str, ...]]:
    """Groups of legs that share a target: each leg by itself, or both together."""
    return [("left",), ("right",)] if gait.mirrored else [("left", "right")]


def make_table(name: str, body: str) -> dict[str, Any]:
    """The initial controller: all states hold the neutral stance."""
    gait = GAITS[name]
    pose = {f"{side}_{axis}": angle for axis, angle in NEUTRAL_DEG.items() for side in ("left", "right")}
    values: dict[str, Any] = {"strategy": "SP", "target": 0.1}
    values |= {"speed_gain": 0.2, "speed_mpstep": 0.25, "side_gain": 0.2}
    if gait.sets_in:
        pose |= {f"{side}_hip_roll": sum(ROLL_DEG) / 2.0 for side in ("left", "right")}
        values["outward"] = 0.0
    carrying = "right" if gait.mirrored else "left"
    states = []
    for state in gait.states:
        entry: dict[str, Any] = {k: v for k, v in state.items() if k not in KNOWN}
        states.append(entry | {"stance": carrying, "pose_deg": dict(pose)})
    # In double stance both hips take part: one opens while the other closes.
    ahead = {f"{side}_hip_pitch": -1.0 for side in ("left", "right") if side == carrying or not gait.mirrored}
    aside = {f"{side}_hip_roll": 1.0 if side == carrying else -1.0 for side in ("left", "right")}
    if gait.mirrored:
        aside = {f"{carrying}_hip_roll": 1.0}
    changes = {"forward": ahead, "side": aside}
    # In flight the legs hold their pose: leaning back then places the feet ahead, which slows the body down.
    carried = [s["name"] for s in gait.states if not s.get("flies")]
    return {
        "method": "limit-cycle",
        "character": body,
        "description": f"a {name} found without prior poses",
        "mirrored": gait.mirrored,
        "values": values,
        "states": states,
        "changes": {k: {"states": {name: {"pose_deg": dict(v)} for name in carried}} for k, v in changes.items()},
        "start": {"pitch_deg": 0.0, "pose_deg": dict(pose)},
    }


def grow(name: str, walk: dict[str, Any], body: str) -> dict[str, Any]:
    """The initial controller with the poses and the balance of a found walk."""
    table = make_table(name, body)
    poses = {state["name"]: state["pose_deg"] for state in walk["states"]}
    zeros = {f"{side}_hip_roll": 0.0 for side in ("left", "right")} if GAITS[name].sets_in else {}
    for state, known in zip(table["states"], GAITS[name].states, strict=True):
        state["pose_deg"] = zeros | poses[known.get("like", known["name"])]
    table["values"] |= walk["values"]
    table["start"] |= walk["start"]
    return table


def list_numbers(name: str) -> list[tuple[tuple[str, ...], float, float, int]]:
    """Numbers to search: the paths of each through the table, its bounds, and its decimals."""
    gait = GAITS[name]
    numbers: list[tuple[tuple[str, ...], float, float, int]] = []
    for pose in dict.fromkeys(s["pose"] for s in gait.states):
        states = "+".join(s["name"] for s in gait.states if s["pose"] == pose)
        for sides in legs(gait):
            for axis, (low, high) in BOUNDS_DEG.items():
                paths = tuple(f"states.{states}.pose_deg.{side}_{axis}" for side in sides)
                numbers.append((paths, low, high, 2))
    for state in gait.states:
        if "hold_s" in state:
            numbers.append(((f"states.{state['name']}.hold_s",), *gait.hold_s, 4))
    numbers.append((("start.pitch_deg",), -5.0, 10.0, 2))
    numbers.append((("values.target",), -0.1, 0.4, 4))
    numbers.append((("values.speed_gain",), 0.0, 1.0, 4))
    numbers.append((("values.speed_mpstep",), 0.0, 0.6, 4))
    numbers.append((("values.side_gain",), 0.0, 1.0, 4))
    if gait.sets_in:
        states = "+".join(s["name"] for s in gait.states)
        numbers += [((f"states.{states}.pose_deg.{side}_hip_roll",), *ROLL_DEG, 2) for side in ("left", "right")]
        numbers.append((("values.outward",), -0.1, 0.2, 4))
    return numbers


class Numbers:
    """Conversion between points of the unit cube and tables."""

    def __init__(self, name: str, table: dict[str, Any]) -> None:
        self._table = table
        self._listed = list_numbers(name)
        self._low, self._high = (np.array([n[k] for n in self._listed], dtype=float) for k in (1, 2))

    def decode(self, x: FloatArray) -> dict[str, Any]:
        """The table at a point."""
        table = copy.deepcopy(self._table)
        for (paths, _, _, digits), value in zip(self._listed, self._low + x * (self._high - self._low), strict=True):
            for path in paths:
                put(table, path, round(float(value), digits))
        if table.get("mirrored", False):
            # As if the other leg's step had just ended: on one foot, about to land on the next.
            pose = table["states"][-1]["pose_deg"]
            table["start"]["pose_deg"] = {swap_side(axis): angle for axis, angle in pose.items()}
        return table

    def encode(self) -> FloatArray:
        """The point of the initial table."""
        values = np.array([_get(self._table, paths[0]) for paths, _, _, _ in self._listed])
        return np.asarray(np.clip((values - self._low) / (self._high - self._low), 0.0, 1.0))


def _get(table: dict[str, Any], path: str) -> float:
    entry: Any = table
    for part in path.split("."):
        entry = next(s for s in entry if s["name"] == part.split("+")[0]) if isinstance(entry, list) else entry[part]
    return float(entry)
