"""Reading controller scripts: the whole of the grammar, odd and old spellings, and where everything stands."""

import codecs
from pathlib import Path

import numpy as np
import pytest

from poise.errors import FileFormatError
from poise.files import load_text
from poise.language import tree
from poise.language.parse import load_script_text, parse_script

CORPUS = Path(__file__).parent / "corpus"
TEXT = "# hüpft\nBEGINSCRIPT a(void)\nPHASE 0\nENDPHASE\nENDSCRIPT\n"


def read(name: str) -> tree.Script:
    return parse_script(load_text(CORPUS / name), CORPUS / name)


def read_actions(*lines: str) -> tuple[tree.Action | tree.Toggle, ...]:
    text = "\n".join(lines)
    script = parse_script(f"BEGINSCRIPT a(x)\nPHASE 0\nACTIONS\n{text}\nENDACTIONS\nENDPHASE\nENDSCRIPT\n")
    return script.phases[0].actions


@pytest.mark.parametrize("name", sorted(p.name for p in CORPUS.iterdir()))
def test_every_script_of_the_corpus_is_read(name: str) -> None:
    assert read(name).phases


def test_every_action_is_told_apart() -> None:
    phase = read("every_action.t").phases[0]
    kinds = [type(a).__name__ for a in phase.actions]
    assert kinds == [
        *("Pose", "Pose", "Lipose", "Lipose", "Posefb", "Comfb2", "Vpd", "Comfb2", "Vpd", "Comfb2", "Vpd"),
        *("Vf", "Vffb", "Vffb", "Vfsfb", "Ik", "Ik", "Gc", "Ef", "Match", "Match", "Hold"),
    ]


def test_every_condition_is_told_apart() -> None:
    phase = read("every_condition.s").phases[0]
    told = [(t.condition.kind, t.condition.sign, len(t.condition.values)) for t in phase.transitions]
    assert told == [
        *(("time", "", 1), ("contact", "", 0), ("nocontact", "", 0), ("stable", "", 1), ("iterations", "", 1)),
        *(("press", "", 0), ("release", "", 0), ("fallen", ">", 1), ("fallen", "<", 1), ("fallen", "x", 1)),
        *(("anglerange", "", 2), ("anglerange", "", 2), ("pass", "", 1), ("random", "", 1), ("complete", "", 0)),
    ]


def test_the_head_of_a_file() -> None:
    script = read("every_action.t")
    assert (script.label, [p.text for p in script.parameters]) == ("every_action", ["angle", "kp", "T", "speed_1"])
    assert [n.text for n in script.includes] == ["other.t", "endless.s"]
    assert script.torque_limit_nm == 370.0


def test_a_call_with_arguments_and_a_phase_to_begin_with() -> None:
    (call,) = read("every_action.t").phases[2].calls
    assert (call.script.text, len(call.arguments), call.at_phase) == ("other.t", 3, 1)
    assert isinstance(call.arguments[2], tree.Linterp)


def test_names_of_files_keep_the_blanks_inside_of_them() -> None:
    save, load = read("every_action.t").phases[1].actions[2:]
    assert (save, load) == (tree.Save(tree.Name("some name.sav")), tree.Load(tree.Name("start.sav")))


def test_comments_are_never_taken_for_statements_and_prose_is_ignored() -> None:
    script = read("odd.s")
    assert [n.text for n in script.includes] == ["after#the-script.t"]
    assert script.torque_limit_nm == 170.0
    assert script.label == "odd-label.with:signs"


def test_words_of_the_language_may_be_parameters() -> None:
    comfb2, vpd = read("odd.s").phases[0].actions[:2]
    assert comfb2 == tree.Comfb2(tree.Variable("x"), tree.Variable("j"), tree.Name("j"), tree.Name("lAnkle"))
    assert isinstance(vpd, tree.Vpd)
    assert [vpd.angle, *vpd.gains] == [tree.Variable("time"), tree.Variable("to"), tree.Variable("linterp")]


def test_listings_of_the_paper_are_read_with_their_blanks() -> None:
    printed = read("as_printed.ctl")
    plain = read_actions("LIPOSE rHip(0.0).time(5);", "POSE lHip(0);")
    assert printed.phases[1].actions[2:] == plain
    assert printed.phases[1].transitions[0].to == -1


def test_old_spellings_become_the_ones_of_today() -> None:
    vpd, vffb = read("legacy.t").phases[0].actions[:2]
    assert (vpd, vffb) == read_actions("VPD uTorso(0).joint(lHip);", "VFFB uTorso(2000, 250).by(lAnkle).over(cop);")
    stable = read("legacy.t").phases[0].transitions[0]
    assert (stable.to, stable.condition) == (1, tree.Condition("stable", values=(tree.Number(".01"),)))


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7), ("-7", -7), ("7.", 7), (".5", 0.5), ("-.5", -0.5), ("0.25", 0.25)]
)
def test_numbers(text: str, value: float) -> None:
    (pose,) = read_actions(f"POSE lHip({text});")
    assert isinstance(pose, tree.Pose)
    angle = pose.targets[0].angle
    assert isinstance(angle, tree.Number)
    assert (angle.text, angle.value) == (text, value)


def test_places_count_lines_and_columns_from_one() -> None:
    script = read("every_condition.s")
    third = script.phases[0].transitions[2]
    assert (third.at.line, third.at.column) == (8, 1)
    assert third.condition.name is not None
    assert (third.condition.name.at.line, third.condition.name.at.column) == (8, 34)
    assert script.text[third.at.start : third.at.end] == "TRANSITION to(1).after(nocontact lHand);"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "this is text in UTF-16. Save it as UTF-8."),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "this is text in UTF-16. Save it as UTF-8."),
        (TEXT.encode("utf-16-le"), "this is text in UTF-16. Save it as UTF-8."),
        (TEXT.encode("utf-16-be"), "this is text in UTF-16. Save it as UTF-8."),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "this is text in UTF-32. Save it as UTF-8."),
        (b"PK\x03\x04" + bytes(90), "this is a ZIP archive (or an office document). A text file in UTF-8 is needed."),
        (b"\x89PNG\r\n" + bytes(90), "this is a PNG picture. A text file in UTF-8 is needed."),
        (b"{\\rtf1 " + TEXT.encode(), "this is an RTF document. A text file in UTF-8 is needed."),
        (bytes(range(256)) * 9, "this is a binary file. A text file in UTF-8 is needed."),
        (np.random.default_rng(1).bytes(5000), "this is a binary file. A text file in UTF-8 is needed."),
    ],
)
def test_a_file_that_is_no_text_is_called_what_it_is(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "a.t").write_bytes(data)
    with pytest.raises(FileFormatError) as caught:
        load_script_text(tmp_path / "a.t")
    assert str(caught.value) == f"{tmp_path / 'a.t'}: {says}"


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + TEXT.encode(), TEXT.encode("latin-1"), "# 歩く\n".encode("shift-jis") + TEXT.encode()]
)
def test_texts_in_other_encodings_are_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.t").write_bytes(data)
    assert parse_script(load_script_text(tmp_path / "a.t")).label == "a"
