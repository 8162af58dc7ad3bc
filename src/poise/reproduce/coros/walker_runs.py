"""Shared by the walker's experiments: its bodies, scenes for both forms, and texts for counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from poise.characters.model import Character
from poise.errors import InputError
from poise.reproduce.experiment import Row
from poise.rollout.scene import Scene
from poise.rollout.simulate import Change
from poise.trials import Gait, PushLimits, PushTest, push_limits
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.disturbances import Push

WALK, TEXT = "walker/walk", "walker/text"
#: The four characters of the source [Coros10 §5.4].
BODIES: Final = ("humanoid", "beast1", "beast2", "robot")
#: Time steps of reported results and of quick forms.
STEP_S, QUICK_STEP_S = 0.0005, 0.001
#: Speed of the walk that the source pushes [Coros10 §5.6].
PUSHED_MPS: Final = 0.6
#: Allowed difference between the commanded and the mean measured speed.
SPEED_ERROR_MPS: Final = 0.1

Progress = Callable[[float], None]


def make_scene(
    quick: bool,
    values: Mapping[str, float | str] | None = None,
    *,
    controller: str | Controller = WALK,
    character: str | Character = "humanoid",
    terrain: str = "flat",
    friction: float | None = None,
    pushes: Sequence[Push] = (),
    changes: Sequence[Change] = (),
    legs_collide: bool = False,
    seed: int = 0,
    random_body: int | None = None,
) -> Scene:
    """Scene with a walker at the time step of the form; its legs pass through each other unless `legs_collide`."""
    physics = PhysicsSettings(
        timestep_s=QUICK_STEP_S if quick else STEP_S, self_collision="legs" if legs_collide else "none"
    )
    return Scene(
        controller,
        character,
        values=values or {},
        terrain=terrain,
        friction=friction,
        pushes=tuple(pushes),
        changes=tuple(changes),
        physics=physics,
        seed=seed,
        random_body=random_body,
    )


def split_progress(progress: Progress | None, parts: int) -> list[Progress | None]:
    """Split progress into equal parts that run one after the other."""
    if progress is None:
        return [None] * parts
    whole = progress

    def part(k: int) -> Progress:
        return lambda done: whole((k + done) / parts)

    return [part(k) for k in range(parts)]


def find_limits(
    scene: Scene, test: PushTest, *, guess_n: float, tolerance_n: float, progress: Progress | None = None
) -> PushLimits | None:
    """Push limits; None if it falls without a push."""
    try:
        return push_limits(scene, test, guess_n=guess_n, tolerance_n=tolerance_n, progress=progress)
    except InputError as error:
        if "without any push" in str(error):
            return None
        raise


def least_limit_n(limits: PushLimits | None) -> float:
    """Force that is survived from every direction; 0 if it falls without a push."""
    return 0.0 if limits is None else limits.least_n


def show_limits(limits: PushLimits | None) -> str:
    """Describe limits by direction, or the fall without a push."""
    if limits is None:
        return "falls without a push"
    return ", ".join(f"{p.limit_n:.0f} N at {p.direction_deg:.0f}°" for p in limits.limits)


def is_on_speed(gait: Gait, speed_mps: float, error_mps: float = SPEED_ERROR_MPS) -> bool:
    """True if a walk met its commanded speed without a fall."""
    return not gait.fell and abs(gait.speed_mps - speed_mps) <= error_mps


def show_share(count: int, total: int) -> str:
    """Describe a count and its total, such as `3 of 4`."""
    return f"{count} of {total}"


def show_falls(falls: Mapping[str, float | None]) -> str:
    """Describe which runs fell and when, or that none did."""
    fallen = [f"{name} at {at_s:.1f} s" for name, at_s in falls.items() if at_s is not None]
    return f"falls: {', '.join(fallen)}" if fallen else "no falls"


def make_own_row(claim: str, says: str, figure: str, measured: str, holds: bool, note: str = "") -> Row:
    """Row about a requirement of our own."""
    return Row(claim, "Poise", says, figure, measured, holds, note=note)
