"""Effect of the language's primitives on a standing body, in simulation [Firmin15 §3.2, §5.1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from poise.constants import GRAVITY_MPS2
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.firmin.language_runs import (
    STAND,
    Course,
    FloatArray,
    is_up,
    load_body,
    load_character,
    run_text,
    write_phase,
    write_script,
)

LEFT: Final = "\n        POSE lShoulder(0, 100, 30), lElbow(-.2, 100, 30), lWrist(0, 5, 3);"
RIGHT: Final = "\n        POSE rShoulder(0, 100, 30), rElbow(-.2, 100, 30), rWrist(0, 5, 3);"
ARM, LEG = ("rArm", "rForearm", "rHand"), ("rThigh", "rShin", "rFoot")
#: A servo misses its target by its load over kp; the arm's load is up to 10 N·m.
PD_TARGETS: Final = {"lShoulder": -0.8, "rShoulder": -1.6, "lElbow": -1.0, "rElbow": -0.3}
PD_NEAR_RAD, LINE_NEAR_RAD = 0.02, 0.01
#: Allowed rotation of the arm as a fraction of the trunk's.
VPD_SHARE: Final = 0.02
#: Allowed deflection as a fraction of that under the virtual force alone.
VF_SHARE: Final = 0.01
#: Forces (forward, up); pressing the arm down harder tips over a body that takes no step.
VF_FORCES: Final = ((60.0, 0.0), (-40.0, 0.0), (0.0, -40.0), (0.0, 15.0), (30.0, -30.0))
IK_TOLERANCE_M: Final = 0.001
MATCH_NEAR_RAD: Final = 0.01


def carry(parts: Sequence[str], joint: str) -> str:
    """Virtual forces that carry the weight of a limb."""
    character, body = load_character(), load_body()
    weights = {part: GRAVITY_MPS2 * character.segments[body.parts[part]].mass_kg for part in parts}
    return "".join(f"\n        VF (0, {w:.4f}, 0).on({part}).by({joint});" for part, w in weights.items())


def find_center_m(course: Course, part: str) -> FloatArray:
    """Path of a part's centre of mass (forward, up), (F, 2)."""
    index = load_body().parts[part]
    ahead, _, up = load_character().segments[index].com_m
    lean, origin = course.lean_rad(part), course.recording.segment_pos_w_m[:, index]
    x = origin[:, 0] + ahead * np.cos(lean) + up * np.sin(lean)
    z = origin[:, 2] - ahead * np.sin(lean) + up * np.cos(lean)
    return np.stack([x, z], axis=-1)


def find_anchor_m(course: Course, joint: str) -> FloatArray:
    """Path of a joint (forward, up), (F, 2)."""
    body = load_body()
    return np.asarray(course.recording.segment_pos_w_m[:, body.axis_segments[body.joints[joint]]][:, [0, 2]])


def _model_row() -> Row:
    character = load_character()
    walk = run_text(
        "SCRIPTS walk.ctl;\nBEGINSCRIPT a(void)\nPHASE 0\n    > walk.ctl(void);\nENDPHASE\nENDSCRIPT\n", 3.0
    )
    across = float(np.ptp(walk.recording.segment_pos_w_m[:, :, 1], axis=0).max())
    links, axes, kg = len(character.segments), len(character.axes), character.mass_kg
    holds = links == 17 and character.root == "planar" and across < 1e-9
    return make_row(
        "firmin-5-model",
        f"{links} links, {axes} joints, {character.root} root, {kg:.1f} kg; no link leaves its plane in a walk "
        f"({across:.0e} m)",
        holds,
        note="Masses and lengths are those of the released code." if holds else "The character differs.",
    )


