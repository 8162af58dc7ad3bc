"""The text that people type for a terrain: what it makes, and what is said when it makes nothing."""

import math
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from poise.errors import InputError, PoiseError
from poise.world import terrain as ground
from poise.world.terrain import list_terrains, parse_terrain
from poise.world.terrain_model import SURFACE_PARAMETERS

DOCS = Path(__file__).parents[3] / "docs" / "terrain.md"


@st.composite
def typed_terrains(draw: st.DrawFn) -> tuple[str, dict[str, float]]:
    kind = draw(st.sampled_from([k for k in list_terrains() if k.name != "heightfield"]))
    chosen = draw(st.lists(st.sampled_from(kind.parameters), unique=True))
    small = {"length_m": 20.0, "width_m": 5.0, "count": 20}  # keeps random ground quick
    values: dict[str, float] = {}
    for p in chosen:
        assert p.low is not None and p.high is not None
        low = 0.2 if p.name == "cell_m" else p.low
        high = min(p.high, small.get(p.name, p.high))
        values[p.name] = draw(st.integers(int(low), int(high)) if p.kind is int else st.floats(low, high))
    if kind.name == "stones":
        assume(values.get("size_m", 0.35) < values.get("spacing_m", 0.5))
    return kind.name, values


@given(typed_terrains(), st.booleans())
def test_text_and_python_make_the_same_terrain(typed: tuple[str, dict[str, float]], short: bool) -> None:
    kind, values = typed
    names = {p.name: p.short_name if short else p.name for k in list_terrains() for p in k.parameters}
    parsed = parse_terrain(f"{kind}:{','.join(f'{names[k]}={v!r}' for k, v in values.items())}".rstrip(":"))
    own = {k: v for k, v in values.items() if k not in ("friction", "elasticity")}
    made = getattr(ground, kind)(**own)
    made = made.with_friction(values.get("friction", 0.8)).with_elasticity(values.get("elasticity", 0.0))
    assert parsed == made == parse_terrain(parsed.spec)
    assert hash(parsed) == hash(made)
    for x in (-0.5, 0.0, 0.499):
        assert made.height_m(x, 0.0) == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=500)
@given(
    st.text()
    | st.builds(
        "{}:{}".format,
        st.sampled_from([k.name for k in list_terrains()]),
        st.text("abcdeghimnoprstuw_=,:.-+0123456789 \0é", max_size=40),
    )
)
def test_any_text_is_a_terrain_or_a_clear_error(text: str) -> None:
    try:
        terrain = parse_terrain(text)
    except PoiseError as error:
        assert str(error)
    else:
        assert parse_terrain(terrain.spec) == terrain


KNOWN = "Known here: flat, slope, steps, gaps, stones, walls, rough, hills, heightfield."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stpes", f"terrain: no kind named 'stpes'. {KNOWN} Did you mean 'steps'?"),
        ("", f"terrain: no kind named ''. {KNOWN}"),
        (
            "steps:rize=0.1",
            "terrain steps: no parameter named 'rize'. Known here: rise_m, run_m, count, start_m, width_m, "
            "friction, elasticity. Did you mean 'rise_m'?",
        ),
        ("steps:rise=5", "terrain steps: rise_m is out of range, got 5.0 m. Allowed: -1 to 1 m."),
        ("steps:rise=high", "terrain steps: rise_m must be a number, got 'high'."),
        ("steps:count=2.5", "terrain steps: count must be a whole number, got '2.5'."),
        ("steps:count=1000000", "terrain steps: count is out of range, got 1000000. Allowed: 1 to 200."),
        ("steps:rise=0.1,rise_m=0.2", "terrain steps: rise_m is given twice, got '0.2'."),
        ("steps:0.1,0.3", "terrain steps: a value needs a name, got '0.3'. Write name=value."),
        ("flat:1", "terrain flat: a value needs a name, got '1'. Write name=value."),
        ("slope:nan", "terrain slope: angle_deg is out of range, got nan degrees. Allowed: -60 to 60 degrees."),
        ("flat:friction=-1", "terrain flat: friction is out of range, got -1.0. Allowed: 0 to 100."),
        (
            "rough:cell=0.02,length=1000",
            "terrain rough: too many points, got 501 x 50001. Allowed: at most 1000000 in all.",
        ),
        ("stones:size=0.6", "terrain stones: size_m must be less than spacing_m, got 0.6 and 0.5 m."),
        ("heightfield", "terrain heightfield: path is missing. It has no default."),
        ("heightfield:no/such.png", "no/such.png: no such file."),
    ],
)
def test_wrong_text_is_told_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_terrain(text)
    assert str(caught.value) == message


def test_a_value_without_a_name_is_the_first_parameter() -> None:
    assert parse_terrain("slope:5,friction=0.5") == parse_terrain("slope: angle_deg = 5.0 , friction=.5 ")
    assert parse_terrain("slope:8").height_m(11.0, 0.0) == pytest.approx(10.0 * math.tan(math.radians(8.0)))


def test_friction_and_elasticity_replace_each_other_in_the_text() -> None:
    terrain = ground.steps(rise_m=0.2).with_friction(0.3).with_elasticity(0.5).with_friction(0.4)
    assert terrain.spec == "steps:rise_m=0.2,elasticity=0.5,friction=0.4"
    assert terrain.with_friction(0.8).with_elasticity(0.0) == ground.steps(rise_m=0.2)
    with pytest.raises(InputError, match="elasticity is out of range"):
        terrain.with_elasticity(1.5)


def test_documents_show_every_parameter_as_it_is() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for kind in list_terrains():
        assert f"`{kind.name}` | {kind.about}" in text
        own = [p for p in kind.parameters if p not in SURFACE_PARAMETERS]
        for p in [*own, *SURFACE_PARAMETERS]:
            assert p.about
            default = "—" if p.default is None else f"{p.default:g}" if not isinstance(p.default, str) else p.default
            allowed = "a file" if p.low is None else f"{p.low:g} to {p.high:.10g} {p.unit}".rstrip()
            assert f"| `{p.name}` | {default} | {allowed} | {p.about} |" in text
