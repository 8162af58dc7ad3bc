"""Channels of a SIMBICON state: control points of a target over the state, by name and packed for the laws."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Protocol


class State(Protocol):
    """A state of any SIMBICON gait."""

    @property
    def name(self) -> str: ...

    @property
    def targets_rad(self) -> Mapping[str, tuple[float, ...]]:
        """channel -> control points."""


def point_names(state: State, channel: str) -> list[str]:
    """Names of the parameters that hold a channel's control points."""
    count = len(state.targets_rad[channel])
    return [f"{state.name}_{channel}{'' if count == 1 else f'_{k + 1}'}_rad" for k in range(count)]


def pack_points(points: Sequence[float], size: int) -> list[float]:
    """The count and the points of a channel, padded to `size` points."""
    return [float(len(points)), *points, *([0.0] * (size - len(points)))]


def take_targets(state: State, values: MutableMapping[str, float]) -> dict[str, tuple[float, ...]]:
    """The state's targets with its control points taken from `values`, which loses them."""
    return {
        channel: tuple(values.pop(n, p) for n, p in zip(point_names(state, channel), points, strict=True))
        for channel, points in state.targets_rad.items()
    }
