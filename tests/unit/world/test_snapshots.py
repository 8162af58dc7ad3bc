"""Snapshots survive the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.errors import FileFormatError
from poise.world.snapshots import load_snapshot, save_snapshot
from poise.world.world import World


def test_a_saved_snapshot_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    character = load_character("biped7")
    controller = load_controller("simbicon/planar-walk", character)
    world, other = World([character], [controller]), World([character], [controller])
    world.step(1234)
    save_snapshot(world.snapshot(), tmp_path / "there.npz")
    other.restore(load_snapshot(tmp_path / "there.npz"))
    for w in (world, other):
        w.step(1000)
    assert world.data.qpos.tobytes() == other.data.qpos.tobytes()


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 half"])
def test_what_is_not_a_snapshot_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wrong.npz"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"not a snapshot|is damaged, its table of entries"):
        load_snapshot(path)
