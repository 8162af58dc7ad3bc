"""Skills of the controller language in three dimensions do what their names say; sagittal scripts run there too."""

from pathlib import Path

import numpy as np
import pytest

import poise.api as api
from poise.controllers.catalog import controller_names, default_character
from poise.reproduce.firmin import space_judges as judges
from poise.reproduce.firmin.space import PREFIX, SKILLS, try_skill
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Push

QUICK = PhysicsSettings(timestep_s=0.001)
SAGITTAL = """# Stands, in the words of the plane.
CHARACTER humanoid;
BEGINSCRIPT stand(void)
PHASE 0
    ACTIONS
        POSE waist(0, 400, 40), lTorso2uTorso(0, 400, 40), neck2head(0, 40, 4);
        POSE lShoulder(0, 60, 8), rShoulder(0, 60, 8), lElbow(-.2, 30, 4), rElbow(-.2, 30, 4);
        POSE lHip(0, 600, 60), rHip(0, 600, 60), lKnee(.05, 600, 60), rKnee(.05, 600, 60);
        POSE lAnkle(-.04, 200, 20), rAnkle(-.04, 200, 20);
        VFFB uTorso(1200, 250).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).by(rAnkle).over(feet);
    ENDACTIONS
ENDPHASE
ENDSCRIPT
"""


def test_every_skill_in_space_has_its_judge() -> None:
    names = [n for n in controller_names() if n.startswith(f"script/{PREFIX}")]
    assert sorted(f"script/{PREFIX}{n}" for n in SKILLS) == names
    assert {default_character(n) for n in names} == {"humanoid"}


@pytest.mark.parametrize("name", SKILLS)
def test_the_skill_succeeds_from_a_changed_start(name: str) -> None:
    assert try_skill(name, seed=101) == ""


def test_judges_tell_one_skill_from_another() -> None:
    recording = api.run("script/humanoid-stand", seconds=3.0, physics=QUICK).recording
    assert judges.stays_up(recording) == ""
    assert judges.goes_down_to(0.68)(recording).startswith("pelvis only down to 0.8")
    assert judges.waves(3)(recording).startswith("hand only at 0.")
    assert judges.sits(0.5, 1.0)(recording) == "sat for 0.0 s with 0% of its weight"
    assert judges.steps_up(0.1)(recording).endswith("0.00 m higher")
    fallen = api.run("pose/hold", character="humanoid", seconds=4.0, physics=QUICK).recording
    assert judges.stands(fallen).startswith("does not stand")


@pytest.mark.parametrize("direction_deg", [0.0, 90.0, 180.0, 270.0])
def test_standing_survives_pushes_from_all_sides(direction_deg: float) -> None:
    push = Push(force_n=60.0, direction_deg=direction_deg, start_s=2.0, duration_s=0.2)
    done = api.run("script/humanoid-stand", seconds=6.0, physics=QUICK, pushes=[push])
    assert judges.stays_up(done.recording) == ""


def test_a_sagittal_script_stands_in_space(tmp_path: Path) -> None:
    (tmp_path / "sagittal.ctl").write_text(SAGITTAL)
    recording = api.run(str(tmp_path / "sagittal.ctl"), seconds=5.0, physics=QUICK).recording
    assert recording.characters[0].name == "humanoid"
    assert judges.stays_up(recording) == ""
    assert float(np.abs(recording.qpos[:, 1]).max()) < 0.01
