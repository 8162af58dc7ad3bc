"""Options for reading a clip, kept in the controller file of a tamed one."""

import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.errors import InputError
from poise.motion.read_settings import ReadSettings
from poise.search.retouch_file import load_tracker
from poise.search.tame import INTERRUPTED, Tamed
from poise.search.tame_file import Order, save_tamed
from poise.search.tame_plan import Plan
from poise.search.tame_trial import Subject, make_subject
from poise.tables import load_table
from unit.motion import odd_motions as odd

NAMES = {name: f"Bone{k:02}" for k, name in enumerate(odd.NAMES)}
READ = ReadSettings(rate_hz=30.0, unit="cm", roles={"trunk": NAMES["Spine1"]}, keep_start=True)


def make_tamed(subject: Subject, gains: dict[str, float]) -> Tamed:
    """The result of a search that was interrupted."""
    return Tamed(gains, subject, "defaults", {}, 1.0, 12, 0, 9.0, 1.0, INTERRUPTED)


def test_a_tamed_clip_is_read_as_it_was(tmp_path):
    body = load_character("lee13")
    clip = odd.write_bvh(tmp_path / "walk.bvh", odd.smooth_walk(), frame_time="0", names=NAMES)
    with pytest.raises(InputError, match="the file does not say how long a frame takes"):
        make_subject(clip, body)
    subject = make_subject(clip, body, read=READ)
    order = Order(clip, "lee13", tmp_path / "walk.toml", read=READ)
    save_tamed(order, Plan(), make_tamed(subject, {"track_kp": 20.0}))
    table = load_table(order.out)
    assert table["read"] == {"unit": "cm", "fps": 30.0, "keep_start": True, "map": {"trunk": "Bone10"}}
    options = "--unit cm --fps 30 --keep-start --map trunk=Bone10"
    assert f"--character lee13 {options} --seeds" in table["provenance"]["command"]
    assert load_tracker(order.out).subject.track.cycle == subject.track.cycle
    assert load_controller(str(order.out), body).parameters
    assert Order(clip, "lee13", order.out).notes(Plan()) != order.notes(Plan())


def test_an_asf_file_is_named_relative_to_the_controller(tmp_path):
    body = load_character("lee13")
    (tmp_path / "out").mkdir()
    (tmp_path / "bodies").mkdir()
    clip = odd.write_amc(tmp_path / "walk.amc", odd.smooth_walk())
    (tmp_path / "walk.asf").rename(tmp_path / "bodies" / "a.asf")
    read = ReadSettings(rate_hz=30.0, skeleton=str(tmp_path / "bodies" / "a.asf"))
    subject = make_subject(clip, body, read=read)
    order = Order(clip, "lee13", tmp_path / "walk.toml", read=read)
    save_tamed(order, Plan(), make_tamed(subject, {}))
    assert load_table(order.out)["read"]["skeleton"] == "bodies/a.asf"
    assert load_tracker(order.out).subject.track.cycle == subject.track.cycle


def test_what_is_no_walk_is_refused_before_the_search(tmp_path):
    body = load_character("lee13")
    clip = odd.write_bvh(tmp_path / "crawl.bvh", odd.crawl())
    with pytest.raises(InputError) as error:
        make_subject(clip, body)
    assert str(error.value) == (
        "clip crawl: no walk to repeat: the body lies or crawls: the hips come down to 0.54 m. "
        "Play it once: --once, endless = false. Or choose a cycle yourself: --cycle K, cycle = K."
    )
    assert not make_subject(clip, body, once=True).track.is_endless
    assert make_subject(clip, body, cycle=0).track.cycle == 0
