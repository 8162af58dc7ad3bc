"""What pages ask of the world of an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from poise.studio.simulation import Simulation

Command = Callable[[Simulation], None]


class Controls(ABC):
    """Commands for the simulation of an engine, which carries them out in its own thread."""

    @abstractmethod
    def _ask(self, command: Command, *, leap: bool = False) -> None:
        """Queue a command; with `leap`, it jumps in time."""

    def restart(self) -> None:
        self._ask(lambda simulation: simulation.restart(), leap=True)

    def set_parameter(self, name: str, value: float) -> None:
        self._ask(lambda simulation: simulation.set_parameter(name, value))

    def reset_parameters(self) -> None:
        self._ask(lambda simulation: simulation.reset_parameters())

    def steer(self, commands: Mapping[str, float]) -> None:
        """Set commands such as speed and heading, clamped to their ranges."""
        self._ask(lambda simulation: simulation.steer(commands))

    def nudge(self, faster: int = 0, leftward: int = 0) -> None:
        """Change speed and heading by a number of increments."""
        self._ask(lambda simulation: simulation.nudge(faster, leftward))

    def stop(self) -> None:
        self._ask(lambda simulation: simulation.stop())

    def edit_style(self, style: int) -> None:
        self._ask(lambda simulation: simulation.edit_style(style))

    def edit_curve(self, channel: str, points: Sequence[float], joined: bool) -> None:
        self._ask(lambda simulation: simulation.edit_curve(channel, points, joined))

    def edit_tempo(self, tempo: float) -> None:
        self._ask(lambda simulation: simulation.edit_tempo(tempo))

    def push(self, force_n: float, direction_deg: float) -> None:
        self._ask(lambda simulation: simulation.push(force_n, direction_deg))

    def throw_ball(self, speed_mps: float, direction_deg: float) -> None:
        self._ask(lambda simulation: simulation.throw_ball(speed_mps, direction_deg))

    def let_go(self) -> None:
        self._ask(lambda simulation: simulation.let_go())
