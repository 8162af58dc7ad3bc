"""TOML and JSON documents: round trips, limits, and errors that point at the line."""

import dataclasses
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from poise.documents import format_json, load_json, make_plain, save_json, save_toml
from poise.errors import FileFormatError
from poise.files import (
    load_text,
)
from poise.tables import load_table
from refusals import refusal, write_in


@dataclasses.dataclass
class Row:
    speed_mps: float
    path: Path


def test_json_holds_plain_values_and_null_for_what_is_not_finite(tmp_path):
    data = {"a": np.float64(1.5), "b": np.arange(2), "c": float("nan"), "d": [Row(np.inf, Path("x/y"))]}
    save_json(tmp_path / "a.json", data)
    assert json.loads(load_text(tmp_path / "a.json")) == {
        "a": 1.5,
        "b": [0, 1],
        "c": None,
        "d": [{"speed_mps": None, "path": "x/y"}],
    }
    assert format_json({"a": "°"}) == '{\n  "a": "°"\n}\n'


def test_toml_comes_back(tmp_path):
    data = {"name": "walk", "gains": {"kp": [300.0, 1.0]}, "states": [{"hold_s": 0.3}, {"hold_s": 0.1}]}
    save_toml(tmp_path / "a.toml", data)
    assert load_table(tmp_path / "a.toml") == data
    save_toml(tmp_path / "b.toml", {"kp": np.array([1.0, 2.0]), "n": np.int64(3), "limit": float("inf")})
    assert load_table(tmp_path / "b.toml") == {"kp": [1.0, 2.0], "n": 3, "limit": float("inf")}


def test_make_plain_leaves_classes_alone():
    assert make_plain(Row) is Row


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "[walk]\nspeed_mps 1.2\n",
            ":2:11: malformed TOML, expected '=' after a key in a key/value pair.\n    speed_mps 1.2\n              ^",
        ),
        ("a = 1\nb =", ":2:4: malformed TOML, invalid value.\n    b =\n       ^"),
        ("a = 1\na = 2\n", ":2:6: malformed TOML, cannot overwrite a value.\n    a = 2\n         ^"),
        ("a = " + "[" * 100_000, ": nested too deeply. Allowed: at most 64 levels."),
        (".".join("a" * 100) + " = 1", ": nested too deeply. Allowed: at most 64 levels."),
    ],
)
def test_malformed_toml_is_pointed_at(tmp_path, text, complaint):
    path = write_in(tmp_path, "walk.toml", text)
    assert refusal(load_table, path) == f"{path}{complaint}"


def test_a_number_with_thousands_of_digits_is_refused(tmp_path):
    path = tmp_path / "walk.toml"
    path.write_text("a = " + "9" * 10_000)
    with pytest.raises(FileFormatError, match="malformed TOML"):
        load_table(path)


@pytest.mark.parametrize(
    "text",
    [".".join("a" * 45_000) + " = 1", f"[{'.'.join(['a'] * 45_000)}]", "b = {" + ".".join("a" * 45_000) + " = 1}"],
)
def test_a_key_of_thousands_of_parts_is_refused_at_once(tmp_path, text):
    path = tmp_path / "walk.toml"
    path.write_text(text)
    assert refusal(load_table, path) == f"{path}: nested too deeply. Allowed: at most 64 levels."


def test_a_whole_number_that_fits_no_float_is_refused(tmp_path):
    path = tmp_path / "walk.toml"
    path.write_text(f"a = {'9' * 400}\n")
    with pytest.raises(FileFormatError) as caught:
        load_table(path)
    assert str(caught.value) == (
        f"{path}:1:5: a whole number is too large, got 99999999999999999999… with 400 digits. Allowed: up to 2^63 - 1."
        f"\n    a = {'9' * 76}…\n        ^"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"a": 1,\n}', ":2:1: malformed JSON, expecting property name enclosed in double quotes.\n    }\n    ^"),
        ("", ":1:1: malformed JSON, expecting value."),
        ("[" * 100_000, ": nested too deeply. Allowed: at most 64 levels."),
        ("[" * 70 + "]" * 70, ": nested too deeply. Allowed: at most 64 levels."),
        (
            "9" * 30,
            f":1:1: a whole number is too large, got {'9' * 20}… with 30 digits. Allowed: up to 2^63 - 1."
            f"\n    {'9' * 30}\n    ^",
        ),
    ],
)
def test_malformed_json_is_pointed_at(tmp_path, text, complaint):
    path = write_in(tmp_path, "walk.json", text)
    assert refusal(load_json, path) == f"{path}{complaint}"


TOML_PIECES = st.lists(
    st.sampled_from(["[", "]", "[[", "{", "}", "=", ".", ",", '"', "'", '"""', "\n", "\r", "\t", "#"])
    | st.sampled_from(["a", "b", "1", "-1e9", "inf", "nan", "true", "1979-05-27T07:32:00Z", "0x", "\\u12"])
    | st.text(max_size=4),
    max_size=30,
).map(" ".join)


@given(TOML_PIECES | st.text())
@example("a = 1979-13-45")
@example("a = 99999-01-01")
def test_any_text_is_toml_or_a_clear_error(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        data = load_table(path).data
    except FileFormatError as error:
        assert str(error).startswith(f"{path}:")
        if error.line is not None:
            assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert isinstance(data, dict)


values = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), values, max_size=4))
def test_what_is_saved_as_toml_comes_back(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "saved.toml"
    save_toml(path, data)
    assert load_table(path) == data
    assert tomllib.loads(path.read_text(encoding="utf-8")) == data
