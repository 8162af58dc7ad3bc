"""The tracker, steered while it walks: commands of every kind, random routes, boxes in its path [Lee10 §5]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, read_controller_file
from poise.errors import DivergedError
from poise.measures.walking import wrap_deg
from poise.recordings.recording import Recording
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import Progress, make_own_row, show_falls, show_share, split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.lee.runs import BODY, TICK_S
from poise.rollout.run import Ticks, run
from poise.rollout.scene import Scene, StartNoise
from poise.rollout.simulate import Change, simulate
from poise.search.tame_trial import NOISE
from poise.trials import heartbeat, measure_gait, run_trials
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.props import Prop, box

STEER, ROUTE = "tracker/steer", "tracker/route"
SEEDS, QUICK_SEEDS = (0, 1), (0,)
#: Speed of the walk from which every motion of the set is entered, and of the fastest one.
NORMAL_MPS, FAST_MPS = 0.7, 1.1
#: Allowed errors of heading and speed.
HEADING_DEG, SPEED_MPS = 10.0, 0.2
#: Two strides of about 0.45 s per step; the heading is measured over the next one.
TWO_STRIDES_S, STRIDE_S = 1.8, 0.9
#: Least and most that the second of two alternating commands must change the speed (m/s).
APART: Final = {"lee-5-int-stop-walk": (-1.5, -0.2), "lee-5-int-fast": (0.2, 1.5)}
#: Motions of the set that the quick form leaves out.
SLOW_SETS: Final = ("lee-5-int-turn135", "lee-5-int-turn180", "lee-5-int-fast", "lee-5-int-style2")
ROUTE_S, ROUTES = 300.0, 3
BOX_SEEDS: Final = (0, 1, 2, 3)
#: Side (m) and mass (kg) of the boxes of the released example, and boxes that are harder to pass.
THEIR_BOX: Final = (0.5, 0.0625)
OUR_BOX_M: Final = 0.3
BOX_MASSES_KG: Final = (0.25, 0.5, 1.0)
BOX_SPEEDS_MPS: Final = (0.5, 0.7)
SETTINGS = {
    "controller": STEER,
    "seeds": SEEDS,
    "noise": NOISE,
    "normal_mps": NORMAL_MPS,
    "fast_mps": FAST_MPS,
    "route_s": ROUTE_S,
    "timestep_s": TICK_S,
}


@dataclass(frozen=True)
class Command:
    """Values commanded from a time on."""

    at_s: float
    speed_mps: float = NORMAL_MPS
    heading_deg: float = 0.0
    style: str = "plain"

    def changes(self) -> list[Change]:
        values: dict[str, float | str] = {
            "speed_mps": self.speed_mps,
            "heading_deg": self.heading_deg,
            "style": self.style,
        }
        return [Change(self.at_s, name, value) for name, value in values.items()]


@dataclass(frozen=True)
class Obeyed:
    """How commands were followed up to a fall: speed and heading errors at the end of each."""

    fell_at_s: float | None
    commands: int
    speeds_mps: tuple[float, ...]
    speed_errors_mps: tuple[float, ...]
    heading_errors_deg: tuple[float, ...]
    #: Heading errors after two strides.
    early_errors_deg: tuple[float, ...]


@lru_cache(maxsize=2)
def load(name: str) -> Controller:
    """Load a shipped controller; its many clips are read once."""
    return load_controller(name, load_character(BODY))


def record(commands: Sequence[Command], seconds: float, seed: int, props: Sequence[Prop] = ()) -> Recording:
    """Record a steered walk, with seeded noise on its initial speeds."""
    noise = StartNoise(NOISE, seed) if seed else None
    world = Scene(load(STEER), BODY, physics=PhysicsSettings(TICK_S), props=tuple(props), noise=noise).open()
    changes = [change for command in commands for change in command.changes()]
    try:
        return simulate(world, seconds, changes=changes, record_hz=30.0, stop_on_fall=True, progress=heartbeat)
    except DivergedError as error:
        return error.recording


def obey(commands: Sequence[Command], seconds: float, seed: int) -> Obeyed:
    """Follow commands; errors are means over the last stride before the next command."""
    recording = record(commands, seconds, seed)
    falls = recording.events_of(0, "down")
    fell = falls[0].time_s if falls else None if recording.time_s[-1] > seconds - 0.1 else float(recording.time_s[-1])
    ends = [*(c.at_s for c in commands[1:]), seconds]
    speeds, errors, headings, early = [], [], [], []
    for command, end_s in zip(commands, ends, strict=True):
        if fell is not None and fell < end_s:
            break
        last = measure_gait(recording, start_s=end_s - STRIDE_S, end_s=end_s)
        speeds.append(last.speed_mps)
        errors.append(abs(last.speed_mps - command.speed_mps))
        headings.append(abs(wrap_deg(command.heading_deg - last.heading_deg)))
        start_s = command.at_s + TWO_STRIDES_S
        soon = measure_gait(recording, start_s=start_s, end_s=min(start_s + STRIDE_S, end_s))
        early.append(abs(wrap_deg(command.heading_deg - soon.heading_deg)))
    return Obeyed(fell, len(commands), tuple(speeds), tuple(errors), tuple(headings), tuple(early))


def alternate(one: Command, other: Command, every_s: float, count: int) -> list[Command]:
    """Alternate two commands, `count` in all, one every `every_s` seconds; headings add up."""
    commands, heading = [], 0.0
    for k in range(count):
        c = one if k % 2 == 0 else other
        heading += c.heading_deg
        commands.append(Command(1.0 + every_s * k, c.speed_mps, heading, c.style))
    return commands


def turn_by(angle_deg: float, every_s: float, count: int) -> list[Command]:
    """Commands that turn to the left and to the right while it walks."""
    start = [Command(1.0)]
    turns, heading = [], 0.0
    # Twice to the left, twice to the right.
    for k in range(count):
        heading += angle_deg if k % 4 < 2 else -angle_deg
        turns.append(Command(5.0 + every_s * k, NORMAL_MPS, heading))
    return [*start, *turns]


def list_styles() -> list[str]:
    """Styles that the steered tracker knows besides `plain`."""
    return [str(n) for p in load(STEER).parameters if p.name == "style" for n in p.choices if n != "plain"]


def _seconds(commands: Sequence[Command], last_s: float) -> float:
    return commands[-1].at_s + last_s


def _show_errors(runs: Sequence[Obeyed]) -> str:
    headings = [e for r in runs for e in r.heading_errors_deg]
    speeds = [e for r in runs for e in r.speed_errors_mps]
    if not headings:
        return "no command was completed"
    return (
        f"heading off by {np.mean(headings):.1f}° on average, {max(headings):.0f}° at most, speed by "
        f"{np.mean(speeds):.2f} and {max(speeds):.2f} m/s at the end of a command"
    )


def _turns_hold(runs: Sequence[Obeyed]) -> bool:
    return all(e <= HEADING_DEG for r in runs for e in r.heading_errors_deg)


def _split_speeds(runs: Sequence[Obeyed]) -> tuple[float, float]:
    """Mean speeds at the ends of the odd and of the even commands."""
    odd, even = ([v for r in runs for v in r.speeds_mps[k::2]] for k in (0, 1))
    return float(np.mean(odd or [np.nan])), float(np.mean(even or [np.nan]))


def _row(claim: str, what: str, runs: Sequence[Obeyed], turning: bool) -> Row:
    """Row about one motion of the set, entered and left repeatedly."""
    falls = {f"start {k + 1}": r.fell_at_s for k, r in enumerate(runs)}
    up = all(f is None for f in falls.values())
    holds, more, asked = up and (not turning or _turns_hold(runs)), "", f"{HEADING_DEG:g}° at the end of a command"
    if claim in APART:
        one, other = _split_speeds(runs)
        low, high = APART[claim]
        holds = up and low <= other - one <= high
        asked = f"speeds that differ by {low:g} to {high:g} m/s"
        more = f"; {one:.2f} m/s and {other:.2f} m/s in turn"
    note = "A style has its own speeds." if "style" in claim else ""
    missing = "" if holds else " It falls." if not up else f" Required: {asked}."
    return make_row(
        claim,
        f"{what}, {len(runs)} starts: {show_falls(falls)}{more}; {_show_errors(runs)}",
        holds,
        note=f"{note}{missing}".strip(),
    )


def _make_sets(quick: bool) -> dict[str, tuple[str, list[Command], float, bool]]:
    """Claim -> description, commands, duration of the last one (s), whether headings count."""
    count = 1 if quick else 6
    stop, walk = Command(0.0, 0.0), Command(0.0)
    styles = list_styles()
    sets: dict[str, tuple[str, list[Command], float, bool]] = {
        "lee-5-int-stop-walk": (f"walking and standing in turn, {count} of each", alternate(walk, stop, 5.0, 2 * count),
                                5.0, False),
        "lee-5-int-normal": ("straight ahead for a minute", [Command(1.0)], 8.0 if quick else 60.0, True),
        "lee-5-int-fast": (f"{NORMAL_MPS:g} and {FAST_MPS:g} m/s in turn, {count} of each",
                           alternate(walk, Command(0.0, FAST_MPS), 5.0, 2 * count), 5.0, False),
    }  # fmt: skip
    for angle in (90, 135, 180):
        sets[f"lee-5-int-turn{angle}"] = (f"{count} turns by {angle}°", turn_by(float(angle), 6.0, count), 6.0, True)
    for k, style in enumerate(styles[:2], start=1):
        words = f"plain walk and style {style} in turn, {count} of each"
        commands = alternate(walk, Command(0.0, NORMAL_MPS, 0.0, style), 5.0, 2 * count)
        sets[f"lee-5-int-style{k}"] = (words, commands, 5.0, False)
    return {claim: entry for claim, entry in sets.items() if not quick or claim not in SLOW_SETS}


def _set_rows(quick: bool, progress: Progress | None) -> list[Row]:
    sets, seeds = _make_sets(quick), QUICK_SEEDS if quick else SEEDS
    plan = [(claim, seed) for claim in sets for seed in seeds]
    jobs = [partial(obey, sets[c][1], _seconds(sets[c][1], sets[c][2]), seed) for c, seed in plan]
    found: dict[str, list[Obeyed]] = {claim: [] for claim in sets}
    for (claim, _), obeyed in zip(plan, run_trials(jobs, progress), strict=True):
        found[claim].append(obeyed)
    return [_row(claim, sets[claim][0], runs, sets[claim][3]) for claim, runs in found.items()]


def draw_commands(seed: int, seconds: float, every_s: float, *, all_kinds: bool) -> list[Command]:
    """Random headings of any angle; with `all_kinds`, random speeds and styles, too."""
    rng = np.random.default_rng(1000 + seed)
    styles = ["plain", "plain", *list_styles()]
    commands = [Command(1.0)]
    for at_s in np.arange(5.0, seconds - 0.5 * every_s, every_s):
        heading = float(rng.uniform(-180.0, 180.0))
        speed, style = float(rng.uniform(0.0, FAST_MPS)), str(rng.choice(styles))
        commands.append(
            Command(float(at_s), speed, heading, style) if all_kinds else Command(float(at_s), NORMAL_MPS, heading)
        )
    return commands


def _random_rows(quick: bool, progress: Progress | None) -> list[Row]:
    seconds, seeds = (11.0, QUICK_SEEDS) if quick else (185.0, SEEDS)
    plan = [(kinds, every, seed) for kinds, every in ((False, 4.0), (True, 6.0)) for seed in seeds]
    jobs = [partial(obey, draw_commands(s, seconds, e, all_kinds=k), seconds, s) for k, e, s in plan]
    found = run_trials(jobs, progress)
    turned, mixed = found[: len(seeds)], found[len(seeds) :]
    early = [e for r in turned for e in r.early_errors_deg]
    late = [e for r in turned for e in r.heading_errors_deg]
    up = all(r.fell_at_s is None for r in turned)
    near = float(np.mean(np.array(early) <= HEADING_DEG)) if early else 0.0
    near_late = float(np.mean(np.array(late) <= HEADING_DEG)) if late else 0.0
    falls = {f"start {k + 1}": r.fell_at_s for k, r in enumerate(mixed)}
    mixed_up = all(f is None for f in falls.values())
    return [
        make_row(
            "lee-5-steer",
            f"random headings, speeds of 0 to {FAST_MPS:g} m/s and styles every 6 s for {seconds - 5.0:.0f} s, "
            f"{len(seeds)} starts: {show_falls(falls)}; {_show_errors(mixed)}",
            mixed_up,
            note="" if mixed_up else "It falls.",
        ),
        make_own_row(
            "poise-tracker-headings",
            f"Steered to a heading of any angle every 4 s for {seconds - 5.0:.0f} s, the character does not fall and "
            "faces the heading after two strides.",
            f"no fall; within {HEADING_DEG:g}° after two strides",
            f"{show_falls({f'start {k + 1}': r.fell_at_s for k, r in enumerate(turned)})}; within {HEADING_DEG:g}° "
            f"after two strides in {100 * near:.0f} % of {len(early)} commands, after 4 s in {100 * near_late:.0f} %; "
            f"{_show_errors(turned)}",
            up and near == 1.0,
            note="" if up and near == 1.0 else "It falls." if not up else
            "Large angles take more than four steps: the turn per step is limited.",
        ),
    ]  # fmt: skip


def wander(seed: int, seconds: float) -> float | None:
    """Time at which a random route fell; None if it did not."""
    world = Scene(load(ROUTE), BODY, values={"seed": float(seed)}, physics=PhysicsSettings(TICK_S)).open()
    ending = run(world, [Ticks(900 * round(seconds)), "down", "diverged"], progress=heartbeat)
    return world.time_s if ending.failed else None


def _splice_row(quick: bool, progress: Progress | None) -> Row:
    seconds, count = (20.0, 1) if quick else (ROUTE_S, ROUTES)
    found = run_trials([partial(wander, seed, seconds) for seed in range(count)], progress)
    falls = {f"route {k}": f for k, f in enumerate(found)}
    clips = len(read_controller_file(ROUTE).table["clips"])
    up = sum(f is None for f in found)
    return make_row(
        "lee-5-splice",
        f"random routes over the steps of {clips} clips for {seconds:g} s: {show_share(up, count)} on their feet; "
        f"{show_falls(falls)}",
        up == count,
        note=""
        if up == count
        else "Routes fall in the march and in the fast walk, soon after the switch from another clip.",
    )


def make_wall(side_m: float, mass_kg: float) -> list[Prop]:
    """Boxes stacked across the path, about a metre high and a metre and a half wide."""
    wide, high = (round(length / side_m) for length in (1.5, 1.0))
    return [
        box((side_m,) * 3, mass_kg, position_m=(3.0, (side_m + 0.01) * (j - (wide - 1) / 2), side_m * (0.5 + k)),
            name=f"box-{j}-{k}")
        for j in range(wide)
        for k in range(high)
    ]  # fmt: skip


def walk_through(speed_mps: float, side_m: float, mass_kg: float, seed: int) -> bool:
    """True if it got through the boxes and kept walking behind them."""
    recording = record([Command(1.0, speed_mps)], 18.0, seed, make_wall(side_m, mass_kg))
    return not recording.events_of(0, "down") and float(recording.com_w_m[-1, 0, 0]) > 3.5


def _box_row(quick: bool, progress: Progress | None) -> Row:
    seeds = QUICK_SEEDS if quick else BOX_SEEDS
    kinds = [(NORMAL_MPS, *THEIR_BOX)]
    if not quick:
        kinds += [(v, OUR_BOX_M, m) for v in BOX_SPEEDS_MPS for m in BOX_MASSES_KG]
    plan = [(kind, seed) for kind in kinds for seed in seeds]
    found = run_trials([partial(walk_through, *kind, seed) for kind, seed in plan], progress)
    through = {k: sum(up for (kind, _), up in zip(plan, found, strict=True) if kind == k) for k in kinds}
    shown = ", ".join(
        f"{100 * side:.0f} cm and {mass:g} kg at {v:g} m/s {show_share(through[v, side, mass], len(seeds))}"
        for v, side, mass in kinds
    )
    holds = through[kinds[0]] == len(seeds)
    return make_row(
        "lee-5-boxes",
        f"through a wall of stacked boxes, a metre high, and beyond: boxes of {shown}",
        holds,
        note="Required: boxes as in the released example, half a metre and 0.5 kg/m³, at the normal speed. It does not "
        "sense the boxes: heavy ones make it fall." + ("" if holds else " It falls over boxes, or they turn it away."),
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about steering."""
    parts = split_progress(progress, 4)
    return [
        *_set_rows(quick, parts[0]),
        *_random_rows(quick, parts[1]),
        _splice_row(quick, parts[2]),
        _box_row(quick, parts[3]),
    ]


EXPERIMENT = Experiment(
    "lee/steering",
    "the tracker steered while it walks, on random routes, and through boxes",
    measure,
    SETTINGS,
    (
        "lee-5-steer",
        "lee-5-int-stop-walk",
        "lee-5-int-normal",
        "lee-5-int-turn90",
        "lee-5-int-turn135",
        "lee-5-int-turn180",
        "lee-5-int-fast",
        "lee-5-int-style1",
        "lee-5-int-style2",
        "lee-5-splice",
        "lee-5-boxes",
    ),
)
