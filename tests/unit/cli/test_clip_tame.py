"""`poise clip tame`: gains for a motion file on the command line."""

import shutil

import pytest

from poise.motion.shipped import find_clip
from poise.search import tame_cost, tame_search, tame_starts
from poise.search.tame_trial import Trial, run_trial
from poise.tables import load_table
from unit.search.small_clip import write_stand, write_walk


@pytest.fixture
def walk(tmp_path, monkeypatch):
    """A walk that is tried for two seconds with few gains, and few candidates once more at the end."""
    monkeypatch.setattr(tame_search, "FINALISTS", 1)
    few = dict(list(tame_starts.load_shipped_gains().items())[:3])
    monkeypatch.setattr(tame_starts, "load_shipped_gains", lambda: few)
    return write_walk(tmp_path / "walk.npz")


@pytest.fixture
def normal(tmp_path, walk, monkeypatch):
    """A copy of a clip that our gains can track, in runs of two seconds at most."""
    shutil.copy(find_clip("normal"), tmp_path / "walk.npz")

    def shorten(subject, gains, seed, *, seconds, push_n=0.0):
        return run_trial(subject, gains, seed, seconds=min(seconds, 2.0), push_n=push_n)

    for place in (tame_search, tame_cost):
        monkeypatch.setattr(place, "run_trial", shorten)


def test_a_tamed_clip_is_a_controller_that_runs(poise, normal):
    options = ("--evaluations", "12", "--seeds", "1", "--seconds", "2", "--no-retouch")
    result = poise("clip", "tame", "walk.npz", *options)
    assert result.exit_code == 0, result.output
    lines = [line.split(": best cost")[0] for line in result.stderr.splitlines() if "Compiling" not in line]
    check = ["final check …", *(f"final check: {part} %".replace(" %", "%") for part in (25, 50, 75, 100))]
    assert lines[0] == "trying shipped gains …"
    assert [line for line in lines if line.startswith("searching")] == [
        "searching gains …", "searching gains: generation 1",
    ]  # fmt: skip
    # Quarters may fall into one report.
    assert lines[-1] == check[-1] and check[0] in lines and set(lines[lines.index(check[0]) :]) <= set(check)
    assert "of 8 starts, 60 s" in result.stdout
    assert "poise run walk.toml --timestep 0.0011111" in result.stdout
    table = load_table("walk.toml")
    assert (table["method"], table["character"], table["clip"]) == ("tracker", "lee13", "walk.npz")
    assert "friction" not in table
    assert table["provenance"]["stopped_by"] == "done"
    assert table["provenance"]["begun_with"] in ("defaults", "tamed/cmu-07-01", "tamed/cmu-16-17")
    assert poise("run", "walk.toml", "--seconds", "0.1", "--timestep", "0.0011111").exit_code == 0
    again = poise("clip", "tame", "walk.npz", *options)
    assert (again.exit_code, again.stderr) == (
        2,
        "error: walk.tame.journal: holds an unfinished search. Continue it with --resume, remove the file to start "
        "again, or give another file with --out.\n",
    )


def test_a_folder_is_listed_and_its_walks_are_tamed(poise, normal, tmp_path):
    clips = tmp_path / "clips" / "deep"
    clips.mkdir(parents=True)
    (tmp_path / "walk.npz").rename(clips / "walk.npz")
    write_stand(tmp_path / "clips" / "stand.npz")
    options = ("--evaluations", "12", "--seeds", "1", "--seconds", "2", "--no-retouch", "--out", "found")
    result = poise("clip", "tame", "clips", *options)
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    assert "deep/walk.npz m" in text and "no walk: it stays in place" in text
    assert text.index("1 of 2 files can be tamed as a walk") < text.index("on its feet")
    assert "deep/walk.npz:" in result.stderr.splitlines()
    table = load_table("found/deep/walk.toml")
    assert table["clip"] == "../../clips/deep/walk.npz"
    assert not (tmp_path / "found" / "stand.toml").exists()
    again = poise("clip", "tame", "clips", *options)
    assert again.exit_code == 0
    assert again.stderr == "deep/walk.npz: found/deep/walk.toml exists already. It is left out.\n"
    resumed = poise("clip", "tame", "clips", *options, "--resume")
    assert resumed.exit_code == 0, resumed.output
    assert "on its feet" in resumed.stdout and dict(load_table("found/deep/walk.toml")["gains"]) == dict(table["gains"])


