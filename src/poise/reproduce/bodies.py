"""Figures of our characters against those of the sources: sums and counts, without simulation."""

from __future__ import annotations

from collections.abc import Sequence

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row

#: Gains of [Laszlo96 App. B] by axis, without the side.
HUMAN_GAINS = {
    "back_pitch": (2000.0, 100.0),
    "chest_pitch": (2000.0, 100.0),
    "neck_pitch": (100.0, 10.0),
    "hip_roll": (900.0, 30.0),
    "hip_pitch": (1275.0, 60.0),
    "hip_yaw": (1275.0, 60.0),
    "knee_pitch": (1275.0, 60.0),
    "ankle_pitch": (170.0, 17.0),
    "ankle_roll": (170.0, 17.0),
    "shoulder_pitch": (100.0, 10.0),
    "elbow_pitch": (50.0, 5.0),
}


def _dofs(character: Character) -> int:
    return len(character.axes) + character.root_dofs


def _gain_misses(character: Character, expected: dict[str, tuple[float, float]]) -> list[str]:
    misses = []
    for axis in character.axes:
        short = axis.name.removeprefix("left_").removeprefix("right_")
        if (axis.kp_nm_per_rad, axis.kd_nms_per_rad) != expected.get(short):
            misses.append(f"{axis.name} {axis.kp_nm_per_rad:g}/{axis.kd_nms_per_rad:g}")
    return misses


def _biped7() -> Row:
    body = load_character("biped7")
    leg = -sum(body.segment(f"left_{part}").origin_m[2] for part in ("shank", "foot"))
    foot = body.role("left_foot").shapes[0].size_m[0]
    measured = f"{len(body.segments)} links; {2 * _dofs(body)}-dimensional state; {leg:.2f} m leg; {foot:.2f} m foot"
    return Row(
        "coros-3-model-2d",
        "Coros10 §3.6",
        "The planar character has seven links, 90 cm legs and 20 cm feet.",
        "7 links; 18-dimensional state; 0.90 m leg; 0.20 m foot",
        measured,
        measured == "7 links; 18-dimensional state; 0.90 m leg; 0.20 m foot",
        note="Masses are not given there; ours are those of the planar biped of Yin et al. 2007.",
    )


def _humanoid() -> Row:
    body = load_character("humanoid")
    measured = f"{_dofs(body)} degrees of freedom including the root's 6; {body.mass_kg:.1f} kg"
    return Row(
        "coros-5-model-humanoid",
        "Coros10 §5.4, Fig. 5.4",
        "The humanoid has 37 degrees of freedom and weighs 70.4 kg.",
        "37 degrees of freedom including the root's 6; 70.4 kg",
        measured,
        _dofs(body) == 37 and round(body.mass_kg, 1) == 70.4,
    )


def _laszlo_human() -> list[Row]:
    body = load_character("laszlo_human")
    measured = f"{len(body.axes)} degrees of freedom; {body.mass_kg:.2f} kg"
    misses = _gain_misses(body, HUMAN_GAINS)
    return [
        Row(
            "laszlo-2-model-human19",
            "Laszlo96 §2.5, App. B",
            "The full human has 19 degrees of freedom: ball hips, two-axis ankles, a jointed torso.",
            "19 degrees of freedom; 88.29 kg (sum of the printed masses)",
            measured,
            len(body.axes) == 19 and abs(body.mass_kg - 88.292) < 0.01,
        ),
        Row(
            "laszlo-b-gains",
            "Laszlo96 App. B",
            "Each joint of the human has the printed gains.",
            "11 pairs of gains from 50/5 (elbow) to 2000/100 (waist)",
            "as printed on every axis" if not misses else f"other gains on {', '.join(misses)}",
            not misses,
        ),
    ]


def _laszlo_human12() -> Row:
    body, full = load_character("laszlo_human12"), load_character("laszlo_human")
    hips = [len(s.joint.axes) for s in body.segments if s.joint is not None and s.joint.name.endswith("hip")]
    arms = [role for role in body.roles if "arm" in role]
    return make_row(
        "laszlo-2-model-human12",
        f"{len(body.axes)} degrees of freedom, hips of {hips[0]} axes, {len(arms)} arms; {body.mass_kg:.2f} kg, and "
        f"{full.mass_kg:.2f} kg for the human with arms",
        (len(body.axes), hips, arms) == (12, [2, 2], []) and abs(body.mass_kg - full.mass_kg) < 0.01,
    )


def _robo_bird() -> list[Row]:
    body = load_character("robo_bird")
    ankles = [a for a in body.axes if "ankle" in a.name]
    others = [a for a in body.axes if "ankle" not in a.name]
    as_printed = all((a.kp_nm_per_rad, a.kd_nms_per_rad) == (100.0, 1.5) for a in ankles) and all(
        (a.kp_nm_per_rad, a.kd_nms_per_rad) == (1000.0, 33.0) for a in others
    )
    head_and_body = sum(s.mass_kg for s in body.segments if s.name in (body.roles["pelvis"], body.roles.get("head")))
    return [
        Row(
            "laszlo-2-model-bird",
            "Laszlo96 §2.5, App. B",
            "The robo-bird has 15 degrees of freedom and the density of water.",
            "15 degrees of freedom; 88 kg of body and head (if the unit is a decimetre)",
            f"{len(body.axes)} degrees of freedom; "
            f"{head_and_body:.1f} kg of body and head, {body.mass_kg:.1f} kg in total",
            len(body.axes) == 15 and abs(head_and_body - 88.3) < 3.0,
            note="The unit is not stated; a decimetre is the reading that suits the gains.",
        ),
        Row(
            "laszlo-b-gains-bird",
            "Laszlo96 App. B",
            "Each joint of the bird has the printed gains.",
            "1000/33; ankles 100/1.5",
            "as printed on every axis" if as_printed else "other gains",
            as_printed,
        ),
    ]


def measure(quick: bool, seed: int) -> Sequence[Row]:
    """Rows about bodies."""
    return [_biped7(), _humanoid(), *_laszlo_human(), _laszlo_human12(), *_robo_bird()]
