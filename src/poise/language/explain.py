"""Explains syntax errors in the terms of the language, with a guess at the intended text."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from poise.errors import FileFormatError, describe_unknown_name, find_nearest_name
from poise.language.places import fail, span_of
from poise.language.words import ACTION_WORDS, COMMAND_WORDS, CONDITIONS, FORMS, KEYWORDS, TERMINALS, TOGGLE_WORDS

_WORD: Final = re.compile(r"\w+|\S|$")
_STATEMENT: Final = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(k) for k in FORMS if k != ">") + r")(?!\w)|(?<!\w)>")
_BLOCK: Final = re.compile(r"\b(?:PHASE|ENDPHASE|ACTIONS|ENVACTIONS|ENDACTIONS)\b")
_EXPONENT: Final = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)[eE]([-+]?\d++)")
#: Characters of the text around an error that are examined: more would only take time.
_NEAR: Final = 300
#: The decimal form of a larger exponent would have too many zeros to suggest.
_MAX_EXPONENT: Final = 30
#: Two numbers that are probably one with a decimal comma.
_DECIMAL_COMMA: Final = re.compile(r"(?<![\w.,])(-?\d+),(\d{1,2}|0\d*)(?![\w.])")
#: A row that separates pasted scripts.
_ROW: Final = re.compile(r"^[ \t]*([<>]{3,})", re.MULTILINE)
_CALL_BRACKETS: Final = "a call needs brackets even without arguments: '> file(void);'"
_TOKEN: Final = re.compile(r"[^\s;]+|;")
_COMFB2_WORDS: Final = 4
#: Third word of a COMFB2 -> what follows it.
_NAMED_AFTER: Final = {"j": "the name of a joint", "p": "the name of a part", "c": "a word (any)"}
_VALUES: Final = {"NUMBER", "VARIABLE", "LINTERP"}
#: Beginnings of comments in other languages.
_FOREIGN_COMMENTS: Final = ("//", "/*", "--", "%", "'", '"')


@dataclass(frozen=True)
class _Place:
    """Where the parser stopped: the word there, the terminals accepted there, and the text before it."""

    text: str
    start: int
    word: str
    accepts: Collection[str]

    @property
    def before(self) -> str:
        return re.sub(r"#[^\n]*", lambda m: " " * len(m[0]), self.text[: self.start])

    @property
    def end_of_before(self) -> int:
        return len(self.before.rstrip())

    @property
    def statement(self) -> str:
        """The keyword of the statement in which the parser stopped."""
        found = _STATEMENT.findall(self.before)
        return found[-1] if found else "BEGINSCRIPT"

    def line_of_open(self, *words: str) -> int:
        """The line of the block that is open here."""
        lines = [self.text.count("\n", 0, m.start()) + 1 for m in _BLOCK.finditer(self.before) if m[0] in words]
        return lines[-1] if lines else 1


def explain_syntax(error: Any, accepts: Collection[str], text: str, path: Path) -> FileFormatError:
    """The error for the place where the parser stopped; `accepts` are the terminals it would have accepted."""
    start = getattr(error, "pos_in_stream", None)
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        start = len(text)
    elif token is not None:
        start = token.start_pos
    found = _WORD.match(text, start or 0)
    place = _Place(text, start or 0, found[0] if found else "", accepts)
    what, at = _explain(place)
    return fail(what, span_of(text, at, at + 1), text, path)


def _explain(place: _Place) -> tuple[str, int]:
    """The message, and the index of the character it points at."""
    for point in (_explain_rows, _explain_decimal_comma, _explain_comfb2):
        found = point(place)
        if found:
            return found
    if "END" in place.accepts and _begins_something(place):
        return f"';' is missing after this {place.statement}", max(place.end_of_before - 1, 0)
    if place.statement == ">" and set(place.accepts) == {"_OPEN"}:
        return _CALL_BRACKETS, max(place.end_of_before - 1, 0)
    for explain in (_explain_end, _explain_foreign, _explain_block, _explain_modifier, _explain_word, _explain_value):
        what = explain(place)
        if what:
            return what, min(place.start, max(len(place.text) - 1, 0))
    if place.word in KEYWORDS:
        # The next statement has begun: what is missing belongs to the line before it.
        return _explain_rest(place), max(place.end_of_before - 1, 0)
    return _explain_rest(place), place.start


def _explain_rows(place: _Place) -> tuple[str, int] | None:
    """Scripts that an optimiser pasted into each other, between rows of signs."""
    found = _ROW.search(place.text, place.text.rfind("\n", 0, place.end_of_before) + 1)
    if found is None or found.start(1) > place.start:
        return None
    what = "a script is pasted into another one here, between rows of > and <, as optimisers write them"
    return f"{what}. A file contains one script: move each to a file of its own and call that", found.start(1)


def _explain_decimal_comma(place: _Place) -> tuple[str, int] | None:
    """Too many values, two of which look like one number."""
    text, at = place.text, place.start
    if text[at : at + 1] != ",":
        return None
    # The brackets in which the parser stopped, or the words before them.
    first = max(text.rfind(mark, 0, at) for mark in "(;\n") + 1
    last = min((k for k in (text.find(mark, at) for mark in ");\n") if k >= 0), default=len(text))
    found = _DECIMAL_COMMA.search(text, first, min(last, at + _NEAR))
    if found is None:
        return None
    meant = f"{found[1]}.{found[2]}"
    return f"numbers have a decimal point, not a comma, got {found[0]}. Did you mean {meant!r}?", found.start()


def _explain_comfb2(place: _Place) -> tuple[str, int] | None:
    """A COMFB2 whose last words are missing: those of the next line would be read in their place."""
    found = place.before.rfind("COMFB2")
    words = list(_TOKEN.finditer(place.before, found + len("COMFB2"))) if found >= 0 else []
    own = list(takewhile(lambda w: w[0] not in KEYWORDS and w[0] != ";", words[:_COMFB2_WORDS]))
    cut = len(own) < min(len(words), _COMFB2_WORDS)
    if found < 0 or len(own) == _COMFB2_WORDS or not (cut or _begins_something(place) or place.word == ";"):
        return None
    at = own[-1].end() - 1 if own else found
    if len(own) < 3:
        missing = "j and the name of a joint are" if len(own) == 2 else "a gain is"
        return f"{missing} missing. {_written('COMFB2')}", at
    kind = own[2][0]
    if kind in _NAMED_AFTER:
        return f"{_NAMED_AFTER[kind]} is missing after {kind}. {_written('COMFB2')}", at
    meant = " ".join(["COMFB2", own[0][0], own[1][0], "j", kind])
    return f"after its two gains COMFB2 needs j, p or c, got {kind}. Did you mean {meant!r}?", at


def _written(statement: str) -> str:
    return f"{'A call' if statement == '>' else statement} is written '{FORMS[statement]}'"


def _begins_something(place: _Place) -> bool:
    return place.word in KEYWORDS or place.word in ("#", "")


def _explain_end(place: _Place) -> str:
    if place.word:
        return ""
    if "ENDACTIONS" in place.accepts:
        opened = place.line_of_open("ACTIONS", "ENVACTIONS")
        return f"the file ends inside the ACTIONS in line {opened}: ENDACTIONS, ENDPHASE and ENDSCRIPT are missing"
    if "ENDPHASE" in place.accepts:
        opened = place.line_of_open("PHASE")
        return f"the file ends inside the PHASE in line {opened}: ENDPHASE and ENDSCRIPT are missing"
    if "ENDSCRIPT" in place.accepts:
        return "ENDSCRIPT is missing at the end"
    return f"the file ends in the middle of a {place.statement}. {_written(place.statement)}"


def _explain_foreign(place: _Place) -> str:
    rest = place.text[place.start :]
    if rest.startswith(_FOREIGN_COMMENTS[:3]) or (rest[:1] == "%" and "NUMBER" not in place.accepts):
        return "a comment begins with # and ends at the end of the line"
    if rest[:1] in _FOREIGN_COMMENTS[4:]:
        return "names are written without quotation marks"
    return ""


def _explain_block(place: _Place) -> str:
    """A keyword where it is not allowed."""
    word, accepts = place.word, place.accepts
    if word == "BEGINSCRIPT":
        return "a script inside a script: a file contains one script, and the ENDSCRIPT of the first is missing"
    if word not in KEYWORDS:
        return ""
    if "ENDACTIONS" in accepts:
        inside = "ENVACTIONS" if "TOGGLE_VISIBLE" in accepts else "ACTIONS"
        if word in TOGGLE_WORDS:
            return f"{word} belongs between ENVACTIONS and ENDACTIONS"
        if word in ACTION_WORDS:
            return f"{word} belongs between ACTIONS and ENDACTIONS"
        opened = place.line_of_open("ACTIONS", "ENVACTIONS")
        return f"ENDACTIONS is missing before {word}: the {inside} in line {opened} are still open"
    if "ENDPHASE" in accepts:
        if word in TOGGLE_WORDS:
            return f"{word} belongs between ENVACTIONS and ENDACTIONS"
        if word in ACTION_WORDS:
            return f"{word} belongs between ACTIONS and ENDACTIONS"
        if word == "ENDACTIONS":
            return "ENDACTIONS without an open ACTIONS or ENVACTIONS"
        return f"ENDPHASE is missing before {word}: the PHASE in line {place.line_of_open('PHASE')} is still open"
    if "PHASE" in accepts:
        if word == "ENDPHASE":
            return "ENDPHASE without an open PHASE"
        return f"{word} belongs inside PHASE number … ENDPHASE"
    return ""


def _explain_modifier(place: _Place) -> str:
    """A modifier that is not allowed here."""
    found = re.match(r"\.\s*([A-Za-z]\w*)\s*\(?", place.text[place.start :])
    if not found:
        return ""
    known = sorted(TERMINALS[t] for t in place.accepts if TERMINALS.get(t, "").startswith("."))
    form = _written(place.statement)
    if not known:
        return f"'.{found[1]}' is not allowed here. {form}"
    names = [k.strip(".(") for k in known]
    if found[1] in names:
        return f"'.{found[1]}' needs a '(' after it. {form}"
    nearest = find_nearest_name(found[1], names)
    meant = f" Did you mean '.{nearest}'?" if nearest else ""
    return f"'.{found[1]}' is not allowed here. {form}.{meant}"


def _explain_word(place: _Place) -> str:
    """A word where a statement or a condition begins."""
    word, accepts = place.word, place.accepts
    if "COMPLETE" in accepts:
        return (
            describe_unknown_name("condition", word, CONDITIONS)
            if word[:1].isalpha()
            else (f"a condition is missing. Known here: {', '.join(CONDITIONS)}")
        )
    if "_TO" in accepts and "TRANSITION" not in accepts:
        return "this is not a transition. " + _written("TRANSITION")
    if "POSE" in accepts:
        known: Collection[str] = (*ACTION_WORDS, "ENDACTIONS")
        kind = "action"
    elif "TOGGLE_VISIBLE" in accepts:
        known, kind = (*TOGGLE_WORDS, "ENDACTIONS"), "action of the environment"
    elif "TRANSITION" in accepts:
        known, kind = COMMAND_WORDS, "command"
    elif "PHASE" in accepts:
        known, kind = ("PHASE", "ENDSCRIPT"), "word"
    else:
        return ""
    return _unknown_word(word, known, kind)


def _unknown_word(word: str, known: Collection[str], kind: str) -> str:
    if word == "SVF":
        return "SVF is an old action that no longer exists. Use 'VF (fx, fy, fz).on(part).by(joint);'"
    if word in ("ENDENVACTIONS", "ENDENVACTION"):
        return "ENVACTIONS end with ENDACTIONS"
    for name in KEYWORDS:
        if word.casefold() == name.casefold():
            return f"keywords are written in capitals, got {word!r}. Did you mean {name!r}?"
    if word == ";":
        return "no statement before this ';'. Block words and COMFB2 have no ';'"
    return describe_unknown_name(kind, word, known)


def _explain_value(place: _Place) -> str:
    """A missing or wrong value, or a missing separator between two values."""
    rest, accepts = place.text[place.start :][:_NEAR], place.accepts
    if _VALUES & set(accepts):
        return _explain_number(place, rest)
    if rest[:1] in ("+", "-", "*", "/", "^") and "_CLOSE" in accepts:
        return "the language has no arithmetic: a value is a number, a parameter or linterp(g, g0, g1, v0, v1)"
    if rest[:1] == "," and re.search(r"[(,]\s*\([^()]*,[^()]*,[^()]*$", place.before[-_NEAR:]):
        return "at most three components: (pitch, roll, yaw)"
    if rest[:1] == "," and "_CLOSE" in accepts:
        return f"one value too many. {_written(place.statement)}"
    if rest[:1] == ")" and "_COMMA" in accepts:
        return f"a value is missing. {_written(place.statement)}"
    if place.word in (";", "") and "_CLOSE" in accepts:
        return f"')' is missing. {_written(place.statement)}"
    if "_COMMA" in accepts and re.match(r"[\w.-]", rest):
        after_list = place.before.rstrip().endswith(")")
        return "',' or ';' is missing before this" if after_list else "',' is missing between two values"
    return ""


def _explain_number(place: _Place, rest: str) -> str:
    exponent = _EXPONENT.match(rest)
    if exponent:
        what = f"numbers are written without an exponent, got {exponent[0]}"
        if len(exponent[1]) > 4 or abs(int(exponent[1])) > _MAX_EXPONENT:
            return what
        return f"{what}. Did you mean {format(Decimal(exponent[0]), 'f')!r}?"
    if re.match(r"0[xX][0-9a-fA-F]", rest):
        return f"numbers are decimal, got {place.word}"
    plus = re.match(r"\+\s*([\d.]+)", rest)
    if plus:
        return f"numbers are written without a leading +. Did you mean {plus[1]!r}?"
    if re.match(r"-\s*[A-Za-z]", rest):
        return "a parameter cannot be negated: the language has no arithmetic. Pass the negative number instead"
    if re.match(r"-?\d*\.\d*\.", rest):
        return "a number with two decimal points"
    modifier = re.match(r"-?(?:\d*\.\d+|\d+)\.\s*([A-Za-z]\w*)\s*\(", rest)
    if modifier:
        return f"')' is missing before '.{modifier[1]}('"
    glued = re.match(r"-?[\d.]+[A-Za-z_]\w*", rest)
    if glued:
        return f"neither a number nor a name, got {glued[0]!r}. A name begins with a letter, a number has no unit"
    what = "a number" if "VARIABLE" not in place.accepts else "a value"
    missing = f"{what} is missing" if place.word in (")", ",", ";", "") else f"{what} is expected, got {place.word!r}"
    form = CONDITIONS.get(_find_condition(place.before), "")
    if form:
        return f"{missing}. It is written '{form}'"
    return f"{missing}. {_written(place.statement)}"


def _find_condition(before: str) -> str:
    """The condition in which the parser stopped."""
    found = re.search(r"\.\s*after\s*\(\s*(\w+)[^;]*$", before[-_NEAR:])
    return found[1] if found else ""


def _explain_rest(place: _Place) -> str:
    """The accepted terminals, and the form of the statement."""
    if set(place.accepts) == {"SIGN"}:
        return "<, > or x is missing. It is written 'fallen > angle'"
    names = sorted({TERMINALS[t] for t in place.accepts if t in TERMINALS})
    wanted = " or ".join(names) if names else "something else"
    if place.word in KEYWORDS:
        return f"{wanted} is missing. {_written(place.statement)}"
    got = repr(place.word) if place.word else "the end of the file"
    return f"{wanted} is expected here, got {got}. {_written(place.statement)}"
