import dataclasses
import errno
import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import ExportError, FileFormatError
from poise.recordings.recording import Recording
from poise.recordings.recording_file import load_recording, save_recording
from refusals import refusal
from synthetic_walks import make_walk


def assert_equal(a: Recording, b: Recording) -> None:
    for field in dataclasses.fields(Recording):
        x, y = getattr(a, field.name), getattr(b, field.name)
        if isinstance(x, np.ndarray):
            assert x.dtype == y.dtype and np.array_equal(x, y, equal_nan=True), field.name
        else:
            assert x == y, field.name


def rewrite(path, **changes):
    """The file with other entries; None leaves one out, a function changes the table of JSON."""
    with np.load(path) as data:
        entries = {name: data[name] for name in data.files if name != "digest"}
    for name, value in changes.items():
        if name == "head":
            head = json.loads(str(entries["json"]))
            value(head)
            entries["json"] = np.array(json.dumps(head))
        elif value is None:
            del entries[name]
        else:
            entries[name] = value
    np.savez(path, **entries)


@pytest.fixture
def saved(tmp_path, walk):
    path = tmp_path / "walk.npz"
    save_recording(walk, path)
    return path


def test_a_recording_comes_back_as_it_was(tmp_path, pair):
    save_recording(pair, tmp_path / "pair.npz")
    assert_equal(load_recording(tmp_path / "pair.npz"), pair)


def test_no_value_is_rounded(tmp_path, walk):
    odd = dataclasses.replace(walk, torque_nm=np.full_like(walk.torque_nm, np.nan), timestep_s=1 / 3)
    save_recording(odd, tmp_path / "odd.npz")
    assert_equal(load_recording(tmp_path / "odd.npz"), odd)


def test_a_recording_without_frames_comes_back(tmp_path, nothing):
    save_recording(nothing, tmp_path / "empty.npz")
    assert_equal(load_recording(tmp_path / "empty.npz"), nothing)


def test_the_same_recording_gives_the_same_bytes(tmp_path, walk):
    for name in "ab":
        save_recording(walk, tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_numpy_reads_it_without_pickle(saved, walk):
    with np.load(saved, allow_pickle=False) as data:
        assert np.array_equal(data["segment_pos_w_m"], walk.segment_pos_w_m)
        assert json.loads(str(data["json"]))["characters"][0]["name"] == "synthetic"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a recording. Poise writes these as NPZ files."),
        (b"HIERARCHY\nROOT hip\n", "not a recording. Poise writes these as NPZ files."),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content, reason):
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    assert refusal(load_recording, path) == f"{path}: {reason}"


def test_somebody_elses_npz_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, weights=np.zeros(3))
    assert refusal(load_recording, path) == f"{path}: not a recording, holds an entry 'weights'."


def test_a_missing_file_is_named_with_a_near_one(saved):
    wrong = saved.with_name("wolk.npz")
    assert refusal(load_recording, wrong) == f"{wrong}: no such file. Did you mean '{saved}'?"


