from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from poise.errors import InputError
from poise.recordings.recording import Event
from poise.rollout.filmstrip import draw_filmstrip, export_filmstrip, find_side
from poise.rollout.filmstrip_layout import MAX_ROWS, ROW_LENGTH, compute_layout
from synthetic_walks import make_walk


def frames(layout):
    return [pose.frame for row in layout.rows for pose in row.poses]


def test_a_walk_is_laid_along_its_path(walk):
    layout = compute_layout(walk)
    assert layout.along_path and len(layout.rows) == 1
    assert frames(layout)[0] == 0 and frames(layout)[-1] == walk.frames - 1
    places = walk.segment_pos_w_m[frames(layout), 0, 0]
    assert np.diff(places) == pytest.approx(np.full(len(places) - 1, np.diff(places).mean()), abs=0.03)


def test_neighbours_show_different_phases_of_the_step(walk):
    step = 1.2 * 0.5
    spacing = np.diff(walk.segment_pos_w_m[frames(compute_layout(walk)), 0, 0]).mean() / step
    assert abs(spacing - round(spacing)) > 0.15


def test_backward_walks_keep_looking_to_the_right():
    walk = make_walk(root="free", speed_mps=-0.8)
    layout = compute_layout(walk)
    assert layout.along_path
    assert layout.rows[0].poses[0].view.across_w == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)


def test_long_ways_take_several_rows_and_end_at_the_end():
    walk = make_walk(seconds=60.0, hz=10.0)
    layout = compute_layout(walk)
    assert len(layout.rows) == MAX_ROWS
    assert frames(layout)[-1] == walk.frames - 1
    shown = np.ptp(walk.segment_pos_w_m[frames(layout), 0, 0])
    assert shown == pytest.approx(MAX_ROWS * ROW_LENGTH * layout.height_m, rel=0.02)
    lengths = [row.high_m - row.low_m for row in layout.rows]
    assert lengths == pytest.approx([lengths[0]] * MAX_ROWS)


@pytest.mark.parametrize("settings", [{"speed_mps": 0.0}, {"root": "free", "turn_radius_m": 0.6, "seconds": 3.2}])
def test_in_place_and_in_circles_poses_stand_side_by_side(settings):
    walk = make_walk(**{"seconds": 3.0, **settings})
    layout = compute_layout(walk)
    assert not layout.along_path
    for row in layout.rows:
        places = [walk.segment_pos_w_m[p.frame, 0] @ p.view.across_w + p.shift_m for p in row.poses]
        assert np.all(np.diff(places) > 0.3 * layout.height_m)
        assert row.low_m < places[0] and places[-1] < row.high_m


def test_a_motion_without_rhythm_is_shown_where_it_happens():
    walk = make_walk(seconds=3.0, speed_mps=0.0)
    places = walk.segment_pos_w_m.copy()
    quarter = walk.frames // 4
    places[quarter:] = places[quarter]
    still = replace(walk, segment_pos_w_m=places, events=())
    shown = np.array(frames(compute_layout(still)))
    assert shown[0] == 0 and shown[-1] == walk.frames - 1
    assert np.mean(shown <= quarter) > 0.6


