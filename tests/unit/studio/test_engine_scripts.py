"""The engine with an edited script: valid versions run, errors are reported, and the run continues."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from poise.errors import DivergedError
from poise.studio import engine as engine_module
from poise.studio.actor import pack_drafts
from poise.studio.engine import Engine
from poise.studio.rerun import Version
from poise.studio.scenario import Scenario
from poise.studio.simulation import Simulation

NOD = """# Nods.
SET angle = .3
BEGINSCRIPT nod(angle)
PHASE 0
    ACTIONS
        POSE neck2head(angle, 100, 10), lHip(0), rHip(0), lKnee(.1), rKnee(.1), waist(0, 600, 30);
    ENDACTIONS
    TRANSITION to(1).after(time .1);
ENDPHASE
PHASE 1
    ACTIONS
        POSE neck2head(0, 100, 10);
    ENDACTIONS
    TRANSITION to(0).after(time .1);
ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "nod.ctl"
    path.write_text(NOD)
    return path


def make_engine(file: Path, *, run: bool = True) -> Engine:
    """An engine without a thread, whose beats the test gives, on a machine that is never too slow."""
    scenario = Scenario(str(file), "planar17")
    engine = Engine(scenario, clock=lambda: 0.0)
    engine._load(scenario, run=run)
    return engine


def obey(engine: Engine) -> None:
    while not engine._commands.empty():
        command = engine._commands.get()
        if command is not None:
            engine._guard(command)


def edit(engine: Engine, file: Path, number: int, change: Callable[[str], str], **how: str) -> None:
    engine.edit(Version(number, pack_drafts({file: change(NOD)}), **how))  # type: ignore[arg-type]
    obey(engine)


def beat(engine: Engine, seconds: float) -> None:
    for _ in range(round(seconds / 0.05)):
        engine._beat(0.05)


def simulation_of(engine: Engine) -> Simulation:
    assert engine._simulation is not None
    return engine._simulation


def test_an_edit_runs_from_the_start_and_is_published(file: Path) -> None:
    engine = make_engine(file)
    beat(engine, 0.5)
    stage_number, leap = engine.view.stage_number, engine.view.leap
    edit(engine, file, 1, lambda text: text.replace("POSE neck2head(0,", "POSE neck2head(-.4,"))
    view = engine.view
    assert view.reading is not None and view.reading.number == 1 and view.reading.is_sound
    assert view.edited is not None and (view.edited.number, view.edited.began_s) == (1, 0.0)
    assert view.running and view.moment is not None and view.moment.time_s == 0.0 and view.leap == leap + 1
    assert view.stage_number == stage_number, "the same bodies and parameters: nothing is rebuilt"
    assert view.tracks is not None and view.tracks.mine.times_s[-1] == pytest.approx(3.0)
    beat(engine, 0.2)
    expected = Simulation(simulation_of(engine).scenario)
    expected.advance(400)
    assert np.array_equal(simulation_of(engine).world.data.qpos, expected.world.data.qpos)


def test_an_error_leaves_the_run_alone(file: Path) -> None:
    engine = make_engine(file)
    beat(engine, 0.2)
    before = simulation_of(engine)
    edit(engine, file, 1, lambda text: text.replace("neck2head(0,", "neck2hed(0,"))
    assert engine.view.reading is not None and [r.line for r in engine.view.reading.remarks] == [12]
    assert simulation_of(engine) is before and engine.view.running and engine.view.edited is None
    beat(engine, 0.1)
    assert engine.view.moment is not None and engine.view.moment.time_s == pytest.approx(0.3)
    assert engine.take_notices() == []


def test_from_the_phase_in_view(file: Path) -> None:
    engine = make_engine(file)
    beat(engine, 0.35)
    edit(engine, file, 1, lambda text: text, since="phase", script="nod.ctl")
    assert engine.view.edited is not None and engine.view.edited.began_s == pytest.approx(0.3, abs=0.005)
    assert engine.view.moment is not None and engine.view.moment.time_s == engine.view.edited.began_s


def test_older_versions_are_passed_over(file: Path) -> None:
    engine = make_engine(file)
    for number in (1, 2, 3):
        engine.edit(Version(number, pack_drafts({file: NOD.replace(".3", f".{number}", 1)})))
    obey(engine)
    assert engine.view.edited is not None and engine.view.edited.number == 3
    assert engine.view.values == {"angle": 0.3}
    assert engine.view.stage_number == 1


def test_another_default_reaches_the_sliders(file: Path) -> None:
    engine = make_engine(file)
    edit(engine, file, 1, lambda text: text.replace("angle = .3", "angle = .5"))
    assert engine.view.values == {"angle": 0.5} and engine.view.stage_number == 2
    assert engine.stage is not None and engine.stage.continues, "the camera stays where it is"


def test_a_script_that_is_broken_from_the_start_comes_on_when_it_is_mended(file: Path) -> None:
    file.write_text(NOD.replace("PHASE 1", "PHAS 1"))
    engine = make_engine(file)
    assert engine.view.reading is not None and not engine.view.reading.is_sound
    assert not engine.view.running and engine.stage is not None
    edit(engine, file, 1, lambda text: text)
    assert engine.view.running and engine.view.reading is not None and engine.view.reading.is_sound
    beat(engine, 0.1)
    assert engine.view.moment is not None and engine.view.moment.stack == (("nod.ctl", 0),)


def test_another_body_keeps_what_is_not_saved_yet(file: Path) -> None:
    engine = make_engine(file)
    edit(engine, file, 1, lambda text: text.replace("angle = .3", "angle = .6"))
    engine._load(Scenario(str(file), "planar17", scale=(("legs", 1.1),), drafts=simulation_of(engine).scenario.drafts))
    assert engine.view.values == {"angle": 0.6} and file.read_text() == NOD


def test_a_push_ends_the_future_that_was_foreseen(file: Path) -> None:
    engine = make_engine(file)
    edit(engine, file, 1, lambda text: text)
    assert engine.view.tracks is not None and engine.view.tracks.mine.times_s[-1] > 2.9
    beat(engine, 0.1)
    assert engine.view.tracks.cuts == 0, "what was foreseen came true"
    engine.push(600.0, 0.0)
    obey(engine)
    beat(engine, 0.15)
    assert engine.view.tracks.cuts > 0 and engine.view.tracks.mine.times_s[-1] < 0.3


def test_a_version_that_diverges_is_told_and_the_old_one_goes_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(file)
    beat(engine, 0.1)
    before = simulation_of(engine)

    def diverge(*_: object, **__: object) -> None:
        raise DivergedError("world: the state stopped being finite")

    monkeypatch.setattr(engine_module, "rerun", diverge)
    edit(engine, file, 1, lambda text: text)
    assert [n.text for n in engine.take_notices()] == ["world: the state stopped being finite."]
    assert simulation_of(engine) is before and engine.view.running and engine.view.preparing == ""
    beat(engine, 0.1)
    assert engine.view.moment is not None and engine.view.moment.time_s == pytest.approx(0.2)
