"""Measurements for figures of a walk [Laszlo96 §4]: phase diagrams, hip plots, steps, regulated values and ranges.

`poise.trials.draw_steps` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poise.characters.model import SIDES
from poise.documents import make_plain
from poise.errors import InputError, unknown_name
from poise.measures.metrics import compute_forward_w
from poise.measures.steps import find_steps
from poise.measures.walking import measure_gait
from poise.recordings.recording import FloatArray, IntArray, Recording
from poise.recordings.rotations import quat_rotate
from poise.trials.step_run import StepRun

#: Interval and length of the lines in a hip plot: longer than the hips are wide, to show their rotation.
HIPS_EVERY_S: Final = 0.16
HIPS_WIDTH_M: Final = 1.0
#: What a phase diagram can show besides joint axes: the trunk's lean forward and to the left.
TRUNK_AXES: Final = ("trunk_pitch", "trunk_roll")
#: Hips closer together than this, seen from above, define no direction.
_LEAST_HIPS_M: Final = 1e-3


@dataclass(frozen=True)
class PhaseDiagram:
    """An angle and its rate through a run."""

    axis: str
    time_s: FloatArray
    angle_deg: FloatArray
    rate_degps: FloatArray
    ends_s: tuple[float, ...]

    @property
    def step(self) -> IntArray:
        """The number of the step, from 1, at each time."""
        return 1 + np.searchsorted(np.array(self.ends_s), self.time_s, side="left")


@dataclass(frozen=True)
class HipPlot:
    """The path of the pelvis from above, and the orientation of the hips at intervals."""

    pelvis_m: FloatArray  # (F, 2)
    time_s: FloatArray  # (N,) of the lines
    hips_m: FloatArray  # (N, 2, 2) ends of the lines, the left one first


@dataclass(frozen=True)
class StepPlot:
    """Length and duration of each step except the first, from the strike of one foot to that of the other."""

    #: The side of the foot that strikes at the end of the step.
    side: tuple[str, ...]
    length_m: tuple[float, ...]
    duration_s: tuple[float, ...]


@dataclass(frozen=True)
class VariablePlot:
    """Targets and results of a limit cycle at the end of each step, ahead and to the left."""

    #: The variables regulated forward and laterally.
    variables: tuple[str, str]
    target: FloatArray  # (N, 2)
    reached: FloatArray  # (N, 2)


@dataclass(frozen=True)
class RangePlot:
    """Steps that a limit cycle completed for each target, by sampling strategy; None if not tested."""

    targets: tuple[float, ...]
    most_steps: int
    steps: Mapping[str, tuple[int | None, ...]]


Plotted = PhaseDiagram | HipPlot | StepPlot | VariablePlot | RangePlot
#: name -> class.
KINDS: Final[Mapping[str, type]] = {
    "phase": PhaseDiagram,
    "hips": HipPlot,
    "steps": StepPlot,
    "variable": VariablePlot,
    "range": RangePlot,
}


@dataclass(frozen=True)
class Picture:
    """The plotted numbers, their controller and character, and the outcome of the run."""

    plotted: Plotted
    controller: str
    character: str
    outcome: str
    settings: Mapping[str, Any]
    fell_at_s: float | None = None
    interrupted: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain data with the plotted numbers, for JSON."""
        kind = next(word for word, numbers in KINDS.items() if isinstance(self.plotted, numbers))
        settings = dict(self.settings)
        head = {name: settings.pop(name, None) for name in ("poise", "seed")}
        own = {name: value for name, value in vars(self).items() if name not in ("plotted", "settings")}
        numbers = make_plain(self.plotted)
        plain: dict[str, Any] = make_plain({"kind": kind, **head, **own, **numbers, "settings": settings}, finite=True)
        return plain


def make_picture(run: StepRun, kind: str, axis: str = TRUNK_AXES[0]) -> Picture:
    """The picture of a run; `axis` is the axis of a phase diagram."""
    if run.interrupted and run.recording.frames < 2:
        raise KeyboardInterrupt
    if run.fell_at_s is not None and not run.ends_s:
        _refuse(run, kind, f"it falls at {run.fell_at_s:.2f} s, before its first step ends")
    plotted: Plotted = _measure_phase(run, axis) if kind == "phase" else _MEASURES[kind](run)
    count = len(plotted.side) + 1 if isinstance(plotted, StepPlot) else len(run.ends_s)
    recording = run.recording
    return Picture(
        plotted,
        recording.controllers[0],
        recording.characters[0].name,
        run.describe(count),
        recording.meta,
        run.fell_at_s,
        run.interrupted,
    )


