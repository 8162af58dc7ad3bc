"""What a script asks of the world is done between ticks, noted, and forgotten when time is turned back."""

from pathlib import Path

import numpy as np
import pytest

import poise.api as api
from poise.controllers.script.build import build_controller
from poise.errors import FileFormatError
from poise.language.states import JOINT_ORDER, PART_ORDER, read_state
from poise.measures.metrics import compute_way_m
from poise.world.adopt import load_any_character
from poise.world.snapshots import load_snapshot, save_snapshot
from poise.world.world import World
from script_worlds import BODY, PLANAR17, is_on, one_phase, open_world, read_target, where

STAND = "POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60), lHip(-.2), rHip(.1), lKnee(.4), rKnee(.1);"
ENVIRONMENT = "ENTITIES { GROUND = 2DPlane(-200, 0, 200, 0); WALL = Box(2000, .2, 2, 2, .6, 1, -10); }"


def phases(*bodies: str) -> str:
    text = "".join(f"PHASE {k}\n{body}\nENDPHASE\n" for k, body in enumerate(bodies))
    return f"BEGINSCRIPT a(void)\n{text}ENDSCRIPT\n"


def acting(action: str, transition: str) -> str:
    return f"ACTIONS {STAND} {action} ENDACTIONS TRANSITION {transition};"


SAVE_AND_LOAD = phases(
    acting("", "to(1).after(time .05)"),
    "SAVE here.sav; TRANSITION to(2).after(complete);",
    acting("POSE lShoulder(-2);", "to(3).after(time .1)"),
    "LOAD here.sav; TRANSITION to(4).after(complete);",
    acting("", "to(4).after(time 9)"),
)


def test_a_loaded_state_is_the_one_that_was_saved(tmp_path: Path) -> None:
    world = open_world(tmp_path, SAVE_AND_LOAD)
    seen = {}
    while world.tick < 200 and len(seen) < 2:
        world.step(1)
        for request in world.notebook.requests:
            seen.setdefault(request.what, (world.data.qpos.copy(), world.data.qvel.copy(), world.tick))
    (q_saved, v_saved, saved_at), (q_loaded, v_loaded, loaded_at) = seen["SAVE here.sav"], seen["LOAD here.sav"]
    assert loaded_at > saved_at + 90
    # The file holds angles in the world, and their differences are rounded.
    assert np.allclose(q_loaded, q_saved, atol=1e-12)
    assert np.allclose(v_loaded, v_saved, atol=1e-11)
    # The arm that was lifted in between goes back to the servo that it had: none.
    assert not is_on(world, "lShoulder") and is_on(world, "waist")
    world.step(1)
    assert where(world) == [(0, 4)]


def test_a_saved_state_is_a_file_of_the_language(tmp_path: Path) -> None:
    world = open_world(tmp_path, SAVE_AND_LOAD)
    world.step(80)
    lines = world.notebook.saved["here.sav"].splitlines()
    assert len(lines) == 171
    assert [len(line.split()) for line in lines[:11]] == [3, 3, 3, 3, 1, 3, 4, 4, 4, 3, 3]
    assert [int(lines[4 + 7 * k]) for k in range(17)] == list(range(17))
    com = [float(w) for w in lines[0].split()]
    assert com[1] == pytest.approx(0.99, abs=0.03)
    assert com[2] == -10.0
    # The foot lies flat: its first column is (1, 0).
    foot = 4 + 7 * PART_ORDER.index("lFoot")
    assert float(lines[foot + 2].split()[0]) == pytest.approx(1.0, abs=0.01)
    waist = 4 + 7 * 17 + 3 * JOINT_ORDER.index("waist")
    assert lines[waist].split() == ["1", "0.0", "0.0"]
    assert lines[waist + 1].split() == ["600.0", "60.0"]


