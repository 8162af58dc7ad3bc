import errno
import os

import pytest

from poise.errors import ExportError, InputError
from poise.rollout.export import ENDINGS, check_export_path, export

WRITTEN = [ending for ending in ENDINGS if ending != ".mp4"]
ONE_OF_EACH = [".npz", ".csv", ".bvh", ".contacts.png", ".png"]


@pytest.mark.parametrize("ending", WRITTEN)
def test_the_ending_says_what_is_written(tmp_path, walk, ending):
    path = tmp_path / "new" / f"walk{ending}"
    export(walk, path)
    start = path.read_bytes()[:9]
    kinds = {".npz": b"PK", ".csv": b"time_s", ".bvh": b"HIERARCHY", ".png": b"\x89PNG"}
    assert start.startswith(kinds[path.suffix])
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("name", "ending"),
    [("a.png", ".png"), ("a.joints.png", ".joints.png"), ("a.com.PNG", ".com.png"), ("joints.png", ".png")],
)
def test_plots_are_chosen_by_the_longer_ending(name, ending):
    assert check_export_path(name) == ending


@pytest.mark.parametrize("name", ["walk.gif", "walk", ".png", "out/.csv", "png"])
def test_an_unknown_ending_is_refused_with_the_list(name):
    with pytest.raises(InputError) as error:
        check_export_path(name)
    assert str(error.value) == (
        f"{name}: cannot export to a file with this suffix. Allowed: .npz (recording), .csv (table), "
        ".bvh (motion), .joints.png (plot of joints), .com.png (plot of com), .contacts.png (plot of contacts), "
        ".png (film strip), .mp4 (video)."
    )


@pytest.mark.parametrize("ending", WRITTEN)
def test_a_run_that_ended_before_its_first_frame_does_no_harm(tmp_path, nothing, ending):
    path = tmp_path / f"nothing{ending}"
    if ending in (".bvh", ".png"):
        with pytest.raises(InputError, match="the recording has no frames"):
            export(nothing, path)
    else:
        export(nothing, path)
    assert path.exists() == (ending not in (".bvh", ".png"))


def test_a_video_without_a_model_is_refused(tmp_path, walk):
    with pytest.raises(InputError) as error:
        export(walk, tmp_path / "walk.mp4")
    assert str(error.value) == f"{tmp_path}/walk.mp4: a video needs the model of the recorded world."


@pytest.mark.parametrize("ending", ONE_OF_EACH)
def test_a_full_disk_leaves_nothing_behind(tmp_path, walk, monkeypatch, ending):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    path = tmp_path / f"walk{ending}"
    with pytest.raises(ExportError) as error:
        export(walk, path)
    assert error.value.errno == errno.ENOSPC
    assert str(error.value) == (
        f"{path}: could not be written, the disk is full. Free some space or choose another disk."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("ending", ONE_OF_EACH)
def test_a_disk_that_is_full_from_the_start_says_so(tmp_path, walk, ending):
    (tmp_path / f"walk{ending}").symlink_to("/dev/full")
    with pytest.raises(ExportError, match="the disk is full"):
        export(walk, tmp_path / f"walk{ending}")
    assert [p.name for p in tmp_path.iterdir()] == [f"walk{ending}"]


def test_ctrl_c_while_writing_leaves_nothing_behind(tmp_path, walk, monkeypatch):
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("numpy.savetxt", interrupt)
    with pytest.raises(KeyboardInterrupt):
        export(walk, tmp_path / "walk.csv")
    assert list(tmp_path.iterdir()) == []
