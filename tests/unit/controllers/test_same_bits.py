"""The same run on what NumPy and its BLAS take for another processor.

NumPy chooses code by the processor's features, and so does OpenBLAS; both can be told to do without. Each run is
a process of its own, since the choice is made when they are loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve()
CONTROLLERS = (
    "walker/walk",
    "simbicon/raptor-walk",
    "limit-cycle/human-walk",
    "tracker/normal",
    "bioloid/walk",
    "script/walk",
)
SECONDS = 4.0
OLD_PROCESSOR = {
    "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3",
    "OPENBLAS_CORETYPE": "Prescott",
}


def _run_all() -> dict[str, str]:
    from poise.rollout.scene import Scene

    found = {}
    for name in CONTROLLERS:
        world = Scene(name).open()
        world.advance(round(SECONDS / world.settings.timestep_s))
        state = world.snapshot()
        parts = (state.physics, *state.params, *state.memories)
        found[name] = hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()
    return found


def _hash_in_a_process(settings: dict[str, str]) -> dict[str, str]:
    path = os.pathsep.join(str(HERE.parents[3] / folder) for folder in ("src", "tests"))
    # NumPy warns of features that it does not know or that its own build needs anyway.
    command = [sys.executable, "-W", "ignore", str(HERE)]
    environment = {**os.environ, **settings, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_runs_have_the_same_bits_on_an_older_processor() -> None:
    assert _hash_in_a_process(OLD_PROCESSOR) == _hash_in_a_process({})


if __name__ == "__main__":
    print(json.dumps(_run_all()))