def test_a_folder_that_cannot_be_tamed_is_explained(poise, tmp_path):
    (tmp_path / "empty").mkdir()
    result = poise("clip", "tame", "empty")
    assert result.exit_code == 2 and result.stderr.startswith("error: empty: no motion files. Allowed: .")
    result = poise("clip", "tame", "empty", "--out", "x.toml")
    assert (result.exit_code, result.stderr) == (
        2, "error: --out: a folder of clips needs a folder, got 'x.toml'.\n",
    )  # fmt: skip


def test_ctrl_c_writes_the_best_so_far(poise, walk, monkeypatch):
    def end(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(tame_search.GainSearch, "close", end)
    result = poise("clip", "tame", "walk.npz", "--once", "--evaluations", "12", "--seeds", "1", "--friction", "2")
    assert result.exit_code == 130
    assert result.stderr.endswith(
        "interrupted. The best so far is written. Resume it with: poise clip tame walk.npz --once --evaluations 12 "
        "--seeds 1 --friction 2 --resume\n"
    )
    table = load_table("walk.toml")
    assert (table["endless"], table["friction"]) == (False, 2.0)
    assert table["provenance"]["stopped_by"] == "interrupted"
    assert poise("show", "controller", "walk.toml").exit_code == 0


def test_a_walk_that_always_falls_is_a_failure(poise, walk, monkeypatch):
    """The file is written, the exit code is 1, and the last line says where it falls."""

    def fall(_subject, _gains, _seed, **_):
        return Trial(1.5, 1.5, 4, None, 0.2, 0.0, 0.0)

    for place in (tame_search, tame_cost):
        monkeypatch.setattr(place, "run_trial", fall)
    result = poise("clip", "tame", "walk.npz", "--evaluations", "12", "--no-retouch")
    assert result.exit_code == 1
    assert "on its feet 0 of 8 starts, 60 s" in " ".join(result.stdout.split())
    assert result.stderr.splitlines()[-1] == (
        "error: walk.toml: no start stays on its feet: all 8 fall after 1.5 s, 8 of them in step 1 of 2 of the cycle, "
        "on the right foot. Try another --seed, --friction 2 or another --cycle."
    )
    assert load_table("walk.toml")["provenance"]["check"]["up"] == 0
    assert poise("show", "controller", "walk.toml").exit_code == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--budget", "-1"], "--budget: the number is out of range, got -1.0 s. Allowed: 0 to 1e+08 s."),
        (["--evaluations", "5"], "evaluations: too few for one generation, got 5. At least 12."),
        (["--once", "--cycle", "1"], "--cycle: has no effect with --once. Leave out one of them."),
        (["--cycle", "9"], "cycle: no such cycle, got 9. Allowed: 0 to 3."),
        (["--friction", "-1"], "--friction: the number is out of range, got -1.0. Allowed: 0 to 100."),
        (["--out", "x.txt"], "--out: a controller is written to a .toml file, got 'x.txt'."),
        (["--resume"], "walk.tame.journal: no such file. A search writes it with its first results."),
        (
            ["--character", "biped7"],
            "character biped7: the tracker drives bodies in space with at most 24 segments.",
        ),
    ],
)
def test_what_cannot_be_tamed_is_explained(poise, walk, options, text):
    result = poise("clip", "tame", "walk.npz", *options)
    assert (result.exit_code, result.stderr) == (2, f"error: {text}\n")


def test_a_controller_asks_for_friction(poise, walk):
    from poise.rollout.scene import Scene

    head = 'method = "tracker"\ncharacter = "lee13"\ndescription = "a walk"\nclip = "walk.npz"\nfriction = '
    with open("walk.toml", "w") as file:
        file.write(head + "2.5\n")
    assert Scene("walk.toml").open().terrain.friction == 2.5
    assert Scene("walk.toml", friction=0.7).open().terrain.friction == 0.7
    with open("walk.toml", "w") as file:
        file.write(head + "-1\n")
    result = poise("run", "walk.toml", "--seconds", "0.1")
    assert result.exit_code == 2
    assert "walk.toml:5:1: friction: out of range, got -1. Allowed: at least 0." in result.stderr
