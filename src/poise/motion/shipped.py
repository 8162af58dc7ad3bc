"""Clips shipped with Poise, by name."""

from __future__ import annotations

from os.path import exists
from pathlib import Path
from typing import Final

from poise.errors import unknown_name

FOLDER: Final = Path(__file__).resolve().parents[1] / "library" / "clips"


def list_clips() -> list[str]:
    """Names of the shipped clips."""
    return sorted(path.stem for path in FOLDER.glob("*.npz"))


def find_clip(name: str, folder: Path | None = None) -> Path:
    """Path of a clip: a path relative to `folder`, or the name of a shipped clip."""
    path = (folder or Path()) / name
    if exists(path) or name not in list_clips():
        if not exists(path) and not path.suffix:
            raise unknown_name("clip", "clip", name, list_clips())
        return path
    return FOLDER / f"{name}.npz"
