"""What the tests of the documents change or leave out, and why. Everything else runs as printed.

`POISE_PAGES=full` runs all commands at their full length, except those that cannot end or need something else.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

FULL: Final = os.environ.get("POISE_PAGES") == "full"


@dataclass(frozen=True)
class NotRun:
    """Commands that are only parsed: they begin with `start`, or are exactly that, and have the options `having`."""

    start: str
    reason: str
    having: tuple[str, ...] = ()
    exact: bool = False


@dataclass(frozen=True)
class Shorter:
    """Commands that run with other options: a number is an upper limit, and None leaves an option out."""

    start: str
    options: dict[str, str | None]
    reason: str
    having: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replaced:
    """A piece of a Python block that takes long as printed."""

    page: str
    printed: str
    run: str
    reason: str


NOT_RUN: Final = (
    NotRun("make", "installs, opens a browser, or runs these tests"),
    NotRun("pip", "needs the network"),
    NotRun("scp", "needs another machine"),
    NotRun("cd", "belongs to commands on another machine"),
    NotRun("dask", "runs until Ctrl-C, on another machine"),
    NotRun(".venv/bin/python", "needs recordings of people, which are not part of Poise"),
    NotRun("python -m poise.reproduce.ha.skills_find", "searches for an hour"),
    NotRun("poise studio", "serves until Ctrl-C"),
    NotRun("poise demo", "serves until Ctrl-C, or renders for half a minute; has tests of its own"),
    NotRun("poise cluster", "runs until Ctrl-C, partly on other machines; has tests of its own"),
    NotRun("poise bench", "measures for minutes, and wants an idle machine"),
    NotRun("poise optimize", "needs a cluster on other machines", having=("--cluster",)),
    NotRun("poise reproduce lee/recorded", "needs recordings of people, which are not part of Poise"),
    NotRun("poise reproduce", "measures everything for hours", exact=True),
    NotRun("poise reproduce", "measures for minutes; tests/papers runs experiments", having=("coros-2-root",)),
    NotRun("poise reproduce ha/motions", "measures for minutes; tests/papers runs experiments"),
    NotRun("poise reproduce laszlo/walk", "measures for minutes; tests/papers runs experiments"),
    NotRun("poise reproduce", "stores results in the project", having=("--keep",)),
    NotRun("poise graph learn", "measures for an hour, and writes the graph of the project"),
    NotRun("poise tune", "searches for minutes to hours"),
    NotRun("poise clip tame .", "searches for minutes per walk; a test of its own tames a folder"),
)
SHORTER: Final = (
    Shorter("poise run human-walk.script", {}, "a script has its own length"),
    Shorter("poise run", {"--seconds": "1"}, "the motion matters, not its length"),
    Shorter("poise sweep", {"--seconds": "1"}, "the table matters, not the accuracy of its figures"),
    Shorter(
        "poise robustness",
        {"--random": "2", "--settle": "1", "--after": "0.5"},
        "pushes 64 times",
        having=("--random",),
    ),
    Shorter(
        "poise robustness",
        {"--tolerance": "500", "--phases": "1", "--directions": "0,180", "--settle": "1", "--after": "0.5"},
        "measures the limits of all directions and phases for minutes",
        having=("--limits",),
    ),
    Shorter(
        "poise robustness",
        {"--phases": "1", "--directions": "0,180", "--repeat": "2", "--every": "1", "--settle": "1", "--after": "0.5"},
        "pushes from all directions for a minute",
        having=("--repeat",),
    ),
    Shorter(
        "poise robustness",
        {"--phases": "1", "--directions": "0,180", "--settle": "1", "--after": "0.5"},
        "pushes from all directions at all phases for a minute",
    ),
    Shorter("poise plot range", {"--steps": "2", "--targets": "0.3"}, "walks at many targets for minutes"),
    Shorter("poise plot", {"--steps": "4"}, "the picture matters, not the number of steps"),
    Shorter(
        "poise clip tame",
        {"--evaluations": "12", "--seeds": "1", "--seconds": "2", "--no-retouch": ""},
        "searches for minutes",
    ),
    Shorter(
        "poise clip retouch",
        {"--generations": "1", "--starts": "1", "--draw": "1", "--first": None, "--last": "0"},
        "searches for two minutes per fragment",
    ),
    Shorter(
        "poise transition",
        {"--tries": "1"},
        "the comparison matters, not the number of its starts",
        having=("--naive",),
    ),
    Shorter(
        "poise transition",
        {"--generations": "1", "--starts": "1", "--tries": "1", "--phases": "1"},
        "searches for minutes",
    ),
    Shorter("poise graph wander", {"--minutes": "0.05"}, "wanders for minutes"),
)
#: Searches for parameters take minutes: of each, the first generation is tried, in trials of this length.
SEARCH_S: Final = 1.0
REPLACED: Final = (
    Replaced(
        "docs/recordings.md", "run = run_scene(scene, 10.0)", "run = run_scene(scene, 0.2)", "renders for a minute"
    ),
    Replaced(
        "docs/robustness.md",
        "PushTest(directions=(0, 180), phases=8)",
        "PushTest(directions=(0, 180), phases=1, after_s=0.5)",
        "pushes for half a minute",
    ),
    Replaced(
        "docs/robustness.md",
        "PushTest(directions=(0, 180)), guess_n=500, tolerance_n=25",
        "PushTest(directions=(0, 180), phases=1, after_s=0.5), guess_n=500, tolerance_n=400",
        "searches for half a minute",
    ),
    Replaced("docs/robustness.md", "repeat=10, every_s=4", "repeat=2, every_s=1", "pushes for half a minute"),
    Replaced("docs/robustness.md", "seconds=20)", "seconds=2)", "walks for a minute of simulated time"),
    Replaced("docs/robustness.md", "20.0, settle_s=5.0", "2.0, settle_s=0.5", "walks for a minute of simulated time"),
)