def test_a_way_over_the_hands_is_shown_side_by_side_and_whole(walk):
    over = walk.segment_quat_wxyz.copy()
    middle = slice(walk.frames // 3, walk.frames // 2)
    over[middle] = [0.0, 0.0, 1.0, 0.0]
    fall = Event(float(walk.time_s[middle.start]), "down")
    layout = compute_layout(replace(walk, segment_quat_wxyz=over, events=(*walk.events, fall)))
    frames = [pose.frame for row in layout.rows for pose in row.poses]
    assert not layout.along_path
    assert frames[0] == 0 and frames[-1] == walk.frames - 1 and any(middle.start <= f < middle.stop for f in frames)


def test_time_and_number_of_poses_can_be_chosen(walk):
    layout = compute_layout(walk, start_s=1.0, end_s=2.5, poses=4)
    assert len(frames(layout)) == 4
    assert walk.time_s[frames(layout)[0]] == 1.0 and walk.time_s[frames(layout)[-1]] == 2.5


def test_a_time_outside_the_recording_is_refused(walk):
    with pytest.raises(InputError) as error:
        compute_layout(walk, start_s=5.0)
    assert str(error.value) == ("film strip: no frames between 5 and 3 s. The recording lasts from 0 to 3 s.")


def test_sides_come_from_names(walk):
    body = walk.characters[0]
    sides = {name: find_side(body, k) for k, name in enumerate(body.segment_names)}
    assert sides["left_toes"] == "left" and sides["right_forearm"] == "right" and sides["trunk"] == ""


def test_sides_come_from_roles_where_names_say_nothing(walk):
    body = walk.characters[0]
    new = {name: f"s{k}" for k, name in enumerate(body.segment_names)}
    plain = replace(
        body,
        segments=tuple(replace(s, name=new[s.name], parent=s.parent and new[s.parent]) for s in body.segments),
        roles={role: new[name] for role, name in body.roles.items()},
        landmarks=(),
    )
    assert [find_side(plain, k) for k in range(15)] == [find_side(body, k) for k in range(15)]


@pytest.mark.parametrize("name", ["walk", "turn", "pair"])
def test_the_picture_is_a_png_full_of_colour(tmp_path, request, name):
    export_filmstrip(request.getfixturevalue(name), tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.format == "PNG" and picture.width == 2080
        assert len(picture.convert("P").getcolors(256)) > 20


def test_a_standing_single_frame_can_be_drawn(tmp_path):
    export_filmstrip(make_walk(seconds=0.0), tmp_path / "x.png")
    assert (tmp_path / "x.png").stat().st_size > 1000


def test_uneven_ground_is_drawn_through_the_contacts(walk):
    points = walk.contact_pos_w_m.copy()
    points[:, 2] = -0.2 * points[:, 0]
    sloped = replace(walk, contact_pos_w_m=points)
    flat, slope = draw_filmstrip(walk), draw_filmstrip(sloped)
    assert slope.get_figheight() > flat.get_figheight() + 0.3


def test_the_terrain_that_was_recorded_is_drawn(walk):
    stairs = replace(walk, meta={**walk.meta, "terrain": "steps:rise=-0.2,run=0.5,start=0.6"})
    lines = [line.get_ydata() for axes in draw_filmstrip(stairs).axes for line in axes.get_lines()]
    heights = {round(float(z), 6) for line in lines for z in line}
    assert {0.0, -0.2} <= heights
    assert draw_filmstrip(replace(walk, meta={**walk.meta, "terrain": "array"})).axes


def test_what_stands_fast_on_the_ground_is_drawn(walk):
    box = {"size_m": [0.4, 2.0, 0.3], "center_m": [0.5, 0.0, 0.15], "quat_wxyz": [1.0, 0.0, 0.0, 0.0]}
    meta = {**walk.meta, "terrain": "flat", "steady": {"boxes": [box], "plane_height_m": 0.0}}
    lines = [line.get_ydata() for axes in draw_filmstrip(replace(walk, meta=meta)).axes for line in axes.get_lines()]
    assert {0.0, 0.3} <= {round(float(z), 6) for line in lines for z in line}


def test_falls_and_pushes_are_noted():
    walk = make_walk(seconds=2.6, falls_at_s=2.5)
    walk = replace(walk, events=(*walk.events, Event(1.0, "push", 0, "trunk", "300 N")))
    figure = draw_filmstrip(walk)
    texts = [t.get_text() for axes in figure.axes for t in axes.texts]
    assert any("fell at 2.50 s" in text for text in texts) and "300 N" in texts


def test_the_same_recording_gives_the_same_picture(tmp_path, walk):
    for name in "ab":
        export_filmstrip(walk, tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
