"""Film strips: poses of a run overlaid along its path, as in the figures of papers."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.characters.model import SIDES, Character
from poise.errors import PoiseError
from poise.files import picture_format, write_atomic
from poise.measures.metrics import compute_metrics
from poise.measures.upright import describe_outcome
from poise.recordings.contacts import external_contacts
from poise.recordings.recording import FloatArray, Recording
from poise.rollout.filmstrip_layout import Layout, Pose, Row, compute_layout
from poise.rollout.outlines import compute_outlines
from poise.world.terrain import Solid, Terrain, parse_terrain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS: Final = {"left": "#d9694a", "right": "#4f8fc0", "": "#5b6472"}
"""Left limbs, right limbs, and segments without a side; like the colours in `poise.world.compile`."""

_INK: Final = "#2b3038"
_GROUND: Final = "#e9e6e0"
#: The terrain's cross-section: margin beyond the path, resolution, and drawn depth of a void.
_GROUND_MARGIN_M: Final = 1.0
_GROUND_STEP_M: Final = 0.01
_DITCH_M: Final = 0.25
#: If the ground under a foot's ends differs by more than this, it stands on an edge.
_EDGE_M: Final = 0.05
_WIDTH_IN: Final = 13.0
_HEAD_IN: Final = 0.4
#: Least height of the ground under the poses, for the labels in it.
_LABEL_IN: Final = 0.24
_DPI: Final = 160


def export_filmstrip(
    recording: Recording,
    path: str | PathLike[str],
    character: int = 0,
    *,
    start_s: float | None = None,
    end_s: float | None = None,
    poses: int | None = None,
) -> None:
    """Writes a picture (PNG, or the format of the suffix) of poses along the path, atomically.

    Left limbs are red, right limbs blue. Motion in place is drawn side by side, from left to right in time. Only the
    end of a very long path is shown; `start_s`, `end_s` and `poses` override this.
    """
    figure = draw_filmstrip(recording, character, start_s=start_s, end_s=end_s, poses=poses)
    with write_atomic(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=_DPI)


def draw_filmstrip(
    recording: Recording,
    character: int = 0,
    *,
    start_s: float | None = None,
    end_s: float | None = None,
    poses: int | None = None,
) -> Figure:
    """The matplotlib figure of `export_filmstrip`."""
    from matplotlib.figure import Figure

    layout = compute_layout(recording, character, start_s=start_s, end_s=end_s, poses=poses)
    per_meter_in = _WIDTH_IN / (layout.rows[0].high_m - layout.rows[0].low_m)
    low, high = _find_vertical_extent(recording, character, layout, _LABEL_IN / per_meter_in)
    row_in = (high - low) * per_meter_in
    total_in = _HEAD_IN + row_in * len(layout.rows)
    figure = Figure(figsize=(_WIDTH_IN, total_in), facecolor="white")
    for k, row in enumerate(layout.rows):
        bottom = (len(layout.rows) - 1 - k) * row_in / total_in
        axes = figure.add_axes((0.0, bottom, 1.0, row_in / total_in))
        axes.set_xlim(row.low_m, row.high_m)
        axes.set_ylim(low, high)
        axes.set_axis_off()
        _draw_row(axes, recording, character, layout, row)
    head = figure.add_axes((0.0, 1.0 - _HEAD_IN / total_in, 1.0, _HEAD_IN / total_in))
    head.set_xlim(0.0, _WIDTH_IN)
    head.set_ylim(-1.0, 1.0)
    head.set_axis_off()
    head.text(0.15, 0.0, _describe(recording, character, layout), color=_INK, fontsize=11, va="center")
    _draw_key(head, layout.height_m, per_meter_in)
    return figure


def _find_vertical_extent(recording: Recording, character: int, layout: Layout, label_m: float) -> tuple[float, float]:
    """Lowest and highest point to draw; at least `label_m` below the ground are for labels."""
    heights = []
    for row in layout.rows:
        for pose in row.poses:
            heights += [o.corners_m[:, 1] for o in compute_outlines(recording, pose.frame, pose.view, character)]
    ground = _find_ground(recording, character, layout.rows[0].poses[0])
    every = np.concatenate([*heights, ground[:, 1]])
    return float(every.min()) - max(0.13 * layout.height_m, label_m), float(every.max()) + 0.06 * layout.height_m


def _draw_row(axes: Axes, recording: Recording, character: int, layout: Layout, row: Row) -> None:
    ground = _find_ground(recording, character, row.poses[0])
    if not layout.along_path:
        ground = np.array([[0.0, float(np.median(ground[:, 1]))]])
    _draw_ground(axes, ground, row)
    if layout.along_path:
        _draw_com_path(axes, recording, character, row)
        _draw_footprints(axes, recording, character, layout, row, ground)
        _draw_pushes(axes, recording, character, layout, row)
    for k, pose in enumerate(row.poses):
        _draw_pose(axes, recording, character, pose, zorder=10 + k)
    _draw_times(axes, recording, character, layout, row, ground)


def _find_ground(recording: Recording, character: int, pose: Pose) -> FloatArray:
    """Ground under the path as points (across, up): from the recorded terrain or ramp, or else from the contacts."""
    ramp = recording.meta.get("ramp")
    if ramp is not None:
        points, places = _sample_path(recording, character, pose)
        heights = ramp["level_m"] + ramp["slope"] * (points[:, :2] @ np.array(ramp["way"]))
        return np.column_stack([places, heights])
    terrain = _find_terrain(recording)
    if terrain is not None:
        return _cut_terrain(terrain, recording, character, pose)
    _, _, points, force = external_contacts(recording, character, ground_only=True)
    points = points[force[:, 2] > 0.0]
    if not len(points) or np.ptp(points[:, 2]) < 0.02:
        return np.array([[0.0, float(np.median(points[:, 2])) if len(points) else 0.0]])
    cell = np.round(points @ pose.view.across_w / 0.05).astype(int)
    return np.array([[0.05 * c, float(np.median(points[cell == c, 2]))] for c in np.unique(cell)])


def _find_terrain(recording: Recording) -> Terrain | None:
    """The terrain of the run with its fixed props, if it is uneven and can be rebuilt."""
    spec, steady = recording.meta.get("terrain"), recording.meta.get("steady")
    if not isinstance(spec, str) or (spec.startswith("flat") and not steady):
        return None
    try:
        terrain = Terrain(spec, spec) if spec == "environment" else parse_terrain(spec)
        if not steady:
            return terrain
        solids = tuple(Solid(*(tuple(box[k]) for k in ("size_m", "center_m", "quat_wxyz"))) for box in steady["boxes"])
        return replace(terrain, plane_height_m=steady["plane_height_m"], solids=(*terrain.solids, *solids))
    except (PoiseError, KeyError, TypeError):
        # The terrain was made from an array, or from a picture that no longer exists.
        return None


def _cut_terrain(terrain: Terrain, recording: Recording, character: int, pose: Pose) -> FloatArray:
    """Heights along the vertical plane through the path; a void is drawn as a shallow ditch."""
    points, places = _sample_path(recording, character, pose)
    heights = np.array([terrain.height_m(float(x), float(y)) for x, y, _ in points])
    lowest = float(recording.segment_pos_w_m[..., 2].min()) - _DITCH_M
    return np.column_stack([places, np.maximum(heights, lowest)])


def _sample_path(recording: Recording, character: int, pose: Pose) -> tuple[FloatArray, FloatArray]:
    """Points (N, 3) on the line of the path, and their positions along it, (N,)."""
    com, across = recording.com_w_m[:, character], pose.view.across_w
    along = com @ across
    places = np.arange(float(along.min()) - _GROUND_MARGIN_M, float(along.max()) + _GROUND_MARGIN_M, _GROUND_STEP_M)
    return com[pose.frame] + (places - along[pose.frame])[:, None] * across, places


def _draw_ground(axes: Axes, ground: FloatArray, row: Row) -> None:
    x = np.concatenate([[row.low_m], ground[:, 0], [row.high_m]])
    z = np.concatenate([ground[:1, 1], ground[:, 1], ground[-1:, 1]])
    order = np.argsort(x, kind="stable")
    axes.fill_between(x[order], z[order], axes.get_ylim()[0], color=_GROUND, linewidth=0, zorder=0)
    axes.plot(x[order], z[order], color=_INK, linewidth=1.0, zorder=1)


def _draw_com_path(axes: Axes, recording: Recording, character: int, row: Row) -> None:
    first, last = row.poses[0].frame, row.poses[-1].frame
    com = recording.com_w_m[first : last + 1, character]
    view = row.poses[0].view
    axes.plot(com @ view.across_w, com @ view.up_w, color=_INK, linewidth=0.8, linestyle=(0, (1, 2)), zorder=500)


def _draw_pose(axes: Axes, recording: Recording, character: int, pose: Pose, zorder: int) -> None:
    from matplotlib.collections import PolyCollection

    body = recording.characters[character]
    outlines = compute_outlines(recording, pose.frame, pose.view, character)
    order = _order_by_depth(recording, character, pose)
    outlines.sort(key=lambda o: order.index(find_side(body, o.segment)))
    near = order[-1]
    sides = [find_side(body, o.segment) for o in outlines]
    faces = [_tint(COLORS[side], 0.0 if side in ("", near) else 0.35) for side in sides]
    corners: Any = [o.corners_m + [pose.shift_m, 0.0] for o in outlines]
    axes.add_collection(
        PolyCollection(corners, facecolors=faces, edgecolors="white", linewidths=0.7, zorder=zorder), autolim=False
    )


def find_side(character: Character, segment: int) -> str:
    """`left`, `right` or an empty string: the side in a segment's name, or else of the limb it belongs to."""
    name: str | None = character.segments[segment].name
    while name is not None:
        for side in SIDES:
            if name.startswith(side) or name in (
                character.roles.get(f"{side}_thigh"),
                character.roles.get(f"{side}_upper_arm"),
            ):
                return side
        name = character.segment(name).parent
    return ""


