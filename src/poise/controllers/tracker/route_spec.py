"""Random routes as data: clips and gains, built into a `Controller`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.characters.model import SIDES, Character
from poise.controllers.tracker.engine import Choice, Engine, commands_at
from poise.controllers.tracker.moves import cut_move, find_headings_rad
from poise.controllers.tracker.reference import Reference
from poise.controllers.tracker.route import Node, Route, make_graph
from poise.controllers.tracker.spec import Gains, check_body, read_gains
from poise.controllers.tracker.steer_spec import assemble, find_stand, load_references, load_stand
from poise.errors import InputError
from poise.motion.rotations import FloatArray
from poise.tables import as_table
from poise.world.controller import Controller, Parameter
from poise.world.world import World

METHOD: Final = "tracker-route"
#: Steps at either end of a clip that belong to starting and stopping.
ENDS: Final = 2


class RouteEngine(Engine):
    """Draws its routes with the controller's own seed."""

    def decide(self, world: World, causes: Collection[str] = ()) -> None:
        if not self._entries:
            at = commands_at(world.characters[self.character])
            self._random = np.random.default_rng(int(world.params[self.character][at]))
        super().decide(world, causes)


def cut_nodes(clip: str, reference: Reference, gains: FloatArray, first: int) -> list[Node]:
    """The steps of a clip, except those at its ends; `first` is the index of the first."""
    steps = [f for f in reference.fragments() if f.stance in SIDES][ENDS:-ENDS]
    if len(steps) < 2:
        raise InputError(f"clip {clip} has too few steps for a route")
    stride = round(2.0 * float(np.mean([f.last - f.first for f in steps])))
    headings = find_headings_rad(reference, stride)
    nodes = [Node(clip, cut_move(reference, f, headings), gains, first + k + 1) for k, f in enumerate(steps)]
    return [*nodes[:-1], replace(nodes[-1], recorded_next=-1)]


def build(clips: Mapping[str, Reference], stand: Reference, name: str, gains: Gains, description: str) -> Controller:
    """A controller that wanders over the steps of clips."""
    packed = np.array(gains.pack())
    nodes: list[Node] = []
    for clip, reference in clips.items():
        nodes += cut_nodes(clip, reference, packed, len(nodes))
    still, leave = find_stand(stand)
    route = Route(make_graph(nodes), Choice(still, 0.0, packed), Choice(leave, 0.0, packed))
    at = commands_at(stand.character)
    parameters = (Parameter("seed", at, 0.0, 1e9, "seed of the random route"),)
    return assemble(name, stand.character, packed, [0.0], route.stand, parameters, partial(_make, route), description)


def _make(route: Route, character: int) -> RouteEngine:
    return RouteEngine(route, character)


def build_from_table(
    table: Mapping[str, Any], character: Character, name: str, description: str, folder: Path | None = None
) -> Controller:
    """The controller of a file: `clips` and `stand` name clips, and all of them share `gains`."""
    table = as_table(table, name)
    table.only("clips", "stand", "gains")
    gains = read_gains(table.table("gains"), name)
    check_body(character)
    references = load_references(table, "clips", character, folder)
    if not references:
        table.fail("must name at least one clip", "clips")
    stand = load_stand(table, character, folder)
    with table.errors_at():
        return build(references, stand, name, gains, description)