def check_axis(axis: str, names: Sequence[str]) -> None:
    """Raises unless a phase diagram can show an axis; `names` are the body's joint axes."""
    known = (*TRUNK_AXES, *names)
    if axis not in known:
        raise unknown_name("axis", "axis", axis, known)


def _refuse(run: StepRun, kind: str, why: str) -> None:
    name = f"{run.recording.controllers[0]} on {run.recording.characters[0].name}"
    raise InputError(f"plot {kind}: {name}: {why}. There is nothing to draw.")


def _measure_phase(run: StepRun, axis: str) -> PhaseDiagram:
    recording = run.recording
    names = recording.characters[0].axis_names
    check_axis(axis, names)
    if axis in names:
        column = recording.axes_of(0).start + names.index(axis)
        angle, rate = recording.joint_q_rad[:, column], recording.joint_v_radps[:, column]
    else:
        angle = _measure_lean_rad(recording, axis)
        rate = np.gradient(angle, recording.time_s)
    return PhaseDiagram(axis, recording.time_s, np.rad2deg(angle), np.rad2deg(rate), run.ends_s)


def _measure_lean_rad(recording: Recording, axis: str) -> FloatArray:
    """Lean of the trunk forward, or to the left, relative to the heading of the pelvis."""
    body = recording.characters[0]
    trunk = recording.segments_of(0).start + body.segment_names.index(body.roles["trunk"])
    up = quat_rotate(recording.segment_quat_wxyz[:, trunk], np.array([0.0, 0.0, 1.0]))
    ahead = compute_forward_w(recording)
    if axis == TRUNK_AXES[0]:
        toward = np.sum(up * ahead, axis=-1)
    else:
        toward = up[:, 1] * ahead[:, 0] - up[:, 0] * ahead[:, 1]
    return np.unwrap(np.arctan2(toward, up[:, 2]))


def _measure_hips(run: StepRun) -> HipPlot:
    recording = run.recording
    body, first = recording.characters[0], recording.segments_of(0).start

    def find(role: str) -> FloatArray:
        return recording.segment_pos_w_m[:, first + body.segment_names.index(body.roles[role]), :2]

    times = np.arange(recording.time_s[0], recording.time_s[-1] + 1e-9, HIPS_EVERY_S)
    frames = np.searchsorted(recording.time_s, times - 1e-9)
    left, right = (find(f"{side}_thigh")[frames] for side in SIDES)
    ahead, across = compute_forward_w(recording)[frames], left - right
    apart = np.linalg.norm(across, axis=-1, keepdims=True)
    # The hips of a planar body coincide.
    sideways = np.stack([-ahead[:, 1], ahead[:, 0]], axis=-1)
    across = np.where(apart > _LEAST_HIPS_M, across / np.maximum(apart, _LEAST_HIPS_M), sideways)
    middle, half = 0.5 * (left + right), 0.5 * HIPS_WIDTH_M * across
    return HipPlot(find("pelvis"), recording.time_s[frames], np.stack([middle + half, middle - half], axis=1))


def _measure_steps(run: StepRun) -> StepPlot:
    recording = run.recording
    gait = measure_gait(recording, fell_at_s=run.fell_at_s)
    strikes = find_steps(recording, 0, gait.start_s, gait.end_s)
    if len(strikes) < 2:
        _refuse(run, "steps", f"{'only one' if strikes else 'no'} foot strikes in {run.seconds:.4g} s")
    sides = {recording.characters[0].roles[f"{side}_foot"]: side for side in SIDES}
    return StepPlot(tuple(sides[e.segment] for e in strikes[1:]), gait.step_lengths_m, gait.step_times_s)


def _measure_variable(run: StepRun) -> VariablePlot:
    if not run.balanced:
        _refuse(run, "variable", f"no step ends in {run.seconds:.4g} s")
    chosen: Any = run.recording.meta["parameters"]
    ahead, across = (str(chosen[name]) for name in ("forward_by", "side_by"))
    target, reached = (np.array([getattr(s, name) for s in run.balanced]) for name in ("target", "reached"))
    return VariablePlot((ahead, across), target, reached)


_MEASURES: Final[Mapping[str, Callable[[StepRun], HipPlot | StepPlot | VariablePlot]]] = {
    "hips": _measure_hips,
    "steps": _measure_steps,
    "variable": _measure_variable,
}
