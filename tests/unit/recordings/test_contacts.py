from dataclasses import replace

import numpy as np
import pytest

from poise.recordings.contacts import (
    compute_center_of_pressure_m,
    compute_foot_forces_w_n,
    compute_foot_loaded,
    compute_support_polygon_m,
    external_contacts,
    foot_segments,
)
from synthetic_walks import cut, foot_position_m


def add_contact(recording, frame, segment, other, force, point=(0.0, 0.0, 0.0)):
    at = recording.contact_start[frame]
    start = recording.contact_start.copy()
    start[frame + 1 :] += 1
    return replace(
        recording,
        contact_start=start,
        contact_segment=np.insert(recording.contact_segment, at, segment),
        contact_other=np.insert(recording.contact_other, at, other),
        contact_pos_w_m=np.insert(recording.contact_pos_w_m, at, point, axis=0),
        contact_force_w_n=np.insert(recording.contact_force_w_n, at, force, axis=0),
    )


def test_toes_belong_to_the_foot(walk):
    body = walk.characters[0]
    names = {side: [body.segment_names[k] for k in ks] for side, ks in foot_segments(body).items()}
    assert names == {"left": ["left_foot", "left_toes"], "right": ["right_foot", "right_toes"]}


def test_the_feet_together_carry_the_weight(walk):
    forces = compute_foot_forces_w_n(walk)
    assert forces.sum(axis=1)[:, 2] == pytest.approx(walk.characters[0].mass_kg * 9.81)
    standing = [[foot_position_m(side, t, 1.2)[2] for side in (0, 1)] for t in walk.time_s]
    assert np.array_equal(compute_foot_loaded(walk), standing)


def test_each_character_has_its_own_contacts(pair):
    for index, body in enumerate(pair.characters):
        forces = compute_foot_forces_w_n(pair, index)
        assert forces.sum(axis=1)[:, 2] == pytest.approx(body.mass_kg * 9.81)
    assert np.nanmean(compute_center_of_pressure_m(pair, 1)[:, 0] - pair.com_w_m[:, 1, 0]) == pytest.approx(
        0.03, abs=0.05
    )


def test_a_contact_listed_the_other_way_round_counts_with_the_opposite_force(walk):
    foot = walk.characters[0].segment_names.index("left_foot")
    turned = add_contact(walk, 5, -1, foot, (1.0, 2.0, -50.0))
    more = compute_foot_forces_w_n(turned)[5, 0] - compute_foot_forces_w_n(walk)[5, 0]
    assert more == pytest.approx([-1.0, -2.0, 50.0])


def test_contacts_within_a_character_are_nobodys_business(walk):
    names = walk.characters[0].segment_names
    crossed = add_contact(walk, 5, names.index("left_foot"), names.index("right_foot"), (0.0, 0.0, 500.0))
    assert np.array_equal(compute_foot_forces_w_n(crossed), compute_foot_forces_w_n(walk))


def test_a_prop_under_the_foot_carries_but_is_not_ground(pair):
    foot = pair.characters[0].segment_names.index("left_foot")
    ball = pair.segment_pos_w_m.shape[1] - 1
    standing = add_contact(pair, 5, foot, ball, (0.0, 0.0, 70.0))
    more = compute_foot_forces_w_n(standing)[5, 0, 2] - compute_foot_forces_w_n(pair)[5, 0, 2]
    assert more == pytest.approx(70.0)
    assert len(external_contacts(standing, 0, ground_only=True)[0]) == len(external_contacts(standing, 0)[0]) - 1


def test_the_centre_of_pressure_lies_in_the_support_polygon(walk):
    centers = compute_center_of_pressure_m(walk)
    assert centers[:, 2] == pytest.approx(0.0)
    for frame in range(0, walk.frames, 7):
        corners = compute_support_polygon_m(walk, frame)
        edges = np.roll(corners, -1, axis=0) - corners
        to_center = centers[frame, :2] - corners
        assert np.all(edges[:, 0] * to_center[:, 1] - edges[:, 1] * to_center[:, 0] > -1e-12)


def test_one_foot_gives_its_own_rectangle(walk):
    frame = 30  # the left foot stands alone
    foot = walk.segment_pos_w_m[frame, walk.characters[0].segment_names.index("left_foot"), :2]
    corners = compute_support_polygon_m(walk, frame)
    assert sorted((corners - foot).tolist()) == pytest.approx(
        np.array([[-0.06, -0.045], [-0.06, 0.045], [0.12, -0.045], [0.12, 0.045]])
    )


def test_in_flight_there_is_no_centre_and_no_polygon(walk):
    flying = cut(walk, 10)
    assert np.isnan(compute_center_of_pressure_m(flying)).all()
    assert compute_support_polygon_m(flying, -1).shape == (0, 2)
    assert not compute_foot_loaded(flying).any()
