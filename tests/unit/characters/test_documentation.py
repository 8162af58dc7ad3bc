"""What docs/characters.md shows works as it says."""

import re
from pathlib import Path

import pytest

from poise.characters.catalog import character_names, load_character
from poise.characters.conventions import CONVENTIONAL_DIRECTIONS
from poise.errors import FileFormatError

PAGE = (Path(__file__).parents[3] / "docs" / "characters.md").read_text()
BLOCKS = {kind: re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) for kind in ("toml", "python")}


def test_the_example_is_a_character(tmp_path) -> None:
    (tmp_path / "stilts.toml").write_text(BLOCKS["toml"][0])
    stilts = load_character(tmp_path / "stilts.toml")
    assert stilts.name == "stilts"
    assert len(stilts.segments) == 7


def test_the_error_shown_is_the_error_given(tmp_path) -> None:
    text = BLOCKS["toml"][0].replace('parent = "trunk"', 'parent = "trunc"', 1)
    (tmp_path / "stilts.toml").write_text(text)
    with pytest.raises(FileFormatError) as caught:
        load_character(tmp_path / "stilts.toml")
    assert str(caught.value).replace(f"{tmp_path}/", "") in PAGE


def test_the_python_runs(capsys) -> None:
    for block in BLOCKS["python"]:
        exec(block, {})
    assert "left_hip_pitch" in capsys.readouterr().out


def test_every_shipped_character_is_named() -> None:
    for name in character_names():
        assert f"| `{name}` |" in PAGE


def test_the_table_of_signs_is_the_code() -> None:
    rows = re.findall(r"^\| (`\w+_\w+`(?:, `\w+`)*) \|[^|]*\| (\(.*?\)) \| (\(.*?\))? ?\|$", PAGE, re.MULTILINE)
    shown = {}
    for names, left, right in rows:
        for name in re.findall(r"\w+", names):
            if right:
                shown[f"left_{name}"], shown[f"right_{name}"] = eval(left), eval(right)
            else:
                shown[name] = eval(left)
    assert shown == dict(CONVENTIONAL_DIRECTIONS)