def _order_by_depth(recording: Recording, character: int, pose: Pose) -> list[str]:
    """Sides from far to near; for a planar body the right side is nearer."""
    body = recording.characters[character]
    start = recording.segments_of(character).start
    depth = {
        side: float(
            recording.segment_pos_w_m[pose.frame, start + body.segment_names.index(body.roles[f"{side}_thigh"])]
            @ pose.view.toward_w
        )
        for side in SIDES
    }
    far, near = ("right", "left") if depth["left"] > depth["right"] + 1e-6 else ("left", "right")
    return [far, "", near]


def _tint(color: str, share: float) -> tuple[float, float, float]:
    """A colour mixed with a share of white."""
    from matplotlib.colors import to_rgb

    r, g, b = (c + (1.0 - c) * share for c in to_rgb(color))
    return r, g, b


def _draw_footprints(
    axes: Axes, recording: Recording, character: int, layout: Layout, row: Row, ground: FloatArray
) -> None:
    """Draws a bar in the ground at each foot strike."""
    body = recording.characters[character]
    first, last = row.poses[0].frame, row.poses[-1].frame
    for event in recording.events_of(character, "strike"):
        frame = min(int(np.searchsorted(recording.time_s, event.time_s)), recording.frames - 1)
        if not first <= frame <= last or event.segment not in body.segment_names:
            continue
        foot = body.segment_names.index(event.segment)
        outlines = compute_outlines(recording, frame, row.poses[0].view, character)
        across = [x for o in outlines if o.segment == foot for x in o.corners_m[:, 0]]
        if across:
            ends = np.array([min(across), max(across)])
            z = np.interp(ends, ground[:, 0], ground[:, 1])
            if np.ptp(z) > _EDGE_M:
                # On an edge, the foot stands on the higher side.
                z[:] = z.max()
            z -= 0.014 * layout.height_m
            color = COLORS[find_side(body, foot)]
            axes.plot(ends, z, color=color, linewidth=3.0, solid_capstyle="butt", zorder=3)