def hand_made_state(pelvis_y: float, lean: float) -> str:
    """A body that leans as a whole, each part where it is in the upright pose, turned about the pelvis."""
    at = PLANAR17.reference_positions_m()
    root = np.array(at["pelvis"]) + PLANAR17.segments[0].com_m
    lines = ["0 1 -10"] * 2 + ["0 0 0"] * 2
    for k, name in enumerate(PART_ORDER):
        segment = PLANAR17.segments[BODY.parts[name]]
        d = np.array(at[segment.name]) + segment.com_m - root
        x, y = np.cos(lean) * d[0] + np.sin(lean) * d[2], -np.sin(lean) * d[0] + np.cos(lean) * d[2]
        c, s = np.cos(-lean), np.sin(-lean)
        lines += [str(k), f"{1.5 + x} {pelvis_y + y} -10.1", f"{c} {-s} 0 0", f"{s} {c} 0 0", "0 0 1 0"]
        lines += [f"{0.7} {-0.2} 0", "0 0 0"]
    for name in JOINT_ORDER:
        lines += [f"{int(name == 'lHip')} -0.3 0", "300 30", "0"]
    return "\n".join(lines)


def test_a_state_of_the_released_code_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "lean.sav").write_text(hand_made_state(1.2, 0.4))
    world = open_world(
        tmp_path, phases("LOAD lean.sav; TRANSITION to(1).after(complete);", acting("", "to(1).after(time 9)"))
    )
    world.step(1)
    percept = world.percepts[0]
    assert np.allclose(percept.joint_q, 0.0, atol=1e-6)
    assert percept.root_q[2] == pytest.approx(0.4)
    assert list(percept.root_v) == pytest.approx([0.7, -0.2, 0.0])
    com = PLANAR17.segments[0].com_m
    height = percept.root_q[1] - np.sin(0.4) * com[0] + np.cos(0.4) * com[2]
    assert height == pytest.approx(1.2)
    assert is_on(world, "lHip") and not is_on(world, "rHip")
    assert read_target(world, "lHip") == -0.3
    # A state with which a run begins is its start, and no help.
    assert not world.notebook.assisted


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 2 3\n", "a state has 171 lines, got 1."),
        ("x\n" + hand_made_state(1.0, 0.0), "expected 3 numbers."),
        ('{"format": "else"}', "not a saved state."),
    ],
)
def test_a_file_that_is_no_state_is_named_before_it_runs(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bad.sav").write_text(text)
    (tmp_path / "main.ctl").write_text(phases("LOAD bad.sav; TRANSITION to(-1).after(complete);"))
    with pytest.raises(FileFormatError) as caught:
        build_controller(tmp_path / "main.ctl", PLANAR17, "main")
    assert says in str(caught.value)
    assert (caught.value.line, caught.value.column) == (3, 6)


def test_a_state_that_is_not_there_leaves_the_body_alone(tmp_path: Path) -> None:
    world = open_world(tmp_path, phases("LOAD none.sav; TRANSITION to(-1).after(complete);"))
    world.step(3)
    assert [r.what for r in world.notebook.requests] == ["LOAD none.sav: there is no such file; the body is unchanged"]


def test_other_bodies_are_saved_and_loaded_too(tmp_path: Path) -> None:
    humanoid = load_any_character("humanoid")
    (tmp_path / "main.ctl").write_text(
        phases(
            "ACTIONS POSE left_knee_pitch(.5); ENDACTIONS TRANSITION to(1).after(time .05);",
            "SAVE a; TRANSITION to(2).after(complete);",
            "ACTIONS POSE left_knee_pitch(.9); ENDACTIONS TRANSITION to(3).after(time .05);",
            "LOAD a; TRANSITION to(3).after(time 9);",
        )
    )
    world = World([humanoid], [build_controller(tmp_path / "main.ctl", humanoid, "main")])
    world.step(280)
    state = read_state(world.notebook.saved["a"], world.pilots[0]._plan.body, "a")
    assert tuple(world.percepts[0].joint_q) == state.joint_q
    assert tuple(world.percepts[0].root_q) == state.root_q


def test_a_force_from_outside_is_a_push_and_marks_the_run(tmp_path: Path) -> None:
    (tmp_path / "pushed.ctl").write_text(
        phases(acting("EF uTorso(80.0, 20.0, .0);", "to(1).after(time .2)"), acting("", "to(1).after(time 9)"))
    )
    done = api.run(str(tmp_path / "pushed.ctl"), seconds=0.5)
    meta = done.recording.meta
    assert meta["assisted"] is True
    (request,) = meta["requests"]
    assert request["what"] == "EF uTorso(80, 20, 0)"
    assert request["end_s"] - request["start_s"] == pytest.approx(0.2, abs=0.002)
    assert len(done.recording.events_of(0, "push")) == 1
    assert api.run("script/stand", seconds=0.05).recording.meta["assisted"] is False


def test_the_force_acts_as_long_and_as_strong_as_it_says(tmp_path: Path) -> None:
    """In the air, 300 N for 0.05 s give a body of 63.5 kg 15 N·s."""
    script = phases(
        "ACTIONS EF pelvis(300.0, .0, .0); ENDACTIONS TRANSITION to(1).after(time .05);",
        "ACTIONS GC head.by(waist); ENDACTIONS TRANSITION to(1).after(time 9);",
    )
    world = open_world(tmp_path, script)
    world.percepts[0].root_q[1] += 5.0
    world.step(100)
    mass = float(world.percepts[0].mass.sum())
    speed = float(world.percepts[0].com_vel_w[0])
    assert mass * speed == pytest.approx(15.0, rel=0.03)


def test_a_force_follows_a_parameter(tmp_path: Path) -> None:
    text = one_phase("EF uTorso(f, 0, 0);", transition="TRANSITION to(0).after(time 9);", parameters="f")
    world = open_world(tmp_path, text)
    world.set_parameter("f", 10.0)
    world.step(20)
    world.set_parameter("f", -25.0)
    world.step(20)
    assert [r.what for r in world.notebook.requests] == ["EF uTorso(10, 0, 0)", "EF uTorso(-25, 0, 0)"]
    assert np.sum(world.ledger.pushes[:, 0] > 0) == 1
    assert world.data.xfrc_applied[world.body("upper_trunk")][0] == -25.0


TOGGLES = phases(
    acting("", "to(1).after(time .02)"),
    "ENVACTIONS toggleCollidable(WALL); toggleVisible(WALL); ENDACTIONS TRANSITION to(2).after(complete);",
    acting("", "to(3).after(time .02)"),
    "ENVACTIONS toggleCollidable(WALL); ENDACTIONS TRANSITION to(3).after(time 9);",
)


def wall(world: World) -> tuple[int, float]:
    geom = int(world.model.body("WALL").geomadr[0])
    return int(world.model.geom_contype[geom]), float(world.model.geom_rgba[geom, 3])


def test_things_are_opened_and_hidden_once_a_phase(tmp_path: Path) -> None:
    (tmp_path / "base.env").write_text(ENVIRONMENT)
    world = open_world(tmp_path, TOGGLES)
    solid = wall(world)
    assert solid[0] > 0 and solid[1] == 1.0
    world.step(35)
    assert wall(world) == (0, 0.0)
    before = world.snapshot()
    world.step(40)
    assert wall(world) == (solid[0], 0.0)
    world.restore(before)
    assert wall(world) == (0, 0.0)
    assert world.twin().model.geom_contype.tolist() == world.model.geom_contype.tolist()
    world.reset()
    assert wall(world) == solid
    assert world.notebook.requests == []


def test_passing_a_thing_fires_once_it_is_behind(tmp_path: Path) -> None:
    (tmp_path / "base.env").write_text("ENTITIES { MARK = Sphere(2000, .05, 2, 8, -10); }")
    script = phases(acting("", "to(1).after(pass MARK .3)"), acting("", "to(1).after(time 9)"))
    world = open_world(tmp_path, script)
    for x, phase in ((0.0, 0), (1.9, 0), (2.2, 0), (3.5, 1)):
        world.percepts[0].root_q[0] = x
        world.step(2)
        assert where(world) == [(0, phase)], x


def test_passing_a_thing_that_moves_looks_where_it_is_now(tmp_path: Path) -> None:
    (tmp_path / "base.env").write_text("ENTITIES { BALL = Sphere(2, .05, 30, 8, -10); }")
    script = phases(acting("", "to(1).after(pass BALL .5)"), acting("", "to(1).after(time 9)"))
    world = open_world(tmp_path, script)
    world.step(3)
    for x, phase in ((0.2, 0), (3.0, 1)):
        world.throw("BALL", (x, 0.0, 8.0), (0.0, 0.0, 0.0))
        world.step(3)
        assert where(world) == [(0, phase)]


@pytest.mark.parametrize("cut", [1, 7, 400])
def test_requests_come_at_the_same_tick_however_a_run_is_cut(tmp_path: Path, cut: int) -> None:
    (tmp_path / "base.env").write_text(ENVIRONMENT)
    world = open_world(tmp_path, SAVE_AND_LOAD)
    while world.tick < 400:
        world.step(min(cut, 400 - world.tick))
    other = open_world(tmp_path, SAVE_AND_LOAD)
    other.step(400)
    assert world.data.qpos.tobytes() == other.data.qpos.tobytes()
    assert world.notebook == other.notebook


def test_going_back_forgets_what_was_asked_for_later(tmp_path: Path) -> None:
    world = open_world(tmp_path, phases(acting("EF head(30.0, .0, .0);", "to(0).after(time 9)")))
    start = world.snapshot()
    world.step(30)
    assert world.notebook.assisted
    first = world.data.qpos.copy()
    world.restore(start)
    assert not world.notebook.assisted
    assert world.ledger.counts.pushes == 0
    world.step(30)
    assert np.array_equal(world.data.qpos, first)


def test_a_force_ends_after_a_snapshot_came_back_from_a_file(tmp_path: Path) -> None:
    text = phases(acting("EF head(30.0, .0, .0);", "to(1).after(time .05)"), acting("", "to(1).after(time 9)"))
    world = open_world(tmp_path, text)
    world.step(30)
    save_snapshot(world.snapshot(), tmp_path / "s.npz")
    other = open_world(tmp_path, text)
    other.restore(load_snapshot(tmp_path / "s.npz"))
    assert other.notebook == world.notebook and other.notebook.assisted
    for each in (world, other):
        each.step(60)
        assert each.ledger.counts.pushes == 0
    assert world.data.qpos.tobytes() == other.data.qpos.tobytes()


AWAY = phases(
    acting("VF (150, 0, 0).on(uTorso).by(lAnkle);", "to(1).after(time .3)"),
    "LOAD away.sav; TRANSITION to(2).after(complete);",
    acting("", "to(2).after(time 9)"),
)


def shift_state(text: str, distance_m: float) -> str:
    """A state of the released code, further ahead."""
    lines = text.splitlines()
    places = [0, 1, *range(5, 4 + 7 * len(PART_ORDER), 7)]
    for k in places:
        x, *rest = lines[k].split()
        lines[k] = " ".join([repr(float(x) + distance_m), *rest])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("loads", ["once", "at every step"])
def test_a_loaded_place_is_no_distance(tmp_path: Path, loads: str) -> None:
    (tmp_path / "away.sav").write_text(shift_state(hand_made_state(1.2, 0.0), 5.0))
    text = AWAY if loads == "once" else AWAY.replace("after(complete)", "after(time .1)")
    (tmp_path / "away.ctl").write_text(text)
    done = api.run(str(tmp_path / "away.ctl"), seconds=0.6, record_hz=2000.0)
    recording, metrics = done.recording, done.metrics
    assert recording.com_w_m[-1, 0, 0] - recording.com_w_m[0, 0, 0] > 4.5
    assert metrics.distance_m == pytest.approx(float((recording.com_vel_w_mps[:, 0, 0] * 0.0005).sum()), abs=0.02)
    assert abs(metrics.mean_speed_mps) < 2.0
    (request,) = [r for r in recording.meta["requests"] if r["what"] == "LOAD away.sav"]
    assert request["shift_m"][0] > 4.0
    assert compute_way_m(recording)[-1] == pytest.approx(metrics.distance_m)
