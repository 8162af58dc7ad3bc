"""Checkpoint files: generations of any size come back as they were, and damaged files are refused."""

import numpy as np
import pytest

from poise.errors import FileFormatError
from poise.optim.ask_tell import Trace
from poise.optim.checkpoint import (
    Checkpoint,
    has_checkpoint,
    load_checkpoint,
    load_last_checkpoint,
    save_checkpoint,
)
from unit.optim.bowl import is_same

TRACE = Trace(
    (np.array([[1.0, 2.0], [3.0, np.pi]]), np.array([[5.0]]), np.zeros((2, 3))),
    (np.array([1.0, np.nan]), np.array([0.1]), np.array([[1.0, 2.0], [3.0, 4.0]])),
    ((("fall forward",), ("diverged", "too slow")), ((),), ((), ("fall forward",))),
)


def test_generations_of_any_size_come_back_as_they_were(tmp_path):
    save_checkpoint(tmp_path / "c.npz", Checkpoint(TRACE, {"seed": 3}))
    loaded = load_checkpoint(tmp_path / "c.npz")
    assert is_same(loaded.trace, TRACE)
    assert loaded.trace.failures == TRACE.failures and loaded.notes == {"seed": 3}
    assert (loaded.trace.generations, loaded.trace.evaluations) == (3, 5)


def test_a_search_that_has_just_begun_has_a_checkpoint_too(tmp_path):
    save_checkpoint(tmp_path / "c.npz", Checkpoint(Trace((), ())))
    assert load_checkpoint(tmp_path / "c.npz").trace.generations == 0


def test_the_same_checkpoint_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        save_checkpoint(tmp_path / name, Checkpoint(TRACE, {"seed": 3}))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    path = tmp_path / "c.npz"
    with pytest.raises(FileFormatError, match=r"no such file. A search writes it when it begins"):
        load_checkpoint(path)
    with pytest.raises(FileFormatError, match="is a folder"):
        load_checkpoint(tmp_path)
    path.write_bytes(b"nonsense")
    with pytest.raises(FileFormatError, match=r"not a checkpoint of a search\. Poise writes these as NPZ files\."):
        load_checkpoint(path)


def test_a_checkpoint_of_an_older_kind_is_refused(tmp_path):
    np.savez(tmp_path / "c.npz", candidates=np.zeros((2, 3, 4)), costs=np.zeros((2, 3)), notes=np.array("{}"))
    with pytest.raises(FileFormatError, match="is a checkpoint of an older Poise, which kept no names of failures"):
        load_checkpoint(tmp_path / "c.npz")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("candidates", np.zeros(3)),
        ("costs", np.zeros(99)),
        ("tasks", np.array([0])),
        ("failures", np.array("[[]]")),
        ("notes", np.array("3")),
        ("notes", np.array("{")),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(tmp_path, name, value):
    save_checkpoint(tmp_path / "c.npz", Checkpoint(TRACE))
    with np.load(tmp_path / "c.npz") as file:
        arrays = {key: file[key] for key in file.files if key != "digest"}
    np.savez(tmp_path / "c.npz", **{**arrays, name: value})
    with pytest.raises(FileFormatError, match=r"is not a checkpoint of a search|'notes' is not JSON"):
        load_checkpoint(tmp_path / "c.npz")


def test_a_file_that_was_cut_off_is_refused(tmp_path):
    save_checkpoint(tmp_path / "c.npz", Checkpoint(TRACE))
    data = (tmp_path / "c.npz").read_bytes()
    for length in range(0, len(data), 97):
        (tmp_path / "c.npz").write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"not a checkpoint of a search|is damaged, its table of entries"):
            load_checkpoint(tmp_path / "c.npz")


def test_the_checkpoint_before_the_last_is_used_if_that_is_damaged(tmp_path):
    path, said = tmp_path / "c.npz", []
    assert not has_checkpoint(path)
    for seed in (1, 2, 3):
        save_checkpoint(path, Checkpoint(TRACE, {"seed": seed}))
    assert load_last_checkpoint(path, said.append).notes == {"seed": 3}
    path.write_bytes(path.read_bytes()[:100])
    assert load_last_checkpoint(path, said.append, repair=True).notes == {"seed": 2}
    assert len(said) == 1
    assert said[0].startswith(f"{path}: ") and said[0].endswith("The search continues from the checkpoint before it.")
    # The damaged one is gone, and does not take the place of the good one.
    assert not path.exists() and has_checkpoint(path)
    assert load_last_checkpoint(path, said.append).notes == {"seed": 2}
    save_checkpoint(path, Checkpoint(TRACE, {"seed": 4}))
    path.unlink()
    assert load_last_checkpoint(path, said.append).notes == {"seed": 2}
    assert len(said) == 1, "a missing one is what a kill between two renames leaves"


def test_with_both_damaged_the_error_is_that_of_the_last(tmp_path):
    path = tmp_path / "c.npz"
    for name in ("c.npz", "c.npz.previous"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(FileFormatError) as error:
        load_last_checkpoint(path, repair=True)
    assert error.value.path == str(path)
    assert path.exists()