def _draw_pushes(axes: Axes, recording: Recording, character: int, layout: Layout, row: Row) -> None:
    """Draws a mark above the character at the start of each push."""
    root = recording.segment_pos_w_m[:, recording.segments_of(character).start] @ row.poses[0].view.across_w
    first, last = recording.time_s[row.poses[0].frame], recording.time_s[row.poses[-1].frame]
    for event in recording.events_of(character, "push"):
        if first <= event.time_s <= last:
            x = float(np.interp(event.time_s, recording.time_s, root))
            z = axes.get_ylim()[1] - 0.03 * layout.height_m
            axes.plot([x], [z], marker="v", color=_INK, markersize=6, zorder=600)
            axes.annotate(
                event.detail or "push", (x, z), xytext=(7, 0), textcoords="offset points",
                color=_INK, fontsize=8, va="center",
            )  # fmt: skip


def _draw_times(axes: Axes, recording: Recording, character: int, layout: Layout, row: Row, ground: FloatArray) -> None:
    """Draws ticks at whole seconds along a path, or under each pose."""
    root = recording.segment_pos_w_m[:, recording.segments_of(character).start]
    if layout.along_path:
        first, last = recording.time_s[row.poses[0].frame], recording.time_s[row.poses[-1].frame]
        places = root @ row.poses[0].view.across_w
        seconds = range(int(np.ceil(first - 1e-9)), int(np.floor(last + 1e-9)) + 1)
        ticks = [(float(np.interp(t, recording.time_s, places)), f"{t} s") for t in seconds]
    else:
        ticks = [
            (float(root[p.frame] @ p.view.across_w) + p.shift_m, f"{recording.time_s[p.frame]:.2f} s")
            for p in row.poses
        ]
    size = layout.height_m
    for x, label in ticks:
        z = float(np.interp(x, ground[:, 0], ground[:, 1]))
        axes.plot([x, x], [z, z - 0.03 * size], color=_INK, linewidth=1.0, zorder=4)
        axes.text(x, z - 0.045 * size, label, color=_INK, fontsize=8, ha="center", va="top", zorder=4)


