"""Steered tracking as data: clips of even walks, styles and standing, and gains, built into a `Controller`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.characters.model import SIDES, Character
from poise.controllers.tracker import layout
from poise.controllers.tracker.cycle import Track
from poise.controllers.tracker.engine import Choice, Engine, commands_at, make_params, write_slot
from poise.controllers.tracker.guard import GUARD
from poise.controllers.tracker.law import tracker_law
from poise.controllers.tracker.moves import Move, cut_move, cut_pair
from poise.controllers.tracker.reference import Reference, make_reference
from poise.controllers.tracker.spec import Gains, check_body, make_start, read_gains
from poise.controllers.tracker.steer import HEADING, SPEED, STYLE, Gait, Pace, Steering
from poise.errors import InputError
from poise.motion.fragments import Fragment
from poise.motion.load import load_clip
from poise.motion.rotations import FloatArray
from poise.motion.shipped import find_clip
from poise.tables import Table, as_table
from poise.world.controller import Controller, Parameter

METHOD: Final = "tracker-steer"
PLAIN: Final = "plain"
STAND_FRAMES, LEAVE_FRAMES = 12, 10
"""Frames of standing that are repeated, and frames before the first landing that shift the weight onto one foot."""

LEARNING_TURN_RAD: Final = 0.15
SAME_SPEED_MPS: Final = 0.12
"""Paces whose speeds differ by less than this are turns of the same walk."""


def load_reference(name: str, character: Character, folder: Path | None = None) -> Reference:
    """A clip, by its name or file, on a character."""
    return make_reference(load_clip(find_clip(name, folder)), character)


def load_references(table: Table, key: str, character: Character, folder: Path | None) -> dict[str, Reference]:
    """The clips that a table lists under a key, on a character, by name."""
    references = {}
    for k, clip in enumerate(table.strings(key, ())):
        with table.errors_at(key, k):
            references[clip] = load_reference(clip, character, folder)
    return references


def load_stand(table: Table, character: Character, folder: Path | None) -> Reference:
    """The clip that a table names under `stand`, on a character."""
    name = table.string("stand")
    with table.errors_at("stand"):
        return load_reference(name, character, folder)


def make_pace(reference: Reference, gains: Gains) -> Pace:
    """An even walk."""
    steps = cut_pair(reference)
    speed = float(np.mean([m.speed_mps for m in steps.values()]))
    turn = float(np.mean([m.turn_rad for m in steps.values()]))
    if abs(turn) > LEARNING_TURN_RAD:
        # What a body learns about its speed in turns is wrong for straight walking.
        gains = replace(gains, speed_learning=0.0)
    return Pace(speed, turn, steps, np.array(gains.pack()))


def mirror_pace(pace: Pace, character: Character) -> Pace:
    """The mirror image of a walk."""
    steps = {str(move.stance): move for move in (m.mirrored(character) for m in pace.steps.values())}
    return Pace(pace.speed_mps, -pace.turn_rad, steps, pace.gains)


def arrange(paces: Sequence[Pace], character: Character) -> list[list[Pace]]:
    """Paces in rows of about equal speed, each with its mirror images, from right to left."""
    ordered = sorted(paces, key=lambda p: p.speed_mps)
    starts = np.cumsum([k > 0 and b.speed_mps - a.speed_mps > SAME_SPEED_MPS for k, (a, b) in enumerate(
        zip([ordered[0], *ordered], ordered, strict=False)
    )])  # fmt: skip
    rows = []
    for _, group in groupby(zip(starts, ordered, strict=True), key=lambda pair: pair[0]):
        row = [p for _, p in group]
        straight = min(row, key=lambda p: abs(p.turn_rad))
        turns = sorted((p for p in row if p is not straight), key=lambda p: p.turn_rad)
        rows.append([*(mirror_pace(p, character) for p in reversed(turns)), straight, *turns])
    return rows


def find_stand(reference: Reference) -> tuple[Move, Move]:
    """Standing, and the shift onto the left foot, from a clip that begins with them."""
    first, second = reference.fragments()[:2]
    if first.stance != "both" or second.stance != SIDES[0] or first.last < STAND_FRAMES + LEAVE_FRAMES:
        raise InputError("must begin by standing on both feet, then on the left one", where=reference.character.name)
    still = np.zeros(reference.frames)
    stand = cut_move(reference, Fragment(0, STAND_FRAMES, "both"), still)
    leave = cut_move(reference, Fragment(first.last - LEAVE_FRAMES, first.last, "both"), still)
    return stand, leave


def build(
    paces: Mapping[str, Reference],
    styles: Mapping[str, Reference],
    stand: Reference,
    name: str,
    gains: Gains,
    clip_gains: Mapping[str, Gains] | None = None,
    description: str = "",
) -> Controller:
    """A controller that is steered by speed, heading and style."""
    character = stand.character
    still, leave = find_stand(stand)
    packed, own = np.array(gains.pack()), clip_gains or {}
    steering = Steering(
        paces=arrange([make_pace(r, own.get(n, gains)) for n, r in paces.items()], character),
        styles=[make_pace(r, own.get(n, gains)) for n, r in styles.items()],
        stand=Choice(still, 0.0, packed, Gait()),
        leave=Choice(leave, 0.0, packed),
        commands_at=commands_at(character),
        character=character,
    )
    return assemble(
        name,
        character,
        packed,
        [0.0, 0.0, 0.0],
        steering.stand,
        _list_parameters(steering, tuple(styles)),
        partial(_make_engine, steering),
        description,
    )


def assemble(
    name: str,
    character: Character,
    gains: FloatArray,
    commands: Sequence[float],
    first: Choice,
    parameters: tuple[Parameter, ...],
    pilot: Callable[[int], Engine],
    description: str,
) -> Controller:
    """A controller whose moves are made during the run; it begins by standing, with `first`."""
    params = make_params(character, gains, commands)
    write_slot(params, character, 0, first, 1, -1)
    track = Track(first.move.on(character), (Fragment(0, first.move.length, "both"),))
    return Controller(
        name=name,
        law=tracker_law,
        params=params,
        memory=np.zeros(layout.MEMORY),
        parameters=parameters,
        start=make_start(track),
        description=description,
        limits_itself=True,
        drives="acceleration",
        pilot=pilot,
        ground="springs",
        guard=GUARD,
    )


def _make_engine(steering: Steering, character: int) -> Engine:
    return Engine(steering, character, takes_commands=True)


def _list_parameters(steering: Steering, styles: tuple[str, ...]) -> tuple[Parameter, ...]:
    speeds = [row[0].speed_mps for row in steering.paces]
    at = steering.commands_at
    low, high = (float(np.round(v, 2)) for v in (min(speeds), max(speeds)))
    return (
        Parameter("speed_mps", at + SPEED, low, high, "forward velocity, along the heading"),
        Parameter("heading_deg", at + HEADING, -3600.0, 3600.0, "direction to face, counter-clockwise from +x"),
        Parameter("style", at + STYLE, 0.0, float(len(styles)), "style of walking", (PLAIN, *styles)),
    )


def build_from_table(
    table: Mapping[str, Any], character: Character, name: str, description: str, folder: Path | None = None
) -> Controller:
    """The controller of a file: `paces`, `styles` and `stand` name clips; `clip_gains` overrides the gains of some."""
    table = as_table(table, name)
    table.only("paces", "styles", "stand", "gains", "clip_gains")
    base, given = table.table("gains"), table.table("clip_gains")
    gains = read_gains(base, name)
    check_body(character)
    paces, styles = (load_references(table, key, character, folder) for key in ("paces", "styles"))
    if not paces:
        table.fail("must name at least one clip", "paces")
    for clip in given:
        given.check_known("clip", clip, [*paces, *styles], clip)
    clip_gains = {clip: read_gains(own.with_data({**base, **own}), name) for clip, own in given.children()}
    stand = load_stand(table, character, folder)
    with table.errors_at():
        styles = {style: _cut_even(reference) for style, reference in styles.items()}
        return build(paces, styles, stand, name, gains, clip_gains, description)


def _cut_even(reference: Reference) -> Reference:
    """The middle of a walk that begins and ends with standing."""
    steps = [f for f in reference.fragments() if f.stance in SIDES]
    inner = steps[len(steps) // 4 : -(len(steps) // 4) or None]
    return reference.cut(inner[0].first, inner[-1].last)
