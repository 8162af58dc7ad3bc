"""The canonical layout: it keeps the meaning, it is stable, and no comment is lost."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.files import load_text
from poise.language import tree
from poise.language.parse import parse_script
from poise.language.words import CONDITIONS
from poise.language.write import WIDTH, write_script

CORPUS = Path(__file__).parent / "corpus"
PARAMETERS = ("dt", "time", "x", "j", "linterp", "T_2")

numbers = st.one_of(
    st.integers(-2000, 2000).map(str),
    st.integers(0, 99).map(lambda n: f"{n}."),
    st.decimals(-9, 9, places=3).map(lambda d: f"{d:f}"),
    st.integers(0, 99).map(lambda n: f"-.{n:02d}"),
).map(tree.Number)
plain_values = st.one_of(numbers, st.sampled_from(PARAMETERS).map(tree.Variable))
values: st.SearchStrategy[Any] = st.recursive(
    plain_values, lambda inner: st.tuples(*[inner] * 5).map(lambda v: tree.Linterp(tuple(v))), max_leaves=5
)
words = st.from_regex(r"[A-Za-z0-9_]{1,8}", fullmatch=True).map(tree.Name)
files = st.from_regex(r"[A-Za-z_.#-]{1,8}\.(t|s|ctl)", fullmatch=True).map(tree.Name)
gains = st.lists(values, max_size=2).map(tuple)
triples = st.tuples(values, values, values)
targets = st.builds(tree.Target, words, values, gains)
feedbacks = st.builds(tree.Feedback, words, values, values, st.sampled_from(["joint", "part"]), words)
some = st.lists(targets, min_size=1, max_size=6).map(tuple)
requests = st.one_of(st.builds(tree.Save, files), st.builds(tree.Load, files))
actions = st.one_of(
    st.builds(tree.Pose, some),
    st.builds(tree.Lipose, targets, values),
    st.builds(tree.Posefb, st.lists(feedbacks, min_size=1, max_size=3).map(tuple)),
    st.builds(tree.Comfb2, values, values, st.sampled_from("jpc").map(tree.Name), words),
    st.builds(tree.Vpd, words, values, gains, words, st.none() | words),
    st.builds(tree.Vf, triples, words, words),
    st.builds(tree.Vffb, words, values, values, words, words),
    st.builds(tree.Vfsfb, words, values, words, values),
    st.builds(tree.Ik, words, st.sampled_from(["local", "global"]), triples, words, st.none() | values),
    st.builds(tree.Gc, words, words),
    st.builds(tree.Ef, words, triples),
    st.builds(tree.Match, words, words, st.just(()) | st.tuples(values, values), st.none() | values),
    st.builds(tree.Hold, words),
    requests,
)


@st.composite
def conditions(draw: Any) -> tree.Condition:
    kind = draw(st.sampled_from(list(CONDITIONS)))
    count = {"complete": 0, "contact": 0, "nocontact": 0, "press": 0, "release": 0, "anglerange": 2}.get(kind, 1)
    name = draw(words) if kind in ("contact", "nocontact", "press", "release", "pass") else None
    sign = draw(st.sampled_from("<>x")) if kind == "fallen" else ""
    return tree.Condition(kind, name, sign, tuple(draw(values) for _ in range(count)))


toggles = st.builds(tree.Toggle, st.sampled_from(["toggleVisible", "toggleCollidable"]), words)
commands = st.one_of(
    st.builds(tree.Transition, st.integers(-1, 9), conditions()),
    st.builds(tree.Actions, st.lists(actions, max_size=4).map(tuple)),
    st.builds(tree.EnvActions, st.lists(toggles, max_size=2).map(tuple)),
    st.builds(tree.Call, files, st.lists(values, max_size=4).map(tuple), st.none() | st.integers(0, 9)),
    requests,
)
phases = st.builds(tree.Phase, st.integers(-1, 99), st.lists(commands, max_size=4).map(tuple))
scripts = st.builds(
    tree.Script,
    label=st.from_regex(r"[A-Za-z_.:-]{1,8}", fullmatch=True),
    parameters=st.just(()) | st.just(tuple(tree.Name(p) for p in PARAMETERS)),
    phases=st.lists(phases, min_size=1, max_size=3).map(tuple),
    includes=st.lists(st.just("other.t").map(tree.Name), max_size=1).map(tuple),
    settings=st.lists(st.builds(tree.Setting, st.just("TORQUELIMIT"), st.just(tree.Number("370"))), max_size=1).map(
        tuple
    ),
)


@settings(max_examples=80, deadline=None)
@given(scripts)
def test_what_is_written_is_read_as_the_same(script: tree.Script) -> None:
    text = write_script(script)
    again = parse_script(text)
    assert again == script
    assert write_script(again) == text


@settings(max_examples=60, deadline=None)
@given(scripts, st.randoms(use_true_random=False))
def test_layout_is_stable_whatever_the_blanks_and_comments_were(script: tree.Script, random: Any) -> None:
    tokens = re.split(r"(?<=[\s;,(])(?=\S)", write_script(script))
    messy = ""
    for token in tokens:
        # A name of a file may hold any sign, so that a comment cannot follow it at once.
        messy += token
        if not re.search(r"(>|BEGINSCRIPT|SCRIPTS|SET|SAVE|LOAD)[^;\n(]*$", messy):
            messy += random.choice(["", " ", "\n", "\n\n\n", " # a note\n", "\n  # another\n"])
    body = messy[messy.index("BEGINSCRIPT") : messy.rindex("ENDSCRIPT")]
    script = parse_script(messy)
    once = write_script(script)
    assert parse_script(once) == script
    assert write_script(parse_script(once)) == once
    assert once.count("# a note") + once.count("# another") >= len(re.findall(r"# a", body))


@pytest.mark.parametrize("name", sorted(p.name for p in CORPUS.iterdir()))
def test_the_corpus_says_the_same_when_laid_out(name: str) -> None:
    script = parse_script(load_text(CORPUS / name))
    once = write_script(script)
    again = parse_script(once)
    assert again == script
    assert (again.includes, again.settings) == (script.includes, script.settings)
    assert write_script(again) == once
    assert sorted(re.findall(r"# ?([\w ]+)", script.text)) == sorted(re.findall(r"# ?([\w ]+)", once))
    assert max(len(line.partition("#")[0]) for line in once.splitlines()) <= WIDTH


def test_the_layout() -> None:
    text = """# head
SCRIPTS  a.t ,b.t ;
BEGINSCRIPT walk (dt,cd) # trailing
# before
PHASE 0 # first
ACTIONS
POSE lHip(0.1,300,30), # inside
   rHip (dt).time(2);


   # alone
COMFB2 cd 0 j lAnkle
VPD rThigh(0, -300,-30) . joint(rHip).flags(s); # last
ENDACTIONS TRANSITION to (1). after (time dt); ENDPHASE # end
PHASE 1
> a.t(void).atPhase(1);
ENDPHASE
ENDSCRIPT  # done
"""
    assert (
        write_script(parse_script(text))
        == """# head
SCRIPTS a.t, b.t;

BEGINSCRIPT walk(dt, cd)  # trailing
# before
PHASE 0  # first
    ACTIONS
        # inside
        POSE lHip(0.1, 300, 30);
        LIPOSE rHip(dt).time(2);

        # alone
        COMFB2 cd 0 j lAnkle
        VPD rThigh(0, -300, -30).joint(rHip).flags(s);  # last
    ENDACTIONS
    TRANSITION to(1).after(time dt);
ENDPHASE  # end

PHASE 1
    > a.t(void).atPhase(1);
ENDPHASE
ENDSCRIPT  # done
"""
    )
