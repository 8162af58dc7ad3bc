"""Gymnasium environments. Importing this module registers them: `gymnasium.make("poise.envs:poise/Walk-v0")`."""

from __future__ import annotations

from poise.errors import PoiseError


class GymnasiumMissingError(PoiseError, ImportError):
    """Gymnasium is not installed."""


try:
    import gymnasium
except ImportError as error:
    raise GymnasiumMissingError(
        "poise.envs: Gymnasium is not installed. Install it with: pip install 'poise[gym]'."
    ) from error

#: Twenty seconds at fifty actions per second.
MAX_EPISODE_STEPS = 1000


def register_envs() -> None:
    """Register the environments with Gymnasium, unless they are registered already."""
    if "poise/Walk-v0" not in gymnasium.registry:
        gymnasium.register(
            id="poise/Walk-v0", entry_point="poise.envs.walk:WalkEnv", max_episode_steps=MAX_EPISODE_STEPS
        )


register_envs()
