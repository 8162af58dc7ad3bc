"""Which experiments are run again: a few at random, the same for one state of the project, others for the next.

All of them would take longer than the tests may. POISE_SAMPLE_SEED chooses others, `POISE_SAMPLE_SIZE=all` all.
"""

from __future__ import annotations

import datetime
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
SIZE = 3


def find_seed() -> str:
    """What was asked for, or the commit, or without git the day."""
    if asked := os.environ.get("POISE_SAMPLE_SEED"):
        return asked
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return datetime.date.today().isoformat()
    return done.stdout.strip() if done.returncode == 0 else datetime.date.today().isoformat()


def find_size(total: int) -> int:
    """How many of so many."""
    asked = os.environ.get("POISE_SAMPLE_SIZE", str(SIZE))
    return total if asked == "all" else min(int(asked), total)


def pick(items: Sequence[T], size: int, seed: str) -> list[T]:
    """So many of them, in their order."""
    chosen = set(random.Random(seed).sample(range(len(items)), size))
    return [item for k, item in enumerate(items) if k in chosen]
