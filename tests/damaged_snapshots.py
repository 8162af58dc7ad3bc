"""Snapshots damaged in every way that we can think of, restored and run, many of them in one process of its own.

    python tests/damaged_snapshots.py 1000 7      # how many, and the seed
    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=… python tests/damaged_snapshots.py 1000 7

The second form finds every index that is out of bounds, harmful or not; it compiles everything for a minute. The parent
counts a process that dies and continues after the snapshot that killed it.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

RUN_S = 0.05
#: How far into their runs worlds are: without the compiler a tick takes a millisecond.
SETTLE_S = 0.05 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 0.3
#: A snapshot that takes longer hangs; the first ones of a process wait for the compiler.
HANG_S = 120.0
ODD_VALUES = (
    np.nan, np.inf, -np.inf, 1e300, -1e300, 1e18, -1e18, 2.0**31, -(2.0**31), 2.0**62, 1e9, 1e5, 300.0, 99.0, 24.0,
    7.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.0, -1.0, -2.0, -0.5, -99.0, 1e-300,
)  # fmt: skip
ODD_TEXTS = (
    "", "{", "3", "null", "[]", "[" * 100_000, "9" * 5000, '{"requests": [], "saved": {}, "toggled": {"x": [true]}}',
    '{"requests": [{"start_s": 1}], "saved": {}, "toggled": {}}',
    '{"requests": [], "saved": {"a": 3}, "toggled": {}}',
    '{"requests": [], "saved": {}, "toggled": {"wall": [false, false]}}',
    '{"requests": [{"start_s": NaN, "end_s": 1, "character": 99, "what": "x"}], "saved": {}, "toggled": {}}',
)  # fmt: skip


@dataclass
class Report:
    """How many snapshots were refused, ran, stopped with a clear error; what must not be: faults, crashes, hangs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(self.outcomes.values()) + len(self.faults) + len(self.crashes)


# -- worlds ------------------------------------------------------------------------------------------------------------


def _guest_script() -> str:
    phases = [f"> walker/walk(speed=.6);\nTRANSITION to({k}).after(time .03);" for k in (1, 0)]
    text = "".join(f"PHASE {k}\n{phase}\nENDPHASE\n" for k, phase in enumerate(phases))
    return f"BEGINSCRIPT a(void)\n{text}ENDSCRIPT\n"


def make_world(family: str) -> Any:
    """A world with a controller of a family, a little way into its run."""
    from poise.controllers.catalog import load_controller
    from poise.controllers.simbicon.blend import blend
    from poise.world.adopt import load_any_character
    from poise.world.compile import PhysicsSettings
    from poise.world.disturbances import Push
    from poise.world.props import box
    from poise.world.world import World

    bodies = {
        "planar": ("biped7", "simbicon/planar-walk-2state"),
        "spatial": ("humanoid", "simbicon/humanoid-in-place"),
        "walker": ("humanoid", "walker/walk"),
        "tracker": ("lee13", "tracker/normal"),
        "steer": ("lee13", "tracker/steer"),
        "graph": ("laszlo_human", "limit-cycle/human-walk"),
        "phases": ("humanoid", "jump/precision-jump"),
        "pose": ("humanoid", "pose/hold"),
        "script": ("planar17", "script/walk"),
        "handstand": ("planar17", "script/handstand-to-supine"),
    }
    if family == "blend":
        body = load_any_character("humanoid")
        gaits = [load_controller(f"simbicon/humanoid-{name}", body) for name in ("in-place", "run")]
        world = World([body], [blend(*gaits, 0.5, "blend")])
    elif family == "guest":
        body = load_any_character("humanoid")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "main.ctl"
            path.write_text(_guest_script())
            settings = PhysicsSettings(timestep_s=0.001, ground="default")
            world = World([body], [load_controller(path, body)], settings=settings)
    elif family == "pair":
        body = load_any_character("biped7")
        walk = load_controller("simbicon/planar-walk", body)
        world = World([body, body], [walk, None], props=[box(position_m=(3.0, 0.0, 0.2))])
        world.push(Push(100.0, 0.0, 0.02, 1.0))
        world.attach(body.segment_names[0], (0, 0, 0), "box", (0, 0, 0), stiffness_npm=100.0, damping_nspm=10.0)
    else:
        body = load_any_character(bodies[family][0])
        world = World([body], [load_controller(bodies[family][1], body)])
    world.run_until(SETTLE_S)
    return world


