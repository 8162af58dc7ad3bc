"""The section that changes the body on stage: another character, random proportions, and a slider for every part."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from nicegui import background_tasks, events, ui

from poise.characters.catalog import character_names
from poise.characters.knees import compute_knee, has_knee
from poise.characters.model import SIDES
from poise.characters.proportions import KNEES, PARTS, find_part
from poise.characters.random_bodies import random_proportions
from poise.controllers.catalog import load_controller
from poise.errors import PoiseError
from poise.studio.looks import Looks
from poise.studio.published import Stage
from poise.studio.scenario import Scenario, load_body
from poise.world.adopt import load_any_character

#: Ranges of the sliders; files and the command line allow more.
FACTOR_RANGE: Final = (0.6, 1.6)
MASS_RANGE: Final = (0.4, 2.5)
KNEE_RANGE: Final = (0.3, 0.7)
STEP: Final = 0.01
#: The order in which people look for parts: pairs before sides.
ORDER: Final = (
    "legs", "left_leg", "right_leg", "arms", "left_arm", "right_arm", "trunk", "head", "feet", "mass",
    "knee", "left_knee", "right_knee",
)  # fmt: skip
#: Proportions of both sides.
PAIRS: Final = ("legs", "arms")
MAX_SEED: Final = 9999

Load = Callable[[Scenario], None]


@cache
def list_bodies(controller: str) -> tuple[str, ...]:
    """The shipped characters that a controller can run on, its own first."""
    fitting = []
    for name in character_names():
        try:
            load_controller(controller, load_any_character(name))
        except PoiseError:
            continue
        fitting.append(name)
    return tuple(fitting)


def list_parts(scenario: Scenario) -> dict[str, float]:
    """The proportions that a scenario's character has, with their values before its sliders were moved.

    They are relative to the original character, also if random ones were drawn: `legs` is then the mean of both.
    """
    character = load_body(replace(scenario, scale=()))
    drawn: dict[str, float] = {}
    if scenario.random_body is not None:
        drawn = random_proportions(load_any_character(scenario.character), scenario.random_body)
    knees = {side: compute_knee(character, side) for side in SIDES if has_knee(character, side)}
    parts: dict[str, float] = {}
    for part in ORDER:
        if part in KNEES:
            sides = SIDES if part == "knee" else (part.removesuffix("_knee"),)
            if all(side in knees for side in sides):
                parts[part] = sum(knees[side] for side in sides) / len(sides)
        elif part == "mass" or all(find_part(character, p) for p in _members(part)):
            parts[part] = _find_factor(part, drawn)
    return parts


def _find_factor(part: str, drawn: Mapping[str, float]) -> float:
    """A part's drawn factor. That of a pair is the geometric mean; its sides then have what remains."""
    pair = next((p for p in PAIRS if part in (p, *_members(p))), None)
    if pair is None:
        return drawn.get(part, 1.0)
    mean = math.sqrt(math.prod(drawn.get(side, 1.0) for side in _members(pair)))
    return mean if part == pair else drawn.get(part, 1.0) / mean


def _members(part: str) -> tuple[str, ...]:
    return tuple(f"{side}_{part[:-1]}" for side in SIDES) if part in PAIRS else (part,)


def rescale(scenario: Scenario, part: str, value: float, neutral: float) -> Scenario:
    """The scenario with one proportion changed from its neutral value, which is left out."""
    scale = {name: factor for name, factor in scenario.scale if name != part}
    if abs(value - neutral) > 0.5 * STEP:
        # A factor multiplies what was drawn; a knee is placed where the slider says.
        scale[part] = value if part in KNEES else value / neutral
    return replace(scenario, scale=tuple((name, scale[name]) for name in PARTS if name in scale))


@dataclass
class _Part:
    name: str
    neutral: float
    slider: ui.slider
    shown: ui.label


