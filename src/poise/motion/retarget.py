"""Retargeting of a clip to a character: rotations transferred, sizes scaled, feet on the ground without sliding."""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.characters.model import ROLES, SIDES, Character
from poise.kernels.fixed import arctan2
from poise.motion.body_plan import BodyPlan
from poise.motion.chain_ik import ChainSolver
from poise.motion.clip import Clip
from poise.motion.contacts import measure_sole_skate_mps
from poise.motion.foot_targets import find_root_drop_m, make_foot_targets, smooth_over
from poise.motion.joint_angles import compose_character, fit_joint
from poise.motion.leg_ik import relative, solve_knee_rad, turn_leg
from poise.motion.mapping import Mapping
from poise.motion.retarget_result import Retargeted, RetargetReport
from poise.motion.rotations import (
    FloatArray,
    quat_about,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_slerp,
)
from poise.motion.source_motion import SourceMotion, make_source_motion

_ROUNDS: Final = 3
"""Feet change their lowest points when ankles reach their limits, so legs are solved again."""

_REACH: Final = 0.999
_FOOT_WEIGHT: Final = 0.3
_BONE_WEIGHT: Final = 0.05
_GOAL_SIZE: Final = 0.1
"""For a leg of many joints, a tenth of its length counts as a radian, and rotations weigh less than the position."""

_NOWHERE_M: Final = 1e6
"""A length scale at which the position goal has no weight: only rotations matter."""

_TOLERATED_M: Final = 1e-4
"""Smaller penetrations of the ground are invisible."""

_TOUCH: Final = 0.004
"""A sole within this fraction of the leg length above the ground touches it."""

_NOTED_CUT_RAD: Final = 0.05
"""Smaller cuts by joint limits are not reported."""


def retarget(clip: Clip, mapping: Mapping, character: Character, *, scale: float | None = None) -> Retargeted:
    """Retarget a clip to a character; `scale` defaults to the ratio of the leg lengths."""
    plan = BodyPlan(character)
    source = make_source_motion(clip, mapping, plan, scale)
    return _Transfer(plan, source, clip).finish()