FAMILIES = (
    "planar", "spatial", "blend", "walker", "tracker", "steer", "graph", "phases", "pose", "script", "handstand",
    "guest", "pair",
)  # fmt: skip


# -- damage ------------------------------------------------------------------------------------------------------------


def flip_bytes(rng: np.random.Generator, data: bytes) -> bytes:
    """Some bytes are others."""
    broken = bytearray(data)
    for place in rng.integers(len(data), size=rng.integers(1, 10)):
        broken[place] = int(rng.integers(256))
    return bytes(broken)


def cut_off(rng: np.random.Generator, data: bytes) -> bytes:
    """The end is missing."""
    return data[: int(rng.integers(len(data)))]


def scramble(rng: np.random.Generator, data: bytes) -> bytes:
    """A block is noise, zeros, missing, or there twice."""
    a = int(rng.integers(len(data)))
    b = min(len(data), a + int(rng.integers(1, 400)))
    return data[:a] + (rng.bytes(b - a), bytes(b - a), b"", data[a:b] * 2)[rng.integers(4)] + data[b:]


def _odd_numbers(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """Some numbers are odd ones."""
    changed = array.copy()
    for place in rng.integers(array.size, size=rng.integers(1, 4)):
        value = ODD_VALUES[rng.integers(len(ODD_VALUES))]
        with np.errstate(all="ignore"):
            changed.reshape(-1)[place] = np.array(value).astype(array.dtype)
    return changed


def _odd_integers(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """The first numbers, where indices like to stand, are small whole ones."""
    changed = array.copy()
    place = int(rng.integers(min(array.size, 8)))
    changed.reshape(-1)[place] = int(rng.integers(-3, 60)) if array.dtype.kind != "u" else int(rng.integers(60))
    return changed


def _odd_all(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """All numbers are one odd one, another array's worth of them, or in another order."""
    way = rng.integers(3)
    if way == 0:
        with np.errstate(all="ignore"):
            value = np.array(ODD_VALUES[rng.integers(len(ODD_VALUES))]).astype(array.dtype)
        return np.full_like(array, value)
    if way == 1:
        return (array + array.dtype.type(rng.integers(1, 9))).astype(array.dtype)
    return np.asarray(rng.permutation(array.reshape(-1)).reshape(array.shape))


def _odd_shape(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    flat = array.reshape(-1)
    forms: tuple[Callable[[], np.ndarray], ...] = (
        lambda: flat[:-1], lambda: np.concatenate([flat, flat]), lambda: flat[:0], lambda: array[None],
        lambda: array.T.copy(), lambda: flat[0].reshape(()), lambda: np.zeros((0, 10**9)),
    )  # fmt: skip
    return forms[rng.integers(len(forms))]()


def _odd_type(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    kinds = ("<f4", ">f8", "<i8", "<i4", "<u8", "<c16", "?", "<U5", "<f2", "S8")
    with np.errstate(all="ignore"):
        return array.astype(kinds[rng.integers(len(kinds))])


def _odd_json(rng: np.random.Generator, text: str) -> str:
    """One of its values is an odd one."""
    values = list(re.finditer(r"-?\d[\d.e+-]*|null|true|false|NaN|Infinity|\"[^\"]*\"", text))
    if not values:
        return text + "3"
    place = values[int(rng.integers(len(values)))]
    odd = ("NaN", "1e300", "-1", "99", "9999999999999999999999", "null", "true", '"x"', "[]", "{}", "[1, 2]", "0.5")
    return text[: place.start()] + odd[rng.integers(len(odd))] + text[place.end() :]


def edit_contents(rng: np.random.Generator, entries: Mapping[str, Any], foreign: Mapping[str, Any]) -> dict[str, Any]:
    """Other contents, so that only their values can betray them."""
    edited = dict(entries)
    names = sorted(edited)
    # The arrays that laws read are those that can do the worst.
    weights = np.array([6.0 if n.startswith(("params", "memory", "pilots")) else 1.0 for n in names])
    name = names[rng.choice(len(names), p=weights / weights.sum())]
    array = np.asarray(edited[name])
    if name in ("notebook", "pilots"):
        odd = name == "pilots" and rng.integers(4) > 0
        edited[name] = np.array(_odd_json(rng, str(array)) if odd else ODD_TEXTS[rng.integers(len(ODD_TEXTS))])
        return edited
    way = rng.integers(14)
    if not array.size or way == 0:
        del edited[name]
    elif way == 1:
        edited[f"{name}_more"] = array
    elif way == 2:
        edited[name] = _odd_shape(rng, array)
    elif way == 3:
        edited[name] = _odd_type(rng, array)
    elif way == 4:
        other = foreign.get(name, array)
        edited[name] = other
    elif way < 8:
        edited[name] = _odd_integers(rng, array)
    elif way < 10:
        edited[name] = _odd_all(rng, array)
    else:
        edited[name] = _odd_numbers(rng, array)
    return edited


def damage(rng: np.random.Generator, entries: Mapping[str, Any], foreign: Mapping[str, Any]) -> bytes:
    """The bytes of a damaged file: of the archive itself, or of other contents with a digest that is right."""
    from poise.archives import pack_archive

    way = rng.integers(8)
    if way < 3:
        return (flip_bytes, cut_off, scramble)[way](rng, pack_archive(entries))
    return pack_archive(edit_contents(rng, entries, foreign))


# -- one process -------------------------------------------------------------------------------------------------------


def try_out(world: Any, path: Path) -> str:
    """Result of restoring a file and running it: refused, ran, or stopped with a clear error."""
    from poise.errors import FileFormatError, PoiseError
    from poise.world.snapshots import load_snapshot

    try:
        snapshot = load_snapshot(path)
    except FileFormatError:
        return "not loaded"
    try:
        world.restore(snapshot)
    except PoiseError:
        return "not restored"
    try:
        world.advance(round(RUN_S / world.settings.timestep_s))
    except PoiseError:
        return "stopped"
    return "ran"


def work(first: int, count: int, seed: int, families: tuple[str, ...]) -> None:
    """Tries the snapshots first … count - 1, and writes a line before and after each."""
    from poise.world.snapshots import pack_snapshot

    worlds = {name: make_world(name) for name in families}
    starts = {name: world.snapshot() for name, world in worlds.items()}
    packed = {name: pack_snapshot(start) for name, start in starts.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.npz"
        for k in range(first, count):
            rng = np.random.default_rng((seed, k))
            family, other = families[k % len(families)], families[int(rng.integers(len(families)))]
            print(json.dumps({"begin": k, "family": family}), flush=True)
            path.write_bytes(damage(rng, packed[family], packed[other]))
            fault = ""
            try:
                outcome = try_out(worlds[family], path)
            except Exception:  # a fault is what is looked for
                outcome, fault = "fault", traceback.format_exc(limit=-4)
            print(json.dumps({"end": k, "outcome": outcome, "fault": fault}), flush=True)
            worlds[family].restore(starts[family])


# -- the parent --------------------------------------------------------------------------------------------------------


def run_damaged_snapshots(
    count: int, seed: int, families: tuple[str, ...] = FAMILIES, environment: Mapping[str, str] | None = None
) -> Report:
    """Damage, restore and run `count` snapshots, and count the results."""
    report, first = Report(), 0
    while first < count:
        command = [sys.executable, __file__, "--work", str(first), str(count), str(seed), ",".join(families)]
        child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        try:
            out, err = child.communicate(timeout=HANG_S + 2.0 * (count - first))
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
        begun = _read_lines(out, report)
        if child.returncode == 0:
            break
        if begun is None:
            raise RuntimeError(f"the process ended before its first snapshot, or between two:\n{err}")
        report.crashes.append(f"{begun['family']} {begun['begin']}: ended with {child.returncode}")
        first = begun["begin"] + 1
    return report


def _read_lines(out: str, report: Report) -> dict[str, Any] | None:
    """Adds the outcomes to the report; returns the snapshot that was begun and not ended."""
    begun: dict[str, Any] | None = None
    for line in io.StringIO(out):
        row = json.loads(line)
        if "begin" in row:
            begun = row
        elif row["outcome"] == "fault":
            assert begun is not None
            report.faults.append(f"{begun['family']} {begun['begin']}: {row['fault']}")
            begun = None
        else:
            report.outcomes[row["outcome"]] += 1
            begun = None
    return begun


if __name__ == "__main__":
    if sys.argv[1] == "--work":
        work(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), tuple(sys.argv[5].split(",")))
    else:
        found = run_damaged_snapshots(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
        print(dict(found.outcomes), *found.faults, *found.crashes, sep="\n")
        print(f"{found.count} snapshots, {len(found.faults)} faults, {len(found.crashes)} crashes")
        sys.exit(bool(found.faults or found.crashes))
