"""A law that numba refuses is refused in words that help, with file and line."""

from __future__ import annotations

import numpy as np
import pytest

from poise.errors import FileFormatError, InputError
from poise.kernels.jit import law
from poise.world.compile_law import compile_law


@law
def sound(percept, params, memory, torque, damping):
    torque[0] = params[0]


@law
def misspelt(percept, params, memory, torque, damping):
    torque[0] = percept.joint_qq[0]


@law
def misspelt_prop(percept, params, memory, torque, damping):
    torque[0] = percept.props.pos[0, 0]


@law
def making_an_array(percept, params, memory, torque, damping):
    room = np.zeros(3)
    torque[0] = room[0]


@law
def calling_what_is_not_there(percept, params, memory, torque, damping):
    torque[0] = np.interp(percept)


@law
def too_short(percept, params, memory, torque):
    torque[0] = 1.0


@law
def returning(percept, params, memory, torque, damping):
    return 2.0


def plain(percept, params, memory, torque, damping):
    torque[0] = 1.0


def test_a_sound_law_comes_back_compiled() -> None:
    assert compile_law(sound) is sound
    assert sound.signatures


def test_a_field_that_does_not_exist_is_named() -> None:
    with pytest.raises(FileFormatError) as error:
        compile_law(misspelt)
    assert error.value.where == f"{__file__}:{misspelt.__code__.co_firstlineno + 2}"
    assert "law misspelt cannot be compiled: no field of the percept named 'joint_qq'." in str(error.value)
    assert "Did you mean 'joint_q'?" in str(error.value)
    assert str(error.value).endswith("torque[0] = percept.joint_qq[0]")


def test_a_field_of_the_props_that_does_not_exist_is_named() -> None:
    with pytest.raises(FileFormatError) as error:
        compile_law(misspelt_prop)
    assert error.value.reason == (
        "law misspelt_prop cannot be compiled: no field of percept.props named 'pos'. Known here: pos_w, quat_w, "
        "rot_w, com_w, spatial_vel, handle_pos_w, handle_prop. Did you mean 'pos_w'?"
    )


def test_a_law_may_not_make_arrays() -> None:
    with pytest.raises(FileFormatError) as error:
        compile_law(making_an_array)
    assert error.value.reason == (
        "law making_an_array cannot be compiled: it allocates an array. A law keeps its state in its memory."
    )


def test_what_numba_cannot_do_is_said_in_a_line() -> None:
    with pytest.raises(FileFormatError) as error:
        compile_law(calling_what_is_not_there)
    assert len(error.value.reason) < 300 and "interp" in error.value.reason


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (plain, "law plain: it is a plain Python function. Put @law above it."),
        (too_short, "law too_short: it must take five arguments: percept, params, memory, torque, damping."),
        (
            returning,
            "law returning: it returns something. It must write into torque and damping, and return nothing.",
        ),
    ],
    ids=["plain", "too_short", "returning"],
)
def test_other_mistakes_have_a_text_each(bad: object, text: str) -> None:
    with pytest.raises(InputError) as error:
        compile_law(bad)
    assert str(error.value) == text
