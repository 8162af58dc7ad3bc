"""Actions as rows of the table: joints, parts, chains and the places of their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from poise.controllers.script import layout as lay
from poise.controllers.script.assemble_space import find_gain, match_axes, outward, spread, way
from poise.language import tree
from poise.language.atoms import components
from poise.language.names import Body
from poise.language.tree import Angles, Value

Row = list[float]
#: [Firmin15, released code]
POSE_GAINS: Final = (300.0, 30.0)
RAMP_GAINS: Final = (1000.0, 100.0)
IK_TOLERANCE_M: Final = 0.05
_OTHER_HIPS: Final = {"lThigh": "rHip", "rThigh": "lHip", "left_thigh": "rHip", "right_thigh": "lHip"}


class Values(Protocol):
    def add(self, value: Value | float) -> int: ...


class RequestList:
    """The numbered requests of a program to the world."""

    def __init__(self) -> None:
        self.forces: list[tuple[int, str]] = []
        self.orders: list[tuple[str, str]] = []

    def add_force(self, segment: int, part: str) -> int:
        self.forces.append((segment, part))
        return len(self.forces) - 1

    def add_order(self, word: str, name: str) -> int:
        self.orders.append((word, name))
        return len(self.orders) - 1


class ActionRows:
    """Makes the rows of one script's actions. A COMFB2 waits here for the next VPD, even across phases."""

    def __init__(self, body: Body, take_states: Callable[[int], int], links: list[Row], requests: RequestList) -> None:
        self.body, self.take_states, self.links, self.requests = body, take_states, links, requests
        self.pending: tree.Comfb2 | None = None

    def make(self, action: tree.Action | tree.Toggle, values: Values) -> list[Row]:
        """The rows of an action; a list of poses has one for each joint."""
        match action:
            case tree.Pose():
                return [row for t in action.targets for row in self._servos(lay.POSE, t, values, POSE_GAINS)]
            case tree.Lipose():
                rows = self._servos(lay.LIPOSE, action.target, values, RAMP_GAINS)
                for row in rows:
                    row[lay.A_V3], row[lay.A_STATE] = values.add(action.time), self.take_states(3)
                return rows
            case tree.Match():
                return self._match(action, values)
            case tree.Hold():
                return [self._hold(axis, values) for axis in self.body.turns(action.joint.text) if axis >= 0]
            case tree.Posefb():
                return [row for law in action.laws for row in self._feedback(law, values)]
            case tree.Comfb2():
                self.pending = action
                return []
            case tree.Vpd():
                return self._vpd(action, values)
            case tree.Vf():
                row = self._force(lay.VF, action.part, action.joint, self.body.in_space)
                row[lay.A_V0], row[lay.A_V1] = values.add(action.force[0]), values.add(action.force[1])
                if self.body.in_space:
                    row[lay.A_V2] = values.add(action.force[2])
                return [row]
            case tree.Vffb():
                return [self._balance(action, values)]
            case tree.Vfsfb():
                row = self._force(lay.VFSFB, action.part, action.joint, action.side is not None)
                row[lay.A_V0], row[lay.A_V1] = values.add(action.cv), values.add(action.speed)
                if action.side is not None:
                    row[lay.A_V2], row[lay.A_V3] = values.add(action.side), values.add(action.drift or 0.0)
                return [row]
            case tree.Gc():
                return self._gravity(action)
            case tree.Ik():
                return [self._ik(action, values)]
            case tree.Ef():
                row = self._row(lay.EF, part=self.body.parts[action.part.text])
                row[lay.A_V0], row[lay.A_V1], row[lay.A_V2] = (values.add(f) for f in action.force)
                row[lay.A_FLAG] = self.requests.add_force(self.body.parts[action.part.text], action.part.text)
                return [row]
            case tree.Save() | tree.Load():
                row = self._row(lay.ORDER)
                row[lay.A_FLAG] = self.requests.add_order(type(action).__name__.upper(), action.file.text)
                return [row]
        row = self._row(lay.TOGGLE)
        row[lay.A_FLAG] = self.requests.add_order(action.word, action.entity.text)
        row[lay.A_STATE] = self.take_states(1)
        return [row]

    def _row(self, op: int, axis: int = -1, part: int = -1) -> Row:
        row = [-1.0] * lay.ACTION_SIZE
        row[lay.A_OP], row[lay.A_AXIS], row[lay.A_PART] = op, axis, part
        row[lay.A_LINK_COUNT], row[lay.A_FLAG], row[lay.A_REF_KIND] = 0.0, 0.0, lay.REF_NONE
        row[lay.A_TURN], row[lay.A_SENSE], row[lay.A_SIDE] = lay.TURN_SAGITTAL, 1.0, 0.0
        return row

    def _servos(self, op: int, target: tree.Target, values: Values, defaults: tuple[float, float]) -> list[Row]:
        """One row for the sagittal form, one for each axis in space."""
        rows = []
        for k, axis, angle in spread(self.body, target.joint.text, target.angle):
            row = self._row(op, axis=axis)
            row[lay.A_V0] = values.add(angle)
            row[lay.A_V1], row[lay.A_V2] = self._gains(target.gains, values, defaults, k)
            rows.append(row)
        return rows

    def _gains(
        self, gains: Sequence[Angles], values: Values, defaults: tuple[float, float], component: int = 0
    ) -> tuple[int, int]:
        given: list[Value | float] = [*(find_gain(g, component) for g in gains), *defaults[len(gains) :]]
        return values.add(given[0]), values.add(given[1])

    def _hold(self, axis: int, values: Values) -> Row:
        row = self._row(lay.HOLD, axis=axis)
        row[lay.A_V1], row[lay.A_V2] = (values.add(g) for g in RAMP_GAINS)
        row[lay.A_STATE] = self.take_states(2)
        return row

    def _match(self, action: tree.Match, values: Values) -> list[Row]:
        rows = []
        for axis, other in match_axes(self.body, action.joint.text, action.to.text):
            row = self._row(lay.MATCH, axis=axis)
            row[lay.A_OTHER] = other
            row[lay.A_V1], row[lay.A_V2] = self._gains(action.gains, values, RAMP_GAINS)
            if action.time is not None:
                row[lay.A_OP], row[lay.A_V3] = lay.LIMATCH, values.add(action.time)
                row[lay.A_STATE] = self.take_states(4)
            rows.append(row)
        return rows

    def _feedback(self, law: tree.Feedback, values: Values) -> list[Row]:
        row = self._row(lay.POSEFB, axis=self.body.joints[law.joint.text])
        row[lay.A_V0], row[lay.A_V1] = values.add(law.cd), values.add(law.cv)
        row[lay.A_REF_KIND], row[lay.A_REF] = self._reference(law.kind[0], law.on.text)
        if law.side is None:
            return [row]
        across = self._row(lay.POSEFB, axis=self.body.turns(law.joint.text)[1])
        across[lay.A_V0], across[lay.A_V1] = (values.add(v) for v in law.side)
        across[lay.A_REF_KIND], across[lay.A_REF] = row[lay.A_REF_KIND] + lay.REF_ACROSS, row[lay.A_REF]
        across[lay.A_SENSE] = outward(self.body, law.joint.text)
        return [row, across]

    def _reference(self, kind: str, name: str) -> tuple[int, int]:
        if kind == "j":
            return lay.REF_JOINT, self.body.axis_segments[self.body.joints[name]]
        if kind == "p":
            return lay.REF_PART, self.body.parts[name]
        return lay.REF_FEET, -1

    def _vpd(self, action: tree.Vpd, values: Values) -> list[Row]:
        """One row for the sagittal form, one for each angle of the part in space."""
        part, axis = self.body.parts[action.part.text], self.body.joints[action.joint.text]
        law, self.pending = self.pending, None
        rows, in_space = [], isinstance(action.angle, tree.Vector)
        for k, angle in enumerate(components(action.angle)):
            row = self._row(lay.VPD, axis, part)
            row[lay.A_V0] = values.add(angle)
            row[lay.A_V1], row[lay.A_V2] = self._gains(action.gains, values, POSE_GAINS, k)
            # A neighbouring part's rate contains the joint's own: 1 for the child, -1 for the parent.
            moved = self.body.axis_segments[axis]
            row[lay.A_FLAG] = 1.0 if part == moved else -1.0 if part == self.body.parents[moved] else 0.0
            if action.parent is not None:
                row[lay.A_SIDE] = -1.0 if self.body.hangs_on(part, axis) else 1.0
            if action.flags is not None and action.flags.text == "s" and action.part.text in _OTHER_HIPS:
                row[lay.A_OTHER] = self.body.joints[_OTHER_HIPS[action.part.text]]
            if in_space:
                row[lay.A_TURN] = lay.TURN_PITCH + k
                row[lay.A_SENSE] = -1.0 if k > 0 and self.body.side(action.part.text) < 0 else 1.0
            self._add_law(row, law, k, action.part.text, values)
            rows.append(row)
        return rows

    def _add_law(self, row: Row, law: tree.Comfb2 | None, component: int, part: str, values: Values) -> None:
        """Add the feedback of a COMFB2: its main gains for the pitch, its side gains for the roll."""
        gains = None if law is None else ((law.cd, law.cv), law.side, None)[component]
        if law is None or gains is None:
            return
        kind, row[lay.A_REF] = self._reference(law.kind.text, law.on.text)
        row[lay.A_REF_KIND] = kind + (lay.REF_ACROSS if component else 0)
        row[lay.A_V3], row[lay.A_LINKS] = (values.add(g) for g in gains)
        # The sign of d, positive to the left, in an angle that is positive outward.
        row[lay.A_LINK_COUNT] = outward(self.body, part) if component else 1.0

    def _balance(self, action: tree.Vffb, values: Values) -> Row:
        row = self._force(lay.VFFB, action.part, action.joint, action.side is not None)
        row[lay.A_V0], row[lay.A_V1] = values.add(action.cd), values.add(action.cv)
        over = action.over.text
        fixed = {tree.CENTRE_OF_PRESSURE: lay.REF_COP, tree.FEET: lay.REF_FEET}
        row[lay.A_REF_KIND] = fixed.get(over, lay.REF_PART)
        row[lay.A_REF] = -1 if over in fixed else self.body.parts[over]
        if action.side is not None:
            row[lay.A_V2], row[lay.A_V3] = (values.add(g) for g in action.side)
        return row

    def _force(self, op: int, part: tree.Name, joint: tree.Name, in_space: bool) -> Row:
        segment, axis = self.body.parts[part.text], self.body.joints[joint.text]
        row = self._row(op, axis, segment)
        row[lay.A_LINKS], row[lay.A_LINK_COUNT] = self._chain(segment, axis, in_space)
        return row

    def _chain(self, segment: int, axis: int, in_space: bool) -> tuple[int, int]:
        first = len(self.links)
        for a in self.body.chain(segment, axis, in_space):
            self.links.append([float(a), 1.0 if self.body.hangs_on(segment, a) else -1.0, *[0.0] * 6])
        return first, len(self.links) - first

    def _gravity(self, action: tree.Gc) -> list[Row]:
        """A force for each link from the part to the joint, and for the link beyond the joint."""
        segment, axis = self.body.parts[action.part.text], self.body.joints[action.joint.text]
        moved = self.body.axis_segments[axis]
        links = {segment}
        for a in self.body.chain(segment, axis):
            links |= {self.body.axis_segments[a], self.body.parents[self.body.axis_segments[a]]}
        links |= {moved, self.body.parents[moved]}
        rows = []
        for link in sorted(links):
            row = self._row(lay.GC, axis, link)
            row[lay.A_LINKS], row[lay.A_LINK_COUNT] = self._chain(link, axis, self.body.in_space)
            rows.append(row)
        return rows

    def _ik(self, action: tree.Ik, values: Values) -> Row:
        segment, axis = self.body.parts[action.part.text], self.body.joints[action.base.text]
        in_space = self.body.in_space
        row = self._row(lay.IK_SPACE if in_space else lay.IK, axis, segment)
        row[lay.A_V0], row[lay.A_V1] = values.add(action.goal[0]), values.add(action.goal[1])
        row[lay.A_V2] = values.add(IK_TOLERANCE_M if action.tolerance is None else action.tolerance)
        if in_space:
            row[lay.A_V3] = values.add(action.goal[2])
        row[lay.A_FLAG] = float(action.frame == "local")
        row[lay.A_LINKS] = len(self.links)
        chain = self.body.chain(segment, axis, in_space)[::-1]
        for k, a in enumerate(chain):
            x, y, z = way(self.body, a, chain[k + 1] if k + 1 < len(chain) else -1, segment)
            self.links.append([float(a), 1.0, x, z, y, *self.body.character.axes[a].direction])
        row[lay.A_LINK_COUNT] = len(chain)
        row[lay.A_STATE] = self.take_states(1 + len(chain))
        return row
