"""Everything also runs with the JIT off, and gives the same bits."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import hashlib
from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.kernels.random import next_normal
from poise.world.ground import PenaltyGround
from poise.world.world import Push, World
for name, controller, ground in (
    ("biped7", "simbicon/planar-walk", None),
    ("humanoid", "pose/hold", None),
    ("humanoid", "pose/hold", PenaltyGround()),
):
    body = load_character(name)
    world = World([body], [load_controller(controller, body)], ground=ground, seed=3)
    world.push(Push(100.0, 30.0, 0.01, 0.05))
    world.step(150)
    noise = next_normal(world.ledger.random_state)
    print(hashlib.sha256(world.data.qpos.tobytes() + world.data.qvel.tobytes()).hexdigest(), noise)
"""


def run(jit_off: bool) -> str:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if jit_off else "0"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_with_the_jit_off_the_same_bits_come_out() -> None:
    assert run(jit_off=True) == run(jit_off=False)
