"""200 damaged or odd motion files, drawn from a seed: each is read right, or refused with a reason."""

import json

import numpy as np
import pytest

from poise.errors import InputError
from poise.motion.load import load_clip
from poise.motion.mapping import guess_mapping
from poise.motion.summary import summarize_clip
from poise.motion.write_bvh import format_bvh
from unit.motion.damage import AMC, ANY, BVH, DEEPMIMIC
from unit.motion.test_asf_amc import AMC as AMC_TEXT
from unit.motion.test_asf_amc import ASF
from unit.motion.test_deepmimic import make_rows
from unit.motion.walkers import STYLES, make_foreign, make_walk

SEED = 20101
FILES = 200
GROUPS = 8


def make_sources():
    """A text, its suffix and the kinds of damage that fit it, by name."""
    styles = ("mixamo", "max", "smpl", "mmd")
    sources = [(format_bvh(make_foreign(make_walk(12), STYLES[s], k)), ".bvh", BVH) for k, s in enumerate(styles)]
    sources.append((json.dumps({"Loop": "wrap", "Frames": make_rows(9)}, indent=0), ".json", DEEPMIMIC))
    sources.append((AMC_TEXT, ".amc", AMC))
    return sources


def draw_cases():
    """What is damaged and how, 200 times: every kind that fits at least once, then at random."""
    sources = make_sources()
    rng = np.random.default_rng(SEED)
    cases = [(source, damage) for source in (sources[0], *sources[4:]) for damage in (*source[2], *ANY)]
    while len(cases) < FILES:
        source = sources[int(rng.integers(len(sources)))]
        kinds = (*source[2], *ANY, *ANY)
        cases.append((source, kinds[int(rng.integers(len(kinds)))]))
    return cases


CASES = draw_cases()


def read(folder, text, suffix):
    """The clip in a text, whatever its characters."""
    (folder / f"x{suffix}").write_bytes(text.encode("utf-8", errors="surrogateescape"))
    return load_clip(folder / f"x{suffix}", keep_start=True)


def check(folder, number, source, damage):
    """Raises unless the damaged file comes out as its kind of damage says."""
    text, suffix, _ = source
    damaged = damage.change(text, np.random.default_rng([SEED, number]))
    try:
        clip = read(folder, damaged, suffix)
    except InputError as error:
        assert damage.outcome != "same", f"{number} {damage.name}: {error}"
        assert len(str(error)) > 20
        return False
    assert damage.outcome != "refused", f"{number} {damage.name} of {suffix} was read"
    summary = summarize_clip(clip, guess_mapping(clip.skeleton))
    assert np.isfinite(clip.places_w_m).all() and summary.frames == clip.frames
    if damage.outcome == "same":
        plain = read(folder, text, suffix)
        assert clip.places_w_m == pytest.approx(plain.places_w_m, abs=1e-6), damage.name
        assert clip.frame_s == plain.frame_s
    return True


@pytest.mark.parametrize("group", range(GROUPS))
def test_every_file_is_read_right_or_refused_with_a_reason(tmp_path, group):
    (tmp_path / "x.asf").write_text(ASF)
    for number in range(group, len(CASES), GROUPS):
        check(tmp_path, number, *CASES[number])


def test_there_are_two_hundred_and_both_outcomes_among_them(tmp_path):
    assert len(CASES) == FILES
    outcomes = {damage.outcome for _, damage in CASES}
    assert outcomes == {"same", "refused", "any"}
    assert sum(damage.outcome == "any" for _, damage in CASES) > 60
