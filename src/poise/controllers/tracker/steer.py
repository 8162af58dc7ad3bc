"""Steering: steps are blended for the commanded speed, turn and style [Lee10 §5, Interactive].

Paces are even walks, each with its speed and its turn per step; those to the right are mirror images of those to the
left. A step and its gains are blended from the four paces around the desired speed and turn. For turns sharper than
those of the paces, the body rotates farther over its stance leg.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from poise.characters.model import SIDES, Character
from poise.controllers.tracker.engine import Choice, Entry
from poise.controllers.tracker.moves import OTHER, Move, blend
from poise.motion.rotations import FloatArray
from poise.world.plain_data import read_number, read_whole

SPEED, HEADING, STYLE = range(3)
"""Commands, in the order in which they follow the rest of params."""

AT_REST_MPS: Final = 0.05
#: A standing body steps around if its heading is off by more than this.
FACING_RAD: Final = math.radians(8.0)
FIRST_TURN_RAD: Final = math.radians(10.0)
FIRST_STEPS: Final = 3
#: Largest turn of a step in a style.
STYLE_TURN_RAD: Final = math.radians(12.0)
#: Turns below this end gradually.
SOFT_RAD: Final = math.radians(60.0)
#: Turns that any pace can make.
SLIGHT_RAD: Final = math.radians(5.0)
#: After a step that turns farther than this, the body drifts for `DRIFT_STEPS` steps.
SHARP_RAD: Final = math.radians(32.0)
DRIFT_STEPS: Final = 4
#: Additional turns below this are omitted.
LITTLE_RAD: Final = math.radians(1.0)
#: A pace that reaches this fraction of the sharpest turn is slow enough for any turn.
NEARLY: Final = 0.85
#: Largest change of a style's weight per step.
STYLE_STEP: Final = 0.5


@dataclass(frozen=True, eq=False)
class Pace:
    """Both steps of an even walk."""

    speed_mps: float
    turn_rad: float
    steps: Mapping[str, Move]
    gains: FloatArray


class Gait(NamedTuple):
    """The current gait: its speed, its style and the weight of that style."""

    speed_mps: float = 0.0
    style: int = 0
    part: float = 0.0
    #: Steps since standing.
    steps: int = 0
    #: Turn of the last step.
    turn_rad: float = 0.0
    #: Remaining steps in which it may drift after a sharp turn.
    drift: int = 0


@dataclass(frozen=True, eq=False)
class Steering:
    """Chooses moves by commands. Rows of paces are ordered by speed, paces of a row by turn, from right to left."""

    paces: Sequence[Sequence[Pace]]
    styles: Sequence[Pace]
    stand: Choice
    #: From standing to the first landing, before the steps on either foot.
    leave: Choice
    commands_at: int
    character: Character
    accelerate_mps: float = 0.25
    #: Lowest speed of the steps after a sharp turn.
    drift_mps: float = 0.7
    #: Largest change of turn from one step to the next, and the fraction of a small turn that is taken at once.
    swerve_rad: float = math.radians(60.0)
    ease: float = 0.85
    #: How much farther than its paces a step may turn: if the swing leg opens to the inner side, or crosses over.
    open_rad: float = math.radians(50.0)
    cross_rad: float = math.radians(10.0)

    # -- as a chooser -----------------------------------------------------------------------------------------------

    def begin(self, params: FloatArray) -> Choice:
        """Standing at the start."""
        return replace(self.stand, note=Gait())

    def choose_next(self, params: FloatArray, now: Entry, random: np.random.Generator) -> Sequence[Choice]:
        """The next step for the current commands; standing if they require none."""
        speed, heading, style = params[self.commands_at : self.commands_at + 3]
        gait = now.note or Gait()
        left_rad = wrap(math.radians(float(heading)) - now.heading_rad)
        rests = abs(speed) < AT_REST_MPS and abs(left_rad) < FACING_RAD
        if now.stance == "both":
            if rests:
                # A standing body that is about to fall takes this step instead.
                step = self._step(SIDES[0], Gait(steps=1), 0.0, now.heading_rad)
                return [replace(self.stand, heading_rad=now.heading_rad, note=Gait()), step]
            if now.note is not None:
                return [replace(self.leave, heading_rad=now.heading_rad, note=None)]
            side = SIDES[0]
        else:
            side = OTHER[now.stance]
        # First steps go nearly straight ahead: the weight is still shifting.
        most = FIRST_TURN_RAD * (gait.steps + 1) if gait.steps < FIRST_STEPS else math.pi
        left_rad = min(max(left_rad, -most), most)
        step = self._step(side, self._change(gait, float(speed), int(style), left_rad), left_rad, now.heading_rad)
        if rests and now.stance != "both" and abs(gait.speed_mps) <= self.accelerate_mps:
            return [replace(self.stand, heading_rad=now.heading_rad, note=Gait()), step]
        return [step]

    def read_note(self, note: Any) -> Gait | None:
        if note is None:
            return None
        speed, style, part, steps, turn, drift = note
        return Gait(
            read_number(speed),
            read_whole(style, 0, len(self.styles)),
            read_number(part),
            read_whole(steps, 0, 10**9),
            read_number(turn),
            read_whole(drift, 0, DRIFT_STEPS),
        )

    # -- a step -----------------------------------------------------------------------------------------------------

    def _change(self, gait: Gait, speed_mps: float, style: int, left_rad: float) -> Gait:
        """The gait of the next step: as close to the commands as one step can get.

        Sharp turns are slow, but not too slow: after one the body still drifts in its old direction, and only steps
        that go ahead stop the drift.
        """
        low, high = self._speeds_for(left_rad)
        sharp = abs(gait.turn_rad) > SHARP_RAD
        drift = DRIFT_STEPS if sharp else max(gait.drift - 1, 0)
        if drift > 0:
            low = max(low, self.drift_mps)
            high = max(low, high)
        wanted_mps, most = min(max(speed_mps, low), high), self.accelerate_mps
        speed = gait.speed_mps + min(max(wanted_mps - gait.speed_mps, -most), most)
        # One style fades out before another fades in, and turns are plain, as in the source.
        turns = abs(left_rad) > STYLE_TURN_RAD
        wanted = 1.0 if style == gait.style and style > 0 and speed_mps >= AT_REST_MPS and not turns else 0.0
        part = gait.part + min(max(wanted - gait.part, -STYLE_STEP), STYLE_STEP)
        return Gait(speed, style if part == 0.0 else gait.style, part, gait.steps + 1, gait.turn_rad, drift)

    def _speeds_for(self, turn_rad: float) -> tuple[float, float]:
        """Lowest and highest speed at which a step can turn this far, or nearly as far as any step can."""
        asked = min(abs(turn_rad) - SLIGHT_RAD, NEARLY * max(_reach(row) for row in self.paces))
        speeds = [row[0].speed_mps for row in self.paces if _reach(row) >= asked]
        return min(speeds), max(speeds)

    def _step(self, side: str, gait: Gait, left_rad: float, heading_rad: float) -> Choice:
        # Turns begin and end over several steps.
        turn = left_rad * self.ease if abs(left_rad) * self.ease < SOFT_RAD else left_rad
        turn = min(max(turn, gait.turn_rad - self.swerve_rad), gait.turn_rad + self.swerve_rad)
        used = self._find_paces(gait.speed_mps, 0.0 if gait.part > 0.0 else turn)
        weighed = [(pace, weight * (1.0 - gait.part)) for pace, weight in used]
        if gait.part > 0.0:
            weighed.append((self.styles[gait.style - 1], gait.part))
        weights = [weight for _, weight in weighed]
        move = blend([pace.steps[side] for pace, _ in weighed], weights)
        if gait.part == 0.0:
            move = self._sharpen(move, turn)
        gains = np.average([pace.gains for pace, _ in weighed], axis=0, weights=weights)
        # Styles have no turns of their own: they start in another direction, and feedback brings the body there.
        rest = min(max(left_rad, -STYLE_TURN_RAD), STYLE_TURN_RAD) if gait.part > 0.0 else 0.0
        return Choice(move, heading_rad + rest, gains, gait._replace(turn_rad=move.turn_rad))

    def _sharpen(self, move: Move, turn_rad: float) -> Move:
        """A step that turns farther than any pace: more so if the swing leg is on the inner side."""
        opens = (turn_rad > 0.0) == (move.stance == SIDES[1])
        most = self.open_rad if opens else self.cross_rad
        more = min(max(turn_rad - move.turn_rad, -most), most)
        return move if abs(more) < LITTLE_RAD else move.twisted(more, self.character)

    def _find_paces(self, speed_mps: float, turn_rad: float) -> list[tuple[Pace, float]]:
        """The paces around a speed and a turn, with their weights."""
        speeds = [row[len(row) // 2].speed_mps for row in self.paces]
        speed = min(max(speed_mps, speeds[0]), speeds[-1])
        k = min(max(int(np.searchsorted(speeds, speed)) - 1, 0), max(len(speeds) - 2, 0))
        if len(speeds) == 1:
            return _along(self.paces[0], turn_rad, 1.0)
        part = (speed - speeds[k]) / (speeds[k + 1] - speeds[k])
        reach = (1.0 - part) * _reach(self.paces[k]) + part * _reach(self.paces[k + 1])
        turn = min(max(turn_rad, -reach), reach)
        return _along(self.paces[k], turn, 1.0 - part) + _along(self.paces[k + 1], turn, part)


def _reach(row: Sequence[Pace]) -> float:
    """Largest turn of a step of these paces."""
    return max(p.turn_rad for p in row)


def _along(row: Sequence[Pace], turn_rad: float, weight: float) -> list[tuple[Pace, float]]:
    """The two paces of a row around a turn, with their shares of a weight."""
    turns = [p.turn_rad for p in row]
    if len(row) == 1:
        return [(row[0], weight)]
    turn = min(max(turn_rad, turns[0]), turns[-1])
    k = min(max(int(np.searchsorted(turns, turn)) - 1, 0), len(row) - 2)
    part = (turn - turns[k]) / (turns[k + 1] - turns[k])
    return [(row[k], weight * (1.0 - part)), (row[k + 1], weight * part)]


def wrap(angle_rad: float) -> float:
    """The angle wrapped to -π … π."""
    return float(math.remainder(angle_rad, 2.0 * math.pi))