def _draw_key(head: Axes, height_m: float, per_meter_in: float) -> None:
    """Draws a scale bar and the colours of the sides at the right of the head line."""
    for x, side in ((_WIDTH_IN - 0.65, "left"), (_WIDTH_IN - 0.15, "right")):
        head.text(x, 0.0, side, color=COLORS[side], fontsize=10, ha="right", va="center", fontweight="bold")
    length = max((c for c in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0) if c <= 0.7 * height_m), default=0.1)
    right = _WIDTH_IN - 1.3
    left = right - length * per_meter_in
    head.plot([left, right], [0.0, 0.0], color=_INK, linewidth=1.6, marker="|", markersize=7, markeredgewidth=1.6)
    head.text(left - 0.12, 0.0, f"{length:g} m", color=_INK, fontsize=10, ha="right", va="center")


def _describe(recording: Recording, character: int, layout: Layout) -> str:
    metrics = compute_metrics(recording, character)
    first, last = recording.time_s[layout.first_frame], recording.time_s[layout.last_frame]
    parts = [metrics.controller, metrics.character, f"{first:.3g} to {last:.3g} s", f"{metrics.mean_speed_mps:.2f} m/s"]
    if metrics.fell_at_s is not None:
        parts.append(describe_outcome(recording, character))
    return "  ·  ".join(part for part in parts if part)