class _Transfer:
    """State of a retargeting: angles of all axes, the root's position and orientation, and the resulting segments."""

    def __init__(self, plan: BodyPlan, source: SourceMotion, clip: Clip) -> None:
        self.plan, self.source, self.clip = plan, source, clip
        self.character = plan.character
        self.wanted = self._carry_over()
        self.root_quat = self._fit_root(self.wanted[:, 0])
        self.angles = np.zeros((len(self.root_quat), len(self.character.axes)))
        self.cut = np.zeros_like(self.angles)
        self.columns = self._find_columns()
        for k in range(1, len(self.character.segments)):
            self._fit_segment(k, relative(self.wanted[:, plan.skeleton.parents[k]], self.wanted[:, k]))
        self._turn_arms()
        self.solved = False
        middle = plan.hips_m.mean(axis=0)
        self.root_pos = source.hips_w_m - quat_rotate(self.root_quat, np.broadcast_to(middle, source.hips_w_m.shape))
        self.root_pos[:, 2] += plan.ankle_m
        if self.character.root == "planar":
            self.root_pos[:, 1] = 0.0
        self.update()

    def _turn_arms(self) -> None:
        """Rotate arms whose shoulders have several hinges: these axes are solved together."""
        for side in SIDES:
            arm, forearm = self.plan.index(f"{side}_upper_arm"), self.plan.index(f"{side}_forearm")
            base = self.plan.index("trunk")
            if arm is None or base is None or f"{side}_upper_arm" not in self.source.parts:
                continue
            if self.plan.skeleton.parents[arm] in (base, self.plan.index("head"), 0):
                continue
            end = arm if forearm is None else forearm
            solver = ChainSolver(self.character, self.plan.skeleton, base, end)
            turns = {segment: (self.wanted[:, segment], 1.0) for segment in {arm, end}}
            still = np.zeros_like(self.source.hips_w_m)
            self.angles = solver.solve(self.angles, still, self.root_quat, still, turns, _NOWHERE_M)

    def finish(self) -> Retargeted:
        skate, sunk = self._measure()
        lifted = self._lift_body()
        targets = make_foot_targets(self.plan, self.source, self.hips(), self.clip.frame_s)
        feet = [self.plan.leg(side)[2] for side in SIDES]
        lowered = 0.0
        for _ in range(_ROUNDS):
            soles = [self.plan.sole_w_m(side, self.places, self.turns) for side in SIDES]
            goals = targets.place([sole - self.places[:, foot, None] for sole, foot in zip(soles, feet)])
            drop = find_root_drop_m(self.plan, self.hips(), goals, self.clip.frame_s, _REACH)
            self.root_pos[:, 2] -= drop
            lowered = max(lowered, float(drop.max()))
            self.update()
            for k, side in enumerate(SIDES):
                self._solve_leg(side, goals[:, k])
        self.solved = True
        lifted = max(lifted, self._lift_body())
        skate_after, sunk_after = self._measure()
        miss = float(np.linalg.norm(self.places[:, feet] - goals, axis=-1).max())
        report = RetargetReport(
            scale=self.source.scale,
            floor_slope=self.source.floor.slope,
            skate_before_mps=skate,
            skate_mps=skate_after,
            sunk_before_m=sunk,
            sunk_m=sunk_after,
            ankle_miss_m=miss,
            root_lowered_m=lowered,
            root_lifted_m=lifted,
            cut_deg=self._note_cuts(),
        )
        return Retargeted(self._make_clip(), self.angles, report)

    def _lift_body(self) -> float:
        """Lift the root wherever the body is below the ground; return the largest lift."""
        if self.source.floor.is_ramp:
            return 0.0
        lowest = self.plan.find_lowest_skin_m(self.places, self.turns)
        if self.solved:
            soles = [self.plan.sole_w_m(side, self.places, self.turns)[..., 2].min(axis=1) for side in SIDES]
            lowest = np.minimum(lowest, np.minimum(*soles))
        sunk = np.maximum(-lowest, 0.0)
        if float(sunk.max()) < _TOLERATED_M:
            return 0.0
        lift = smooth_over(sunk, self.clip.frame_s)
        self.root_pos[:, 2] += lift
        self.update()
        return float(lift.max())

    def update(self) -> None:
        """Recompute positions and rotations of all segments from the current root and angles."""
        quats = compose_character(self.character, self.angles)
        quats[:, 0] = self.root_quat
        self.quats = quats
        self.places, self.turns = self.plan.skeleton.compute_globals(self.root_pos, quats)

    def hips(self) -> FloatArray:
        return self.places[:, [self.plan.leg(side)[0] for side in SIDES]]

    def _carry_over(self) -> FloatArray:
        """Wanted orientations of all segments in the world, (F, S, 4)."""
        segments = self.character.segments
        wanted: dict[int, FloatArray] = {}
        for role in ROLES:
            segment = self.plan.index(role)
            if segment is not None and role in self.source.parts and segment not in wanted:
                bone = self.plan.bone_turns.get(role)
                part = self.source.parts[role]
                wanted[segment] = part if bone is None else quat_multiply(part, bone)
        wanted.setdefault(0, self.source.parts["pelvis"])
        self._fill_between(wanted)
        rest = self._rest_quats()
        for k in range(len(segments)):
            if k not in wanted:
                wanted[k] = quat_multiply(wanted[self.plan.skeleton.parents[k]], rest[k])
        return np.stack([wanted[k] for k in range(len(segments))], axis=1)

    def _rest_quats(self) -> FloatArray:
        """Joint rotations in the character's rest pose, for segments that the clip lacks."""
        pose = self.character.rest_pose_rad
        angles = np.array([[pose.get(name, 0.0) for name in self.character.axis_names]])
        return compose_character(self.character, angles)[0]

    def _fill_between(self, wanted: dict[int, FloatArray]) -> None:
        """Give segments between two known ones (a lower back) their share of the rotation between these."""
        parents = self.plan.skeleton.parents
        for low in sorted(wanted):
            chain = []
            joint = parents[low]
            while joint >= 0 and joint not in wanted:
                chain.append(joint)
                joint = parents[joint]
            if joint >= 0:
                for k, between in enumerate(reversed(chain), start=1):
                    wanted[between] = quat_slerp(wanted[joint], wanted[low], k / (len(chain) + 1))

    def _fit_root(self, quats: FloatArray) -> FloatArray:
        """The root's orientation; a planar root only pitches."""
        if self.character.root == "free":
            return quats
        return quat_about((0.0, 1.0, 0.0), 2.0 * arctan2(quats[:, 2], quats[:, 0]))

    def _find_columns(self) -> list[slice]:
        columns, start = [], 0
        for segment in self.character.segments:
            count = len(segment.joint.axes) if segment.joint is not None else 0
            columns.append(slice(start, start + count))
            start += count
        return columns

    def _fit_segment(self, segment: int, quats: FloatArray) -> None:
        joint = self.character.segments[segment].joint
        assert joint is not None
        fitted = fit_joint(joint, quats)
        self.angles[:, self.columns[segment]] = fitted.angles_rad
        self.cut[:, self.columns[segment]] = fitted.cut_rad

    def _solve_leg(self, side: str, goals_m: FloatArray) -> None:
        """Solve hip, knee and ankle of a side to move the ankle to its goal and keep the foot's orientation."""
        thigh, shank, foot = self.plan.leg(side)
        if not self.plan.has_plain_leg(side):
            self._solve_chain(thigh, shank, foot, goals_m)
            return
        above = self.plan.skeleton.parents[thigh]
        hip = self.places[:, thigh]
        foot_turn = self.wanted[:, foot]
        self._bend_knee(shank, np.linalg.norm(goals_m - hip, axis=-1))
        self.update()
        to_ankle = quat_rotate(quat_conjugate(self.turns[:, thigh]), self.places[:, foot] - hip)
        turned = turn_leg(self.turns[:, thigh], to_ankle, goals_m - hip)
        self._fit_segment(thigh, relative(self.turns[:, above], turned))
        self.update()
        self._fit_segment(foot, relative(self.turns[:, shank], foot_turn))
        self.update()

    def _solve_chain(self, thigh: int, shank: int, foot: int, goals_m: FloatArray) -> None:
        """The same for a leg of more joints, solving all axes at once."""
        base = self.plan.index("pelvis") or 0
        solver = ChainSolver(self.character, self.plan.skeleton, base, foot)
        wishes = {foot: _FOOT_WEIGHT, thigh: _BONE_WEIGHT, shank: _BONE_WEIGHT}
        turns = {segment: (self.wanted[:, segment], weight) for segment, weight in wishes.items()}
        self.angles = solver.solve(
            self.angles, self.root_pos, self.root_quat, goals_m, turns, _GOAL_SIZE * self.plan.leg_m
        )
        self.update()

    def _bend_knee(self, shank: int, distance_m: FloatArray) -> None:
        segment = self.character.segments[shank]
        assert segment.joint is not None
        offsets, foot = self.plan.skeleton.offsets_m, self.plan.skeleton.children[shank]
        if len(segment.joint.axes) != 1:
            axis, usual = np.array([0.0, 1.0, 0.0]), 1.0
            angle = solve_knee_rad(offsets[shank], offsets[foot[0]], axis, distance_m, usual)
            self._fit_segment(shank, quat_about(axis, angle))
            return
        only = segment.joint.axes[0]
        column = self.columns[shank].start
        usual = 0.5 * (only.low_rad + only.high_rad)
        if not np.isfinite(usual):
            usual = float(np.median(self.angles[:, column]))
        wanted = solve_knee_rad(offsets[shank], offsets[foot[0]], np.array(only.direction), distance_m, usual)
        self.angles[:, column] = np.clip(wanted, only.low_rad, only.high_rad)
        self.cut[:, column] = np.abs(wanted - self.angles[:, column])

    def _measure(self) -> tuple[float, float]:
        """Sliding speed of feet that touch the ground, and their largest depth in it; zeros on a ramp."""
        if self.source.floor.is_ramp:
            return 0.0, 0.0
        soles = [self.plan.sole_w_m(side, self.places, self.turns) for side in SIDES]
        lowest = min(float(points[..., 2].min()) for points in soles)
        skate = measure_sole_skate_mps(soles, self.clip.frame_s, _TOUCH * self.plan.leg_m)
        return skate, max(0.0, -lowest)

    def _note_cuts(self) -> dict[str, float]:
        worst = self.cut.max(axis=0)
        return {
            name: round(float(np.degrees(cut)), 1)
            for name, cut in zip(self.character.axis_names, worst)
            if cut > _NOTED_CUT_RAD
        }

    def _make_clip(self) -> Clip:
        return Clip(
            name=self.clip.name,
            skeleton=self.plan.skeleton,
            frame_s=self.clip.frame_s,
            root_pos_m=self.root_pos,
            quats_wxyz=self.quats,
            contacts=self.source.contacts,
            loops=self.clip.loops,
            character=self.character.name,
        )
