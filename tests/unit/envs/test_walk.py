"""`poise/Walk-v0` keeps Gymnasium's contract and means what its page says."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import poise.envs
from poise.envs.observation import lean_rad, observation_names
from poise.envs.walk import ACTION_REACH_RAD, WalkEnv
from poise.errors import InputError, NotFoundError
from poise.kernels.rotation import quat_from_axis_angle, quat_product
from poise.world.adopt import load_any_character
from poise.world.video import VideoUnavailable


def make(**settings: object) -> WalkEnv:
    env = gymnasium.make("poise.envs:poise/Walk-v0", **settings).unwrapped
    assert isinstance(env, WalkEnv)
    return env


@pytest.mark.parametrize("character", ["biped7", "humanoid"])
def test_gymnasiums_own_checker_has_nothing_to_say(character: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(character=character), skip_render_check=True)


def test_a_seed_decides_everything() -> None:
    def play(seed: int) -> np.ndarray:
        env = make()
        seen = [env.reset(seed=seed)[0]]
        env.action_space.seed(3)
        for _ in range(10):
            seen.append(env.step(env.action_space.sample())[0])
        return np.array(seen)

    assert play(5).tobytes() == play(5).tobytes()
    assert not np.array_equal(play(5), play(6))


@pytest.mark.parametrize("character", ["biped7", "humanoid", "bigbird2d"])
def test_every_number_of_an_observation_has_a_name(character: str) -> None:
    env = make(character=character)
    seen, _ = env.reset(seed=0)
    assert env.observation_names == observation_names(load_any_character(character))
    assert seen.shape == env.observation_space.shape == (len(env.observation_names),)
    named = dict(zip(env.observation_names, seen, strict=True))
    axis = env.character.axis_names[0]
    assert named[f"{axis}_rad"] == env.world.percepts[0].joint_q[0]
    assert named["root_height_m"] == env.world.percepts[0].root_q[2 if env.character.root == "free" else 1]


def test_both_feet_are_down_once_it_stands() -> None:
    env = make(reset_noise=0.0)
    env.reset(seed=0)
    for _ in range(5):
        seen = env.step(np.zeros(6, np.float32))[0]
    assert seen[-2:].tolist() == [1.0, 1.0]


def test_an_action_moves_targets_around_the_rest_pose_within_the_limits() -> None:
    env = make()
    env.reset(seed=0)
    names, knee = env.character.axis_names, env.character.axes[env.character.axis_index("left_knee_pitch")]
    for value in (-1.0, 0.25, 1.0):
        env.step(np.full(6, value, np.float32))
        targets = dict(zip(names, env.world.params[0][1:], strict=True))
        assert targets["left_hip_pitch"] == pytest.approx(value * ACTION_REACH_RAD)
        assert targets["left_knee_pitch"] == pytest.approx(max(value * ACTION_REACH_RAD, knee.low_rad))


def test_an_action_lasts_a_fiftieth_of_a_second_at_any_time_step() -> None:
    for timestep_s in (0.0005, 0.001, 0.002):
        env = make(timestep_s=timestep_s)
        env.reset(seed=0)
        assert env.step(np.zeros(6, np.float32))[4]["time_s"] == pytest.approx(0.02)


def test_a_fall_ends_the_episode_and_time_runs_out() -> None:
    env = gymnasium.make("poise.envs:poise/Walk-v0", max_episode_steps=3)
    env.reset(seed=0)
    ends = [env.step(np.zeros(6, np.float32))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    env = gymnasium.make("poise.envs:poise/Walk-v0")
    env.reset(seed=0)
    for _ in range(1000):
        _, reward, terminated, truncated, info = env.step(np.array([1, 0, 0, -1, 0, 0], np.float32))
        if terminated or truncated:
            break
    assert terminated and not truncated
    assert info["reward_alive"] == 0.0
    assert reward == pytest.approx(info["reward_speed"] + info["reward_alive"] + info["reward_effort"])


def test_speed_is_forward_progress_and_earns_most_at_the_target() -> None:
    env = make(target_speed_mps=0.7, reset_noise=0.0)
    env.reset(seed=0)
    env.world.percepts[0].root_v[0] = 0.7
    before = env.world.percepts[0].root_q[0]
    info = env.step(np.zeros(6, np.float32))[4]
    assert info["speed_mps"] == pytest.approx((env.world.percepts[0].root_q[0] - before) / 0.02)
    assert info["reward_speed"] == pytest.approx(np.exp(-(((info["speed_mps"] - 0.7) / 0.5) ** 2)))
    assert info["reward_effort"] < 0.0


def test_a_state_that_diverges_ends_the_episode_with_finite_numbers() -> None:
    env = make()
    env.reset(seed=0)
    env.world.params[0][0] = np.nan
    seen, reward, terminated, _, info = env.step(np.zeros(6, np.float32))
    assert terminated and info["diverged"]
    assert np.all(np.isfinite(seen)) and np.isfinite(reward)
    env.reset(seed=1)
    assert not env.step(np.zeros(6, np.float32))[2]


def test_lean_is_seen_from_the_heading() -> None:
    yaw, pitch = quat_from_axis_angle((0, 0, 1), 0.9), quat_from_axis_angle((0, 1, 0), 0.3)
    assert lean_rad(np.array(quat_product(yaw, pitch))) == pytest.approx((0.3, 0.0))
    roll = quat_from_axis_angle((1, 0, 0), 0.2)
    assert lean_rad(np.array(quat_product(yaw, roll))) == pytest.approx((0.0, 0.2))


def test_a_picture_has_the_size_that_was_asked_for() -> None:
    env = make(render_mode="rgb_array", width=160, height=120)
    env.reset(seed=0)
    try:
        picture = env.render()
    except VideoUnavailable as reason:
        pytest.skip(str(reason))
    assert picture is not None and picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    assert picture.std() > 5.0
    env.close()
    assert make().render() is None


def test_bad_settings_are_refused() -> None:
    with pytest.raises(NotFoundError) as unknown:
        WalkEnv(render_mode="rbg_array")
    assert str(unknown.value) == (
        "poise/Walk-v0: no render mode named 'rbg_array'. Known here: rgb_array. Did you mean 'rgb_array'?"
    )
    with pytest.raises(InputError) as range_error:
        WalkEnv(target_speed_mps=50.0)
    assert str(range_error.value) == (
        "poise/Walk-v0: target_speed_mps is out of range, got 50.0 m/s. Allowed: -10 to 10 m/s."
    )
    with pytest.raises(InputError, match="no character named 'biped9'"):
        WalkEnv("biped9")


def test_registering_twice_is_harmless() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        poise.envs.register_envs()
    assert gymnasium.spec("poise/Walk-v0").max_episode_steps == 1000


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "try:\n    import poise.envs\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "poise.envs: Gymnasium is not installed. Install it with: pip install 'poise[gym]'.\n"


def test_the_example_of_the_page_runs() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "environments.md"
    block = re.search(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert block is not None
    exec(compile(block[1].replace("range(1000)", "range(100)"), str(page), "exec"), {})