def _pd_row() -> Row:
    misses = {}
    for kp in (100, 300, 1000):
        arms = ", ".join(f"{joint}({angle}, {kp}, {kp // 10})" for joint, angle in PD_TARGETS.items())
        course = run_text(
            write_script(write_phase(0, f"{STAND}\n POSE {arms}, lWrist(0, 5, 3), rWrist(0, 5, 3);")), 4.0
        )
        misses[kp] = max(abs(float(course.angle_rad(j)[-1]) - a) for j, a in PD_TARGETS.items())
    ramp = f"{STAND}{LEFT}\n POSE rElbow(-.2, 100, 30), rWrist(0, 5, 3); LIPOSE rShoulder(-1.5).time(1);"
    course = run_text(write_script(write_phase(0, ramp)), 2.0)
    time_s, angle = course.recording.time_s, course.angle_rad("rShoulder")
    middle = (time_s > 0.3) & (time_s < 1.0)
    slope, start = np.polyfit(time_s[middle], angle[middle], 1)
    bend = float(np.abs(angle[middle] - np.polyval((slope, start), time_s[middle])).max())
    # The error of a servo under a steady load is proportional to 1 / kp.
    ratio = misses[100] / misses[1000]
    holds = misses[1000] < PD_NEAR_RAD and 8.0 < ratio < 12.0 and bend < LINE_NEAR_RAD and abs(slope + 1.5) < 0.05
    return make_row(
        "firmin-3-prim-pd",
        f"four arm joints miss their targets by {misses[100]:.3f}, {misses[300]:.3f} and {misses[1000]:.3f} rad with "
        "kp 100, 300 and 1000, which is the arms' weight over kp; a ramp of -1.5 rad in 1 s is followed along a line "
        f"of {slope:.2f} rad/s within {bend:.3f} rad",
        bool(holds),
        note="The terms of the printed law have different signs; ours has the signs of a servo."
        if holds
        else "A servo misses its target.",
    )


def _sway(action: str) -> tuple[float, float, bool]:
    """Rotation of the upper arm in the world while the trunk bends back and forth, that of the trunk, and `is_up`."""
    legs = STAND.replace("waist(0, 600, 30), ", "")
    bends = [
        write_phase(
            k,
            f"{legs}{LEFT}\n POSE rElbow(0, 100, 30), rWrist(0, 5, 3);"
            f"\n LIPOSE waist({angle}, 600, 60).time(.6);\n {action}",
            f"to({(k + 1) % 4}).after(time .8)",
        )
        for k, angle in enumerate((0.3, 0, -0.2, 0))
    ]
    course = run_text(write_script(*bends), 6.0)
    late = course.recording.time_s > 1.6
    return float(np.ptp(course.lean_rad("rArm")[late])), float(np.ptp(course.lean_rad("uTorso")[late])), is_up(course)


def _vpd_row() -> Row:
    held, trunk, up = _sway("VPD rArm(-1.2, -300, -30).joint(rShoulder);")
    carried, _, _ = _sway("POSE rShoulder(-1.2, 300, 30);")
    holds = up and held < VPD_SHARE * trunk
    return make_row(
        "firmin-3-prim-vpd",
        f"while the trunk bends back and forth by {trunk:.2f} rad, an upper arm held relative to the world rotates by "
        f"{held:.3f} rad; held relative to the trunk, with the same gains, by {carried:.2f} rad",
        holds,
        note="" if holds else "The arm moves with the trunk.",
    )


def _deflect(force: tuple[float, float], virtual: float, outside: float) -> tuple[FloatArray, bool]:
    """Static deflection of three arm servos under a virtual force and an opposing external one, and `is_up`."""
    angles = {"rShoulder": -0.9, "rElbow": -1.1, "rWrist": -0.2}
    text = STAND + LEFT + "\n POSE " + ", ".join(f"{j}({a}, 300, 30)" for j, a in angles.items()) + ";"
    text += carry(ARM, "rShoulder")
    if virtual:
        text += f"\n VF ({force[0]:.2f}, {force[1]:.2f}, 0).on(rHand).by(rShoulder);"
    if outside:
        # An opposite force holds the trunk to keep the body from being pushed over.
        ahead, up = force
        text += f"\n EF rHand({-ahead:.2f}, {-up:.2f}, 0.0); EF uTorso({ahead:.2f}, {up:.2f}, 0.0);"
    course = run_text(write_script(write_phase(0, text)), 3.0)
    return np.array([course.angle_rad(j)[-1] - a for j, a in angles.items()]), is_up(course)


def _vf_row(quick: bool) -> Row:
    left, up = {}, True
    none, _ = _deflect((0.0, 0.0), 0.0, 0.0)
    for force in VF_FORCES[:2] if quick else VF_FORCES:
        alone, stood = _deflect(force, 1.0, 0.0)
        against, stood_too = _deflect(force, 1.0, 1.0)
        left[force] = float(np.linalg.norm(against - none) / np.linalg.norm(alone - none))
        up = up and stood and stood_too
    worst = max(left.values())
    holds = up and worst < VF_SHARE
    return make_row(
        "firmin-3-prim-vf",
        f"{len(left)} virtual forces of {min(np.hypot(*f) for f in left):.0f} to {max(np.hypot(*f) for f in left):.0f} "
        f"N on a hand, each against an equal external force: the arm's servos deflect by at most {worst:.2%} of the "
        "deflection under the virtual force alone",
        bool(holds),
        note="" if holds else "The forces do not cancel, or the body fell.",
    )


