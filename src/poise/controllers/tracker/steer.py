"""Steering: steps are blended for every speed and turn that is asked for, and for a style [Lee10 §5, Interactive].

Paces are even walks, each with its speed and what a step of it turns by; to the right they are the mirror images of
those to the left. A step is blended from the four paces around the wanted speed and turn, and its gains with it.
Sharper turns than those of the paces are made by turning the body farther over its stance leg.
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
"""Commands, as they stand behind the rest of params."""

AT_REST_MPS: Final = 0.05
#: A standing body that faces this far away from where it should steps around.
FACING_RAD: Final = math.radians(8.0)
FIRST_TURN_RAD: Final = math.radians(10.0)
FIRST_STEPS: Final = 3
#: In a style, a step turns by at most this much.
STYLE_TURN_RAD: Final = math.radians(12.0)
#: Turns below this are softly ended.
SOFT_RAD: Final = math.radians(60.0)
#: Turns that any pace can make.
SLIGHT_RAD: Final = math.radians(5.0)
#: After steps that turn farther than this the body drifts, for so many steps.
SHARP_RAD: Final = math.radians(32.0)
DRIFT_STEPS: Final = 4
#: Turns that are not worth the trouble.
LITTLE_RAD: Final = math.radians(1.0)
#: Who can turn by this part of the sharpest turn need not slow down further.
NEARLY: Final = 0.85
#: How much a style comes or goes with a step.
STYLE_STEP: Final = 0.5


@dataclass(frozen=True, eq=False)
class Pace:
    """Both steps of an even walk."""

    speed_mps: float
    turn_rad: float
    steps: Mapping[str, Move]
    gains: FloatArray


class Gait(NamedTuple):
    """How it goes now: at which speed, and how much of which style is in it."""

    speed_mps: float = 0.0
    style: int = 0
    part: float = 0.0
    #: Since it stood.
    steps: int = 0
    #: What the last step turned by.
    turn_rad: float = 0.0
    #: Steps for which it may still drift after a sharp turn.
    drift: int = 0


@dataclass(frozen=True, eq=False)
class Steering:
    """Chooses moves by commands. Rows of paces are ordered by speed, paces of a row by turn, from right to left."""

    paces: Sequence[Sequence[Pace]]
    styles: Sequence[Pace]
    stand: Choice
    #: From standing to the first landing: what comes before a step on each foot.
    leave: Choice
    commands_at: int
    character: Character
    accelerate_mps: float = 0.25
    #: The least speed of the steps after a sharp turn.
    drift_mps: float = 0.7
    #: How much more or less a step may turn than the one before, and how much of a small turn is taken at once.
    swerve_rad: float = math.radians(60.0)
    ease: float = 0.85
    #: How much farther than its paces a step may turn: if the swing leg opens to the inner side, and if it crosses.
    open_rad: float = math.radians(50.0)
    cross_rad: float = math.radians(10.0)

    # -- as a chooser -----------------------------------------------------------------------------------------------

    def begin(self, params: FloatArray) -> Choice:
        """It stands, and faces where it is told."""
        return replace(self.stand, note=Gait())

    def go_on(self, params: FloatArray, now: Entry, random: np.random.Generator) -> Sequence[Choice]:
        """The next step by what is asked for now; standing where nothing is."""
        speed, heading, style = params[self.commands_at : self.commands_at + 3]
        gait = now.note or Gait()
        left_rad = wrap(math.radians(float(heading)) - now.heading_rad)
        rests = abs(speed) < AT_REST_MPS and abs(left_rad) < FACING_RAD
        if now.stance == "both":
            if rests:
                # Who is about to fall while standing steps instead.
                step = self._step(SIDES[0], Gait(steps=1), 0.0, now.heading_rad)
                return [replace(self.stand, heading_rad=now.heading_rad, note=Gait()), step]
            if now.note is not None:
                return [replace(self.leave, heading_rad=now.heading_rad, note=None)]
            side = SIDES[0]
        else:
            side = OTHER[now.stance]
        # First steps go nearly straight ahead: the weight is still on its way.
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
        """The gait of the next step: as near to what is asked for as a step may come.

        Sharp turns are slow, but not too slow: after one the body still drifts to where it came from, and only steps
        that go ahead bring it out of that.
        """
        low, high = self._speeds_for(left_rad)
        sharp = abs(gait.turn_rad) > SHARP_RAD
        drift = DRIFT_STEPS if sharp else max(gait.drift - 1, 0)
        if drift > 0:
            low = max(low, self.drift_mps)
            high = max(low, high)
        wanted_mps, most = min(max(speed_mps, low), high), self.accelerate_mps
        speed = gait.speed_mps + min(max(wanted_mps - gait.speed_mps, -most), most)
        # One style goes before another comes, and turns are plain, as in the source.
        turns = abs(left_rad) > STYLE_TURN_RAD
        wanted = 1.0 if style == gait.style and style > 0 and speed_mps >= AT_REST_MPS and not turns else 0.0
        part = gait.part + min(max(wanted - gait.part, -STYLE_STEP), STYLE_STEP)
        return Gait(speed, style if part == 0.0 else gait.style, part, gait.steps + 1, gait.turn_rad, drift)

    def _speeds_for(self, turn_rad: float) -> tuple[float, float]:
        """Between which speeds one can turn so far with a step, or nearly as far as ever."""
        asked = min(abs(turn_rad) - SLIGHT_RAD, NEARLY * max(_reach(row) for row in self.paces))
        speeds = [row[0].speed_mps for row in self.paces if _reach(row) >= asked]
        return min(speeds), max(speeds)

    def _step(self, side: str, gait: Gait, left_rad: float, heading_rad: float) -> Choice:
        # Turns set in and end over some steps.
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
        # Styles have no turns of their own: they set out in another direction, and feedback brings the body there.
        rest = min(max(left_rad, -STYLE_TURN_RAD), STYLE_TURN_RAD) if gait.part > 0.0 else 0.0
        return Choice(move, heading_rad + rest, gains, gait._replace(turn_rad=move.turn_rad))

    def _sharpen(self, move: Move, turn_rad: float) -> Move:
        """A step that turns farther than any pace does: more so where the swing leg is on the inner side."""
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
    """What a step of these paces can turn by."""
    return max(p.turn_rad for p in row)


def _along(row: Sequence[Pace], turn_rad: float, weight: float) -> list[tuple[Pace, float]]:
    """The two paces of a row around a turn, with their parts of a weight."""
    turns = [p.turn_rad for p in row]
    if len(row) == 1:
        return [(row[0], weight)]
    turn = min(max(turn_rad, turns[0]), turns[-1])
    k = min(max(int(np.searchsorted(turns, turn)) - 1, 0), len(row) - 2)
    part = (turn - turns[k]) / (turns[k + 1] - turns[k])
    return [(row[k], weight * (1.0 - part)), (row[k + 1], weight * part)]


def wrap(angle_rad: float) -> float:
    """The same angle between -π and π."""
    return float(math.remainder(angle_rad, 2.0 * math.pi))