class Body:
    """The collapsible section; `show` lays it out for the body on stage."""

    def __init__(self, load: Load, looks: Looks) -> None:
        self._load = load
        self._scenario: Scenario | None = None
        self._parts: list[_Part] = []
        #: The bodies found so far, by controller.
        self._bodies: dict[str, tuple[str, ...]] = {}
        fold = looks.keep("body", ui.expansion("Body", icon="accessibility_new"))
        with fold.classes("w-full poise-fold").props("data-testid=fold-body"):
            with ui.row().classes("w-full items-center no-wrap poise-body-head"):
                self.character = ui.select([], on_change=self._choose).classes("grow")
                self.character.props("dense outlined options-dense hide-bottom-space data-testid=body-character")
                self.seed = ui.number(placeholder="seed", min=0, max=MAX_SEED, precision=0).classes("poise-seed")
                self.seed.props("dense outlined hide-bottom-space data-testid=body-seed").on("change", self._draw)
                with self.seed:
                    ui.tooltip("Seed of the random proportions; leave empty for the original character")
                with ui.button(icon="casino", on_click=self._roll).props("flat round dense color=primary") as dice:
                    dice.props("data-testid=body-random")
                    ui.tooltip("Another random body")
            self.list = ui.column().classes("w-full poise-knobs poise-compact")
            with ui.row().classes("w-full items-center justify-between no-wrap"):
                ui.label("The run continues with the new body.").classes("poise-hint")
                ui.button("reset body", on_click=self._reset).props(
                    "flat dense no-caps size=sm color=primary data-testid=reset-body"
                )

    def show(self, stage: Stage) -> None:
        scenario = self._scenario = stage.scenario
        self._offer(self._bodies.get(scenario.controller, ()))
        background_tasks.create(self._find_bodies(scenario.controller), name="find bodies")
        self.seed.set_value(scenario.random_body)
        parts = list_parts(scenario)
        if [part.name for part in self._parts] != list(parts):
            self._lay_out(parts)
        factors = dict(scenario.scale)
        for part in self._parts:
            part.neutral = parts[part.name]
            value = part.neutral * factors.get(part.name, 1.0)
            if part.name in KNEES:
                value = factors.get(part.name, part.neutral)
            part.slider.set_value(value)
            part.shown.set_text(_write(part.name, value))

    async def _find_bodies(self, controller: str) -> None:
        """Find the bodies that fit. In a thread: the first time, every character is loaded."""
        found = self._bodies[controller] = await asyncio.to_thread(list_bodies, controller)
        if self._scenario is not None and self._scenario.controller == controller and not self.character.is_deleted:
            self._offer(found)

    def _offer(self, bodies: tuple[str, ...]) -> None:
        assert self._scenario is not None
        offered = dict.fromkeys([*bodies, self._scenario.character])
        self.character.set_options(list(offered), value=self._scenario.character)

    def _lay_out(self, parts: dict[str, float]) -> None:
        self.list.clear()
        self._parts.clear()
        with self.list:
            for name, neutral in parts.items():
                self._parts.append(self._add(name, neutral))

    def _add(self, name: str, neutral: float) -> _Part:
        low, high = KNEE_RANGE if name in KNEES else MASS_RANGE if name == "mass" else FACTOR_RANGE
        # A character's own knees may lie outside.
        with ui.element("div").classes("poise-knob poise-one-line") as box:
            box.props(f'data-testid="part-{name}"')
            with ui.row().classes("w-full items-center no-wrap poise-knob-head"):
                ui.label("knees" if name == "knee" else name.replace("_", " ")).classes("poise-knob-name grow")
                slider = ui.slider(min=min(low, neutral), max=max(high, neutral), step=STEP, value=neutral)
                slider.props("color=primary track-size=3px thumb-size=14px")
                shown = ui.label(_write(name, neutral)).classes("poise-part-value")
        part = _Part(name, neutral, slider, shown)
        slider.on("update:model-value", lambda e: shown.set_text(_write(name, float(e.args))), throttle=0.1)
        # Build the new body when the thumb is released, not while it moves.
        slider.on("change", lambda e: self._change(part, float(e.args)))
        return part

    def _change(self, part: _Part, value: float) -> None:
        if self._scenario is not None:
            self._take(rescale(self._scenario, part.name, value, part.neutral))

    def _take(self, scenario: Scenario) -> None:
        if scenario != self._scenario:
            # The next slider's change adds to this one, which the engine may not have applied yet.
            self._scenario = scenario
            self._load(scenario)

    def _choose(self, event: events.ValueChangeEventArguments[Any]) -> None:
        offered = event.value in self.character.options
        if self._scenario is not None and offered and event.value != self._scenario.character:
            self._take(replace(self._scenario, character=event.value, scale=(), random_body=None))

    def _draw(self) -> None:
        """Take the body of the seed; it moves all sliders, so earlier changes by hand are gone."""
        if self._scenario is not None:
            seed = None if self.seed.value is None else int(self.seed.value)
            self._take(replace(self._scenario, scale=(), random_body=seed))

    def _roll(self) -> None:
        # The only choice that is not reproducible; the seed is shown and can be typed again.
        self.seed.set_value(random.randrange(MAX_SEED + 1))
        self._draw()

    def _reset(self) -> None:
        if self._scenario is not None:
            self._take(replace(self._scenario, scale=(), random_body=None))


def _write(part: str, value: float) -> str:
    return f"{100.0 * value:.0f} %" if part in KNEES else f"{value:.2f}×"
