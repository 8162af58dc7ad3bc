"""Random routes over the graph of fragments: any step that continues the current one may follow it [Lee10 §3, §5].

Nodes are the steps of all clips. Edges lead from a step to those on the other foot whose first pose and velocity are
most similar to its last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from poise.characters.model import SIDES
from poise.controllers.tracker.engine import Choice, Entry
from poise.controllers.tracker.moves import OTHER, Move
from poise.controllers.tracker.reference import RATE_HZ
from poise.errors import InputError
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_to_rotation_vector
from poise.world.plain_data import read_whole

#: How much likelier the recorded next step is than one of another clip: a clip should be visible for a few steps.
GOING_ON: Final = 6.0
#: Weight of a difference in joint speed (rad/s) relative to one in joint angle (rad).
SPEED_SCALE_S: Final = 0.1
#: Weight of a difference in walking speed (m/s) relative to one in joint angle (rad).
WALK_SCALE: Final = 0.4
#: A step may only follow if it differs by no more than this, as a mean over joints (rad).
FARTHEST: Final = 0.6


@dataclass(frozen=True, eq=False)
class Node:
    """A step: its clip, its gains, and the node that was recorded after it (-1: none)."""

    clip: str
    move: Move
    gains: FloatArray
    recorded_next: int = -1


@dataclass(frozen=True, eq=False)
class FragmentGraph:
    """Steps, and which may follow which."""

    nodes: Sequence[Node]
    edges: Sequence[Sequence[int]]

    @property
    def first(self) -> int:
        """The first step on the left foot."""
        return next(k for k, node in enumerate(self.nodes) if node.move.stance == SIDES[0] and self.edges[k])


def compare(one: Move, other: Move) -> float:
    """Distance between the end of a move and the start of another: mean difference of joint angles and speeds.

    Moves at different walking speeds are farther apart, too.
    """
    gap = _between(one.turns[-1], other.turns[0])[1:]
    before, after = _between(one.turns[-2], one.turns[-1])[1:], _between(other.turns[0], other.turns[1])[1:]
    speeds = SPEED_SCALE_S * RATE_HZ * (after - before)
    joints = np.mean(np.linalg.norm(gap, axis=-1) + np.linalg.norm(speeds, axis=-1))
    return float(joints) + WALK_SCALE * abs(one.speed_mps - other.speed_mps)


def _between(a: FloatArray, b: FloatArray) -> FloatArray:
    return quat_to_rotation_vector(quat_multiply(quat_conjugate(a), b))


def make_graph(nodes: Sequence[Node]) -> FragmentGraph:
    """Connect every step to those most like its continuation, and keep the largest strongly connected part."""
    edges = [_find_ways(nodes, k) for k in range(len(nodes))]
    table = np.zeros((len(nodes), len(nodes)), dtype=bool)
    for k, ways in enumerate(edges):
        table[k, ways] = True
    # A route continues indefinitely only if every step can be reached again.
    _, labels = connected_components(csr_matrix(table), directed=True, connection="strong")
    most = int(np.argmax(np.bincount(labels)))
    good = {k for k in range(len(nodes)) if labels[k] == most}
    if len(good) < 2:
        raise InputError("no two steps of these clips fit together", where="route")
    return FragmentGraph(nodes, [[n for n in ways if n in good] if k in good else [] for k, ways in enumerate(edges)])


def _find_ways(nodes: Sequence[Node], k: int) -> list[int]:
    """The step that was recorded next, and the best match in every clip, if it is close enough."""
    node = nodes[k]
    best: dict[str, tuple[float, int]] = {}
    for n, other in enumerate(nodes):
        if n != node.recorded_next and other.move.stance == OTHER.get(node.move.stance):
            best[other.clip] = min(best.get(other.clip, (FARTHEST, -1)), (compare(node.move, other.move), n))
    ways = [n for _, n in best.values() if n >= 0]
    return [node.recorded_next, *ways] if node.recorded_next >= 0 else ways


@dataclass(frozen=True, eq=False)
class Route:
    """Chooses at random among the steps that may follow."""

    graph: FragmentGraph
    stand: Choice
    leave: Choice

    def begin(self, params: FloatArray) -> Choice:
        return replace(self.stand, note=-1)

    def choose_next(self, params: FloatArray, now: Entry, random: np.random.Generator) -> Sequence[Choice]:
        if now.stance == "both":
            if now.note == -1:
                return [replace(self.leave, heading_rad=now.heading_rad, note=-2)]
            chosen = self.graph.first
        else:
            ways, clip = self.graph.edges[now.note], self.graph.nodes[now.note].clip
            weights = np.array([GOING_ON if self.graph.nodes[n].clip == clip else 1.0 for n in ways])
            chosen = int(random.choice(np.array(ways), p=weights / weights.sum()))
        node = self.graph.nodes[chosen]
        return [Choice(node.move, now.heading_rad, node.gains, chosen)]

    def read_note(self, note: Any) -> int:
        return read_whole(note, -2, len(self.graph.nodes) - 1)
