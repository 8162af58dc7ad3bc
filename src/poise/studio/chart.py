"""The live plot: what the character has done over the last ten seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from nicegui import ui

from poise.studio.looks import Looks
from poise.studio.published import View
from poise.studio.samples import TRACE_S

INK, GRID = "#5b6775", "#e6eaef"
LEFT, RIGHT = "#e4704a", "#3d7cc0"


@dataclass(frozen=True)
class Line:
    """One line: a column of the trace times a factor, on the left (0) or right (1) axis."""

    column: int
    factor: float
    label: str
    color: str
    axis: int = 0


@dataclass(frozen=True)
class Plot:
    """Lines, and for each axis its minimum span and the step by which it grows.

    The minimum span keeps a steady walk looking steady.
    """

    lines: tuple[Line, ...]
    spans: tuple[tuple[float, float, float], ...]
    #: Interval of the rows that are drawn: smooth lines need few, impacts need all.
    every: int = 5


PLOTS = {
    "speed and lean": Plot(
        (Line(1, 1.0, "speed, m/s", "#2c333d"), Line(2, 180.0 / math.pi, "trunk lean, °", "#12a37f", 1)),
        ((0.0, 1.5, 0.5), (-10.0, 10.0, 10.0)),
    ),
    "foot loads": Plot(
        (Line(3, 1.0, "left foot, N", LEFT), Line(4, 1.0, "right foot, N", RIGHT)), ((0.0, 500.0, 500.0),), every=1
    ),
}


class LivePlot:
    """The plot selector and the chart; `show` updates it."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._kind = str(looks.get("plot", next(iter(PLOTS))))
        with ui.row().classes("w-full items-center justify-between no-wrap"):
            ui.label("Live plot").classes("poise-title")
            ui.toggle(list(PLOTS), value=self._kind, on_change=lambda e: self._choose(e.value)).props(
                "dense no-caps unelevated size=sm toggle-color=blue-grey-8 color=blue-grey-1 text-color=blue-grey-8"
            )
        self.chart = ui.echart(_make_options(self._kind)).classes("poise-chart")

    def _choose(self, kind: str) -> None:
        self._kind = kind
        self._looks.set("plot", kind)
        self.chart.options.clear()
        self.chart.options.update(_make_options(kind))
        self.chart.update()

    def show(self, view: View) -> None:
        """Send only the lines; the rest of the chart is unchanged."""
        if view.trace is None or view.moment is None:
            return
        self.chart.run_chart_method("setOption", make_update(self._kind, view.trace, view.moment.time_s, view.behind_s))


def make_update(kind: str, trace: np.ndarray, time_s: float, behind_s: float) -> dict[str, Any]:
    """The chart's changing part: its lines over the last seconds, and a mark at the time in view when looking back."""
    # Counted from the newest row: the line always ends there.
    trace = trace[:: -PLOTS[kind].every][::-1]
    times = (trace[:, 0] - (time_s + behind_s)).round(2)
    series = []
    for line in PLOTS[kind].lines:
        values = (trace[:, line.column] * line.factor).round(3)
        series.append({"data": np.column_stack([times, values]).tolist()})
    mark = [{"xAxis": round(-behind_s, 2)}] if behind_s > 0.0 else []
    series[0] |= {"markLine": {"data": mark}}
    return {"series": series}


def _make_options(kind: str) -> dict[str, Any]:
    plot = PLOTS[kind]
    return {
        "animation": False,
        "textStyle": {"fontFamily": "Roboto, sans-serif", "color": INK},
        "grid": {"left": 38, "right": 34 if len(plot.spans) > 1 else 12, "top": 28, "bottom": 22},
        "legend": {"top": 0, "left": 0, "itemWidth": 14, "itemHeight": 3, "icon": "rect", "textStyle": {"color": INK}},
        "xAxis": {
            "type": "value",
            "min": -TRACE_S,
            "max": 0,
            "interval": 2,
            "axisLine": {"onZero": False, "lineStyle": {"color": GRID}},
            "axisLabel": {"color": INK, ":formatter": "v => v ? '−' + -v + ' s' : 'now'"},
            "splitLine": {"show": False},
        },
        "yAxis": [
            {
                "type": "value",
                ":min": f"v => Math.min(Math.floor(v.min / {step:g}) * {step:g}, {low:g})",
                ":max": f"v => Math.max(Math.ceil(v.max / {step:g}) * {step:g}, {high:g})",
                "axisLine": {"show": False},
                "axisTick": {"show": False},
                "splitNumber": 3,
                "axisLabel": {"color": INK, ":formatter": "v => Math.round(v * 100) / 100"},
                "splitLine": {"show": axis == 0, "lineStyle": {"color": GRID}},
            }
            for axis, (low, high, step) in enumerate(plot.spans)
        ],
        "series": [
            {
                "type": "line",
                "name": line.label,
                "yAxisIndex": line.axis,
                "showSymbol": False,
                "silent": True,
                "lineStyle": {"width": 1.6},
                "itemStyle": {"color": line.color},
                "data": [],
                "markLine": {
                    "symbol": "none",
                    "label": {"show": False},
                    "lineStyle": {"color": "#d6336c", "type": "solid"},
                    "data": [],
                },
            }
            for line in plot.lines
        ],
    }