def test_pickled_objects_are_never_opened(saved):
    rewrite(saved, qpos=np.array([{"a": 1}], dtype=object))
    with pytest.raises(FileFormatError, match="entry 'qpos' holds Python objects, which are never loaded"):
        load_recording(saved)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"qpos": None}, "not a recording, lacks qpos."),
        ({"time_s": np.zeros(301)}, "time_s must increase from frame to frame."),
        ({"time_s": np.arange(301)}, "time_s must hold float64, got int64."),
        ({"com_w_m": np.zeros((301, 2, 3))}, "com_w_m must have the shape (301, 1, 3), got (301, 2, 3)."),
        ({"time_s": np.arange(301.0) * 1e9}, "time_s must lie in -1e+06 to 1e+06."),
        (
            {"time_s": np.append(np.arange(300) * 1e-7, 900.0)},
            "time_s is too uneven, resampling would give 9e+09 frames.",
        ),
        ({"time_s": np.full(301, np.nan)}, "time_s must be finite."),
        ({"qpos": np.zeros((0, 10**9))}, "qpos must have the shape (301, any), got (0, 1000000000)."),
        ({"head": lambda h: h.update(timestep_s=1e-300)}, "timestep_s must lie in 1e-09 to 1e+06, got 1e-300."),
        ({"head": lambda h: h.update(timestep_s=0)}, "timestep_s must lie in 1e-09 to 1e+06, got 0."),
        ({"head": lambda h: h.update(characters=3)}, "damaged recording, its description is malformed."),
        (
            {"head": lambda h: h.update(props=["x"] * 10**5)},
            "segment_pos_w_m must have the shape (301, 100015, 3), got (301, 15, 3).",
        ),
        ({"json": np.array("[" * 10**5)}, "is damaged, entry 'json' is not JSON."),
        ({"contact_start": np.arange(302) * 2}, "contact_start must increase from 0 to the number of contacts."),
        (
            {"head": lambda h: h.update(version=2)},
            "unknown version of the recording, got 2. Allowed: 1.",
        ),
        ({"head": lambda h: h.update(format="x")}, "not a recording, its format is not 'poise-recording'."),
        (
            {"head": lambda h: h["characters"][0]["segments"][1].update(mass_kg=-1.0)},
            "damaged recording, segment trunk: mass_kg must be positive, got -1.0.",
        ),
        (
            {"head": lambda h: h["characters"][0]["segments"][1].pop("mass_kg")},
            "damaged recording, Segment has unknown or missing fields: mass_kg.",
        ),
        (
            {"head": lambda h: h["characters"][0]["segments"][1].update(mass_kg=[1])},
            "damaged recording, Segment.mass_kg is malformed, got [1].",
        ),
        (
            {"head": lambda h: h.update(controllers=[])},
            "there must be 1 controllers and tallies, one per character.",
        ),
    ],
)
def test_a_damaged_recording_says_what_is_wrong(saved, changes, reason):
    rewrite(saved, **changes)
    assert refusal(load_recording, saved) == f"{saved}: {reason}"


def test_contacts_with_unknown_segments_are_refused(saved, walk):
    rewrite(saved, contact_segment=walk.contact_segment + 99)
    with pytest.raises(FileFormatError, match="contact_segment must lie in -1 to 14"):
        load_recording(saved)


def test_a_header_that_promises_more_than_there_is_ends_quietly(saved):
    data = io.BytesIO()
    np.lib.format.write_array_header_1_0(data, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(saved) as old:
        entries = {info.filename: old.read(info) for info in old.infolist()}
    entries["time_s.npy"] = data.getvalue()
    with zipfile.ZipFile(saved, "w") as new:
        for name, content in entries.items():
            new.writestr(name, content)
    with pytest.raises(FileFormatError):
        load_recording(saved)


def test_arrays_of_another_recording_are_seen(saved, walk):
    with np.load(saved) as data:
        entries = {name: data[name] for name in data.files}
    np.savez(saved, **{**entries, "qpos": walk.qpos + 1.0})
    with pytest.raises(FileFormatError, match="is damaged, its contents do not match their checksum"):
        load_recording(saved)


_SMALL = make_walk(seconds=0.05)


@given(st.data())
def test_a_bent_file_raises_one_kind_of_error_or_reads_whole(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bent") / "x.npz"
    save_recording(_SMALL, path)
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    for _ in range(data.draw(st.integers(1, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    try:
        loaded = load_recording(path)
    except FileFormatError:
        return
    assert_equal(loaded, _SMALL)


def test_a_full_disk_leaves_the_old_file(saved, walk, monkeypatch):
    before = saved.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ExportError) as error:
        save_recording(walk, saved)
    assert str(error.value) == (
        f"{saved}: could not be written, the disk is full. Free some space or choose another disk."
    )
    assert saved.read_bytes() == before
    assert [p.name for p in saved.parent.iterdir()] == [saved.name]
