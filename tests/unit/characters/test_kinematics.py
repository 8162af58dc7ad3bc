"""Our plain geometry against MuJoCo's: the same body, the same angles, the same places."""

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import character_names
from poise.characters.kinematics import compute_frames
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings, build_spec, compile_spec
from poise.world.terrain import Terrain


@pytest.mark.parametrize("name", character_names())
def test_places_and_order_of_axes_agree_with_the_world(name: str) -> None:
    character = load_any_character(name)
    model = compile_spec(build_spec([character], Terrain("flat", "flat"), [], PhysicsSettings()))
    joints = [model.joint(i).name for i in range(model.njnt)]
    assert tuple(joints[-len(character.axes) :]) == character.axis_names
    angles = np.random.default_rng(7).uniform(-1.0, 1.0, len(character.axes))
    pose = dict(zip(character.axis_names, angles.tolist(), strict=True))
    data = mujoco.MjData(model)
    for axis, angle in pose.items():
        data.joint(axis).qpos = angle
    mujoco.mj_kinematics(model, data)
    frames = compute_frames(character, pose)
    root = data.body(character.segments[0].name).xpos
    for s in character.segments:
        assert frames[s.name].place(s.com_m) == pytest.approx(data.body(s.name).xipos - root, abs=1e-9)