def _reach(part: str, base: str, goal: FloatArray, carried: bool) -> float:
    """Distance of a part's centre from its goal after four seconds; infinite if the body fell."""
    text = STAND + LEFT + RIGHT
    if part == "rFoot":
        text = text.replace("        VFFB uTorso(2000, 250).by(rAnkle).over(cop);", "").replace("(cop)", "(lFoot)")
    text += f"\n IK {part}.targetlocal({goal[0]:.4f}, {goal[1]:.4f}, 0).base({base}).tolerance({IK_TOLERANCE_M});"
    text += carry(ARM if part == "rHand" else LEG, base) if carried else ""
    course = run_text(write_script(write_phase(0, text)), 4.0)
    away = find_center_m(course, part)[-1] - find_anchor_m(course, base)[-1] - goal
    return float(np.linalg.norm(away)) if is_up(course) else float("inf")


def _draw_goals(random: np.random.Generator, count: int, reach_m: tuple[float, float], bearing_rad: tuple[float, float]
                ) -> FloatArray:  # fmt: skip
    """Random goals around a joint, (N, 2), within ranges of distance and of bearing (0 is down, π/2 forward)."""
    far, bearing = random.uniform(*reach_m, count), random.uniform(*bearing_rad, count)
    return np.stack([far * np.sin(bearing), -far * np.cos(bearing)], axis=-1)


def _ik_row(quick: bool, seed: int) -> Row:
    random = np.random.default_rng([seed, 3])
    hands = _draw_goals(random, 2 if quick else 8, (0.3, 0.5), (0.2, 2.0))
    feet = _draw_goals(random, 1 if quick else 4, (0.6, 0.72), (0.0, 0.5))
    tasks = [("rHand", "rShoulder", g) for g in hands] + [("rFoot", "rHip", g) for g in feet]
    carried = [_reach(*task, carried=True) for task in tasks]
    plain = [_reach(*task, carried=False) for task in tasks[::3]]
    holds = max(carried) <= IK_TOLERANCE_M
    return make_row(
        "firmin-3-prim-ik",
        f"{len(tasks)} random goals, {len(feet)} of them for a foot: error at most {1e3 * max(carried):.2f} mm if "
        f"virtual forces carry the limb, {1e3 * max(plain):.0f} mm if its servos (300, 30) do",
        holds,
        note="The tolerance of 0.001 m applies to the IK solution; servos deviate from it under load."
        if holds
        else "A goal is not reached within 0.001 m.",
    )


def _sym_row() -> Row:
    """Ramps and feedback swing the right arm; the left one only matches it."""
    swings = [
        write_phase(
            k,
            f"{STAND}\n POSE lWrist(0, 5, 3), rWrist(0, 5, 3); LIPOSE rElbow({angle}, 300, 30).time(.5);"
            f"\n POSE rShoulder({angle}, 300, 30); POSEFB rShoulder(2, 1).on(joint rAnkle);"
            "\n MATCH lElbow.to(rElbow, 1000, 100); MATCH lShoulder.to(rShoulder, 1000, 100);",
            f"to({k + 1}).after(time 1.5)",
        )
        for k, angle in enumerate((-1.0, -0.2, -1.4))
    ]
    last = write_phase(3, f"{STAND}\n MATCH lElbow.to(rElbow, 1000, 100); MATCH lShoulder.to(rShoulder, 1000, 100);")
    course = run_text(write_script(*swings, last), 7.0)
    off = {j: np.abs(course.angle_rad(f"l{j}") - course.angle_rad(f"r{j}")) for j in ("Shoulder", "Elbow")}
    way = float(np.ptp(course.angle_rad("rShoulder")))
    end, most = max(float(o[-1]) for o in off.values()), max(float(o.max()) for o in off.values())
    holds = is_up(course) and end < MATCH_NEAR_RAD
    return make_row(
        "firmin-3-prim-sym",
        f"shoulder and elbow of one arm move by {way:.2f} rad, those of the other match them: at most {most:.2f} rad "
        f"apart during the motion, {end:.4f} rad at the end",
        holds,
        note="" if holds else "The arms stay apart.",
    )


def measure_primitives(quick: bool, seed: int) -> list[Row]:
    """Rows about the model and the five primitives."""
    return [_model_row(), _pd_row(), _vpd_row(), _vf_row(quick), _ik_row(quick, seed), _sym_row()]
