import math
import pickle

import numpy as np
import pytest

from poise.errors import (
    DivergedError,
    ExportError,
    FileFormatError,
    InputError,
    NotFoundError,
    PoiseError,
    describe_unknown_name,
    find_nearest_name,
    out_of_range,
    unknown_name,
)

LEG = ["lHip", "lKnee", "lAnkle"]


def make_one_of_each() -> list[PoiseError]:
    return [
        PoiseError("something is wrong."),
        InputError("mass_kg must be positive", where="biped.toml", got=-3.0, allowed="Give kilograms"),
        FileFormatError("expected a number", path="walk.ctl", line=2, column=5, source_line="kp = x"),
        unknown_name("walk.ctl:14:9", "joint", "lKne", LEG),
        DivergedError("the state is not finite", where="run", snapshot_path="out/last.npz"),
        ExportError("could not be written, the disk is full", path="out/a.csv", errno=28),
    ]


@pytest.mark.parametrize(
    ("error", "builtin"),
    [*zip(make_one_of_each(), [Exception, ValueError, ValueError, KeyError, ArithmeticError, OSError])],
    ids=lambda value: value.__name__ if isinstance(value, type) else type(value).__name__,
)
def test_every_error_is_a_poise_error_and_the_matching_builtin(error, builtin):
    assert isinstance(error, PoiseError)
    assert isinstance(error, builtin)


@pytest.mark.parametrize("error", make_one_of_each(), ids=lambda error: type(error).__name__)
def test_errors_come_back_whole_from_another_process(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.args == error.args
    assert copy.__dict__ == error.__dict__
    assert getattr(copy, "errno", None) == getattr(error, "errno", None)


def test_a_plain_message_stays_as_it_is():
    assert str(InputError("biped.toml: the tree has a loop at 'trunk'.")) == (
        "biped.toml: the tree has a loop at 'trunk'."
    )


def test_the_parts_make_one_text():
    error = InputError("unknown unit", where="walk.toml", got="deg", allowed="Allowed: rad", did_you_mean="rad")
    assert str(error) == "walk.toml: unknown unit, got 'deg'. Allowed: rad. Did you mean 'rad'?"


def test_none_can_be_the_wrong_value():
    assert str(InputError("a seed is needed", got=None)) == "a seed is needed, got None."


def test_values_are_shown_short_and_without_type_names():
    assert str(InputError("too heavy", got=np.float64(1e6))) == "too heavy, got 1000000.0."
    assert str(InputError("too long", got="x" * 500)) == "too long, got '" + "x" * 78 + "…"


def test_an_unknown_name_gets_the_nearest_known_one():
    error = unknown_name("walk.ctl:14:9", "joint", "lKne", LEG)
    assert isinstance(error, NotFoundError)
    assert str(error) == (
        "walk.ctl:14:9: no joint named 'lKne'. Known here: lHip, lKnee, lAnkle. Did you mean 'lKnee'?"
    )


def test_an_unknown_name_far_from_all_gets_no_suggestion():
    assert str(unknown_name("poise run", "character", "zebra", ["biped7", "humanoid"])) == (
        "poise run: no character named 'zebra'. Known here: biped7, humanoid."
    )


def test_an_unknown_name_where_nothing_is_known():
    assert str(unknown_name("poise run", "clip", "walk", [])) == (
        "poise run: no clip named 'walk'. None is known here."
    )


def test_a_long_list_of_names_is_cut():
    text = describe_unknown_name("clip", "zzz", [f"c{i}" for i in range(25)])
    assert text == (
        "no clip named 'zzz'. Known here: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, "
        "c15, c16, c17, c18, c19 and 5 more."
    )


def test_names_are_near_whatever_their_case():
    assert find_nearest_name("HUMANOID", ["biped7", "humanoid"]) == "humanoid"
    assert find_nearest_name("", ["biped7"]) is None


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [
        (0.0, 10.0, "", "run: push is out of range, got -3. Allowed: 0 to 10."),
        (0, 5000, "N", "run: push is out of range, got -3 N. Allowed: 0 to 5000 N."),
        (0.5, math.inf, "N", "run: push is out of range, got -3 N. Allowed: at least 0.5 N."),
        (None, -10.0, "N", "run: push is out of range, got -3 N. Allowed: at most -10 N."),
        (None, None, "N", "run: push is out of range, got -3 N. Allowed: any finite number of N."),
    ],
)
def test_out_of_range_says_what_is_allowed(low, high, unit, text):
    assert str(out_of_range("run", "push", -3, low, high, unit)) == text


def test_a_file_error_points_at_the_column():
    error = FileFormatError(
        describe_unknown_name("joint", "lKne", LEG),
        path="walk.ctl",
        line=14,
        column=5,
        source_line="set lKne 0.4",
    )
    assert str(error) == (
        "walk.ctl:14:5: no joint named 'lKne'. Known here: lHip, lKnee, lAnkle. Did you mean 'lKnee'?\n"
        "    set lKne 0.4\n"
        "        ^"
    )
    assert (error.path, error.line, error.column) == ("walk.ctl", 14, 5)
    assert error.where == "walk.ctl:14:5"
    assert error.reason == "no joint named 'lKne'. Known here: lHip, lKnee, lAnkle. Did you mean 'lKnee'?"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "a.toml: mass_kg is missing."),
        ({"line": 3}, "a.toml:3: mass_kg is missing."),
        ({"line": 3, "source_line": "[trunk]"}, "a.toml:3: mass_kg is missing.\n    [trunk]"),
        ({"line": 3, "column": 1}, "a.toml:3:1: mass_kg is missing."),
        ({"line": 1, "column": 99, "source_line": "x"}, "a.toml:1:99: mass_kg is missing.\n    x\n     ^"),
        (
            {"line": 1, "column": 2, "source_line": "\tx\x1b[2J"},
            "a.toml:1:2: mass_kg is missing.\n     x\ufffd[2J\n     ^",
        ),
    ],
)
def test_a_file_error_shows_as_much_of_the_place_as_is_known(place, text):
    assert str(FileFormatError("mass_kg is missing", path="a.toml", **place)) == text


def test_a_long_source_line_is_cut_around_the_column():
    line = "a" * 200 + "!" + "b" * 200
    _, shown, caret = str(FileFormatError("bad", path="f", line=1, column=201, source_line=line)).split("\n")
    assert shown == "    …" + "a" * 60 + "!" + "b" * 19 + "…"
    assert shown[caret.index("^")] == "!"


def test_a_divergence_names_the_snapshot_also_when_it_is_saved_later():
    error = DivergedError("the state is not finite at 1.25 s", where="biped7")
    assert str(error) == "biped7: the state is not finite at 1.25 s."
    error.snapshot_path = "out/last.npz"
    assert str(error) == ("biped7: the state is not finite at 1.25 s. The last good snapshot is in 'out/last.npz'.")


def test_an_export_error_keeps_the_number_of_the_system():
    error = ExportError("could not be written, the disk is full", path="out/a.csv", errno=28)
    assert str(error) == "out/a.csv: could not be written, the disk is full."
    assert (error.path, error.errno) == ("out/a.csv", 28)
