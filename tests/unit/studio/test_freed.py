"""A closed tab leaves nothing behind: no engine, no world, no page, no thread."""

import gc
import json
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest

from poise.studio import memory
from poise.studio.engine import Engine
from poise.studio.memory import Tidier
from poise.studio.scenario import Scenario

TOOL = Path(__file__).parents[3] / "tools" / "studio_tabs.py"
WALK = Scenario("simbicon/planar-walk", "biped7")


def test_a_closed_engine_lets_go_of_its_world() -> None:
    """A page may keep a reference to the engine for a while; that keeps neither simulation nor history."""
    engine = Engine(WALK).start()
    while engine.stage is None:
        threading.Event().wait(0.02)
    simulation = engine._simulation
    assert simulation is not None
    worlds = [weakref.ref(simulation), weakref.ref(simulation.world)]
    del simulation
    engine.push(1.0, 0.0)
    engine.close(20.0)
    assert not engine.alive
    gc.collect()
    assert [world() for world in worlds] == [None, None]
    assert engine.view.moment is None and engine.stage is None


def test_tabs_that_close_together_are_tidied_up_after_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Semaphore(0)
    monkeypatch.setattr(memory, "give_back_memory", done.release)
    tidier = Tidier(0.05)
    for _ in range(5):
        tidier.ask()
    assert done.acquire(timeout=20)
    assert not done.acquire(timeout=0.2)
    tidier.ask()
    tidier.close()
    assert not done.acquire(timeout=0.2)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_tabs_that_were_opened_and_closed_are_freed() -> None:
    """A quick form of `tools/studio_tabs.py --tabs 200`."""
    pytest.importorskip("nicegui")
    # NiceGUI behaves differently where it believes that it is being tested.
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    options = ["simbicon/planar-walk", "--tabs", "8", "--at-once", "2", "--stay", "0.2", "--keep", "2", "--settle", "7"]
    ran = subprocess.run(
        [sys.executable, str(TOOL), *options], env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    counts = {line.split()[0]: json.loads(line.partition(" ")[2]) for line in ran.stdout.splitlines()}
    assert counts["8"]["Engine"] > 0, "tabs had a world"
    after = counts["after"]
    assert {k: after[k] for k in ("Engine", "Simulation", "World", "StudioPage", "Client", "threads")} == {
        "Engine": 0, "Simulation": 0, "World": 0, "StudioPage": 0, "Client": 0, "threads": 0,
    }  # fmt: skip
