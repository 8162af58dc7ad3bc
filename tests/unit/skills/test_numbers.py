"""Numbers of phases: which are free, how they are written, how far they may go."""

from hypothesis import given
from hypothesis import strategies as st

from poise.language.parse import parse_script
from poise.language.tree import Number
from poise.skills.numbers import change_numbers, count_numbers, make_number
from poise.skills.unknowns import make_space, with_values

ALL_KINDS = """\
BEGINSCRIPT a(void)
PHASE 0
    ACTIONS
        POSE lHip(1, 2, 3);
        LIPOSE lKnee(4, 5, 6).time(7);
        POSEFB lHip(8, 9).on(joint lAnkle);
        COMFB2 10 11 j rAnkle
        VPD uTorso(12, 13, 14).joint(lHip);
        VF (15, 16, 0).on(uTorso).by(lAnkle);
        VFFB uTorso(17, 18).by(lAnkle).over(cop);
        VFSFB uTorso(19).by(lAnkle).speed(20);
        IK lHand.targetlocal(21, 22, 0).base(lShoulder).tolerance(23);
        MATCH rHip.to(lHip, 24, 25).time(26);
        EF head(100.0, 100.0, .0);
        HOLD neck2head;
    ENDACTIONS
    TRANSITION to(0).after(time 27);
    TRANSITION to(0).after(stable 28);
    TRANSITION to(0).after(fallen x 29);
    TRANSITION to(0).after(anglerange 30 31);
    TRANSITION to(0).after(iterations 100);
    TRANSITION to(0).after(random 100);
    TRANSITION to(0).after(contact lFoot);
ENDPHASE
ENDSCRIPT
"""


def test_every_number_of_a_phase_is_free_but_counts_chances_and_forces_from_outside() -> None:
    found: list[float] = []

    def note(number: Number, kind: str, whose: str) -> Number:
        found.append(number.value)
        return number

    phase = parse_script(ALL_KINDS).phases[0]
    assert change_numbers(phase, note) == phase
    assert sorted(found) == [float(k) for k in range(1, 32)]
    assert count_numbers((phase,)) == 31


def test_changed_numbers_come_back_in_their_places() -> None:
    phases = parse_script(ALL_KINDS).phases
    space = make_space(phases)
    values = {name: v + 0.001 for name, v in space.decode([0.0] * len(space)).items()}
    changed = make_space(with_values(phases, values))
    assert [v.start for v in changed.variables] == [round(v, 6) for v in values.values()]
    assert with_values(phases, space.decode([0.0] * len(space))) == phases


@given(st.floats(-1e5, 1e5))
def test_a_number_is_written_as_the_language_reads_it_to_five_digits(value: float) -> None:
    text = make_number(value).text
    assert "e" not in text and "+" not in text and not text.startswith(("0.", "-0"))
    script = parse_script(f"BEGINSCRIPT a(void)\nPHASE 0\nACTIONS\nPOSE lHip({text});\nENDACTIONS\nENDPHASE\nENDSCRIPT")
    read = script.phases[0].actions[0].targets[0].angle.value  # type: ignore[union-attr]
    assert abs(read - value) <= max(5e-5 * abs(value), 1e-9)


def test_gains_and_times_keep_their_signs() -> None:
    for variable in make_space(parse_script(ALL_KINDS).phases).variables:
        if variable.name.endswith(("gain", "time", "tolerance")):
            assert variable.low > 0.0
        assert variable.low <= variable.start <= variable.high
