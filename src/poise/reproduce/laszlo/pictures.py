"""Plots of walks by step: paths from above, and values of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from poise.reproduce.laszlo.runs import Walk
from poise.reproduce.pictures import Plot


def plot_paths(walks: Mapping[str, Walk], title: str) -> Plot:
    """Pelvis positions at the ends of steps, seen from above; one curve per walk."""
    places = {name: made.places for name, made in walks.items()}
    x = [round(float(v), 3) for path in places.values() for v in path[:, 0]]
    series: dict[str, Sequence[float | None]] = {}
    before = 0
    for name, path in places.items():
        after = len(x) - before - len(path)
        series[name] = [*[None] * before, *(round(float(v), 3) for v in path[:, 1]), *[None] * after]
        before += len(path)
    return Plot("line", x, series, x_label="m ahead of the start", y_label="m to the left of it", title=title)


def plot_steps(values: Mapping[str, np.ndarray], y_label: str, title: str) -> Plot:
    """One value per step; shorter walks end earlier."""
    count = max(len(v) for v in values.values())
    series: dict[str, Sequence[float | None]] = {
        name: [*(round(float(v), 4) for v in found), *[None] * (count - len(found))] for name, found in values.items()
    }
    return Plot("line", list(range(1, count + 1)), series, x_label="step", y_label=y_label, title=title)
