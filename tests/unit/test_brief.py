"""`repr` of what `import poise` gives: one short line that says what it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import poise
from poise.brief import MAX_TEXT, count, spell, spell_fields
from poise.measures.walking import measure_gait
from poise.motion.load import load_clip
from poise.motion.shipped import find_clip
from poise.rollout.scene_key import make_key
from poise.trials import PushTest, push_limits, push_matrix, push_train
from poise.world.props import ball
from synthetic_walks import cut, make_walk

WALK = "simbicon/planar-walk"
TEST = PushTest(2, 1, after_s=0.5, settle_s=1.0)


@pytest.fixture(scope="module")
def things() -> dict[str, object]:
    """Objects of all kinds, by the text that must describe them."""
    scene = poise.Scene(WALK, terrain="slope:1", values={"strike_cd": 2.0}, seed=4)
    done = poise.run(WALK, seconds=1.0, at=[poise.Change(0.5, "strike_cd", 2.0)])
    world = scene.open()
    world.run_until(0.5)
    body = poise.load_character("biped7")
    walk, hold = poise.load_controller(WALK, body), poise.load_controller("pose/hold", body)
    swept = poise.sweep(poise.Scene("walker/walk"), "speed", [0.4, 0.5], seconds=2.0)
    return {
        f"<Run of {WALK} on biped7: 1 s, 0.29 m at 0.50 m/s, 2 steps, on its feet>": done,
        f"<Metrics of {WALK} on biped7: 1 s, 0.29 m at 0.50 m/s, 2 steps, on its feet>": done.metrics,
        f"<Recording of {WALK} on biped7: 1 s, {done.recording.frames} frames, "
        f"{len(done.recording.events)} events>": done.recording,
        f"Scene(controller='{WALK}', values={{'strike_cd': 2.0}}, terrain='slope:1', seed=4)": scene,
        f"<LoadedScene of Scene(controller='{WALK}', values={{'strike_cd': 2.0}}, terrain='slope:1', seed=4)>":
            scene.load(),
        f"<World of {WALK} on biped7, slope:angle_deg=1, at 0.5 s>": world,
        f"<Snapshot at 0.5 s of {WALK}>": world.snapshot(),
        "<Character biped7: 7 segments, 9 degrees of freedom, 90 kg>": body,
        f"<Controller {WALK}: {len(walk.parameters)} parameters>": walk,
        "<Cast of walk, hold, starts with walk>": poise.Cast({"walk": walk, "hold": hold}),
        "<Terrain stones:seed=3>": poise.parse_terrain("stones:seed=3"),
        "<Sweep of speed_mps: 2 values, 0 falls, largest error "
        f"{swept.worst_error:.3g}>": swept,
        f"SweepRow(value=0.4, label='0.4', measured={swept.rows[0].measured:.6g}, gait={swept.rows[0].gait!r})":
            swept.rows[0],
        "Actor(controller='walker/walk', random_body=7)": poise.Actor("walker/walk", random_body=7),
        "<Clip backward: 300 frames at 30 Hz, 13 joints>": load_clip(find_clip("backward")),
        "Prop(name='ball', kind='ball', shapes=(<Shape>,), mass_kg=2, position_m=(1, 0, 0.1))": ball(),
        "<PushMatrix: 2 of 2 survived>": push_matrix(poise.Scene(WALK), [10.0], TEST),
        "<PushTrains: 2 of 2 survived>": push_train(poise.Scene(WALK), [5.0], TEST, repeat=1),
    }  # fmt: skip


def test_results_are_described_on_one_line(things: dict[str, object]) -> None:
    assert {repr(thing): repr(thing) for thing in things.values()} == {text: text for text in things}
    assert all(len(text) <= MAX_TEXT and "\n" not in text for text in things)


def test_every_class_of_the_interface_is_short(things: dict[str, object]) -> None:
    world = next(thing for thing in things.values() if isinstance(thing, poise.World))
    others = [
        poise.Push(150, 90, 1, 0.1), poise.Change(1, "speed", 2), poise.Spawn(), poise.StartNoise(0.1),
        poise.sense(world),
    ]  # fmt: skip
    shown = {type(thing) for thing in [*things.values(), *others]}
    classes = {c for name in poise.__all__ if isinstance(c := getattr(poise, name), type)}
    assert {c for c in classes - shown if not issubclass(c, Exception)} <= {poise.Pilot}
    for thing in others:
        assert len(repr(thing)) <= MAX_TEXT and "\n" not in repr(thing)


def test_a_fall_and_an_empty_recording_are_described() -> None:
    fallen = poise.run(WALK, seconds=3.0, set={"torso_kp": 5.0})
    assert f"fell at {fallen.metrics.fell_at_s:.2f} s, not on its feet>" in repr(fallen)
    gait = measure_gait(fallen.recording, fell_at_s=fallen.metrics.fell_at_s)
    assert repr(gait).endswith(f"fell at {gait.fell_at_s:.2f} s>")
    assert repr(cut(make_walk(), 0)).endswith(": 0 s, 0 frames, 0 events>")


def test_limits_are_described() -> None:
    limits = push_limits(poise.Scene(WALK), TEST, tolerance_n=500.0)
    assert repr(limits) == f"<PushLimits: 2 directions, the least {limits.least_n:.4g} N>"


def test_bodies_that_look_alike_have_different_keys() -> None:
    body = poise.load_character("biped7")
    lighter = poise.Scene(WALK, scale={"left_leg": 1.0000001}).load_character()
    assert make_key([body], []) != make_key([lighter], [])
    assert make_key([body], []) == make_key([poise.load_character("biped7")], [])


@dataclass(frozen=True)
class Thing:
    name: str
    numbers: np.ndarray
    many: tuple[int, ...] = ()
    table: dict[str, int] = field(default_factory=dict)
    hidden: int = field(default=0, repr=False)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (Thing("a", np.zeros(2), hidden=3), "Thing(name='a', numbers=(0, 0))"),
        (
            Thing("a", np.zeros((9, 3)), (1,), {"b": 2}),
            "Thing(name='a', numbers=<9 x 3 numbers>, many=(1,), table={'b': 2})",
        ),
        (Thing("a", np.zeros(5), tuple(range(9))), "Thing(name='a', numbers=<5 numbers>, many=<9 items>)"),
        (Thing("a" * 60, np.zeros(1)), "Thing(name=<str>, numbers=(0))"),
    ],
)  # fmt: skip
def test_fields_are_shortened(thing: Thing, text: str) -> None:
    assert spell_fields(thing) == text


def test_texts_end_at_a_limit() -> None:
    assert len(spell_fields(Thing("a", np.zeros(4), ("b" * 30,) * 3, {"c" * 10: 1, "d" * 10: 2}))) <= MAX_TEXT
    assert spell([1.0, "x"]) == "[1, 'x']"
    assert (count(1, "step"), count(0, "step"), count(2, "step")) == ("1 step", "0 steps", "2 steps")
