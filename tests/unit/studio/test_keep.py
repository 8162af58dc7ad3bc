"""An edited style is saved to a file that the rest of Poise reads."""

from pathlib import Path

import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.controllers.walker.styles import read_curve, write_curve, write_tempo
from poise.errors import InputError
from poise.studio import keep
from poise.studio.scenario import Scenario
from poise.studio.steering import find_own
from poise.studio.workspace import Workspace

WALK = Scenario("walker/walk", "humanoid")
PROUD = [0.1, -0.2, -0.25, -0.2, 0.1]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(name: str, **settings: bool) -> Path:
    character = load_character("humanoid")
    controller = load_controller("walker/walk", character)
    params = controller.with_values({"speed_mps": 0.7, "step_width_m": 0.2, "heading_deg": 45.0}).params
    write_curve(params, find_own(controller), "neck_pitch", PROUD)
    write_tempo(params, find_own(controller), 1.2)
    return keep.save_style(WALK, controller, params, character, name, Workspace(), **settings)


def test_a_style_comes_back_from_its_file() -> None:
    path = save("my-walk")
    assert path == Path("out/my-walk.toml")
    controller = load_controller(path, load_character("humanoid"))
    style = controller.parameter("style")
    assert style.choices[int(controller.value("style"))] == "my-walk"
    assert read_curve(controller.params, int(controller.value("style")), "neck_pitch") == pytest.approx(PROUD)
    assert controller.value("speed_mps") == 0.7
    assert controller.value("step_width_m") == pytest.approx(0.2, rel=1e-4)
    assert controller.value("heading_deg") == 0.0, "where it went is not kept"
    plain = load_controller("walker/walk", load_character("humanoid"))
    assert controller.value("placement_speed_gain") == plain.value("placement_speed_gain")


def test_nothing_is_overwritten_unasked() -> None:
    path = save("my-walk")
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        save("my-walk")
    assert str(caught.value) == "style: out/my-walk.toml exists. Choose another name, or overwrite it."
    assert path.read_bytes() == before
    assert save("my-walk", overwrite=True) == path


@pytest.mark.parametrize("name", ["", "My style", "../up", "9lives", "a" * 41])
def test_a_name_must_be_a_name(name: str) -> None:
    with pytest.raises(InputError, match="not a valid name for a style"):
        save(name)


@pytest.mark.parametrize("name", ["own", "plain"])
def test_a_name_that_is_taken_is_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        save(name)
    assert str(caught.value) == f"style: the style exists, got '{name}'. Choose another name."
    assert not Path("out").exists()
