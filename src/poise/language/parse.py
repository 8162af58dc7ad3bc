"""Parses the text of one script into a tree; `load` finds the includes.

As in the released code, `SCRIPTS`, `SET` and the body may appear anywhere in the text, and everything else is ignored.
Unlike there, comments are never mistaken for them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from poise.errors import FileFormatError
from poise.files import load_bytes, load_text
from poise.language.atoms import MAX_DIGITS
from poise.language.explain import explain_syntax
from poise.language.places import MisreadError, blank, fail, span_of
from poise.language.tree import Name, Number, Script, Setting

MAX_SCRIPT_BYTES: Final = 100_000
"""Sixteen times the longest shipped script. The parser takes about ten seconds per megabyte."""

MAX_BRACKETS: Final = 24
"""Nesting depth of brackets: a few nested `linterp` are useful; thousands overflow the stack in recursive walks."""

GRAMMAR: Final = Path(__file__).with_name("grammar.lark")
COMMENT: Final = re.compile(r"#[^\n]*")
#: Outside the script body, where a file name may contain `#`.
OUTER_COMMENT: Final = re.compile(r"(?<![^\s;,])#[^\n]*")
_BRACKET: Final = re.compile(r"[();]")
_BEGIN: Final = re.compile(r"\bBEGINSCRIPT\b")
_END: Final = re.compile(r"\bENDSCRIPT\b")
INCLUDE: Final = re.compile(r"\bSCRIPTS\s+([^\s;,]+(?:\s*,\s*[^\s;,]+)*)\s*;")
ENVIRONMENT: Final = re.compile(r"\bENVIRONMENT\s+([^\s;,]+)\s*;")
CHARACTER: Final = re.compile(r"\bCHARACTER\s+([^\s;,]+)\s*;")
_FILE: Final = re.compile(r"[^\s;,]+")
SETTING: Final = re.compile(r"\bSET\s+(\w+)\s*=\s*(-?\d*\.?\d+)")
#: What must not follow a number directly.
_NUMBER_TAIL: Final = re.compile(r",\d+|\.?[eE][-+]?\d+")
#: Misspelt statements at the start of a line. Precise, because prose may begin with the same words.
_MEANT: Final = re.compile(
    r"^[ \t]*(SCRIPTS(?=\s+[^\s;,]*\.\w)"
    r"|SET(?=\s+(?:TORQUELIMIT\b|\w+\s*[=:\s]\s*[-.]?\d))"
    r"|ENVIRONMENT(?=\s+\S+\.env\b)"
    r"|CHARACTER(?=[ \t]+\w+[ \t]*$))",
    re.MULTILINE,
)
_HEAD_FORMS: Final = {
    "SCRIPTS": "SCRIPTS file, file;",
    "SET": "SET NAME = number",
    "ENVIRONMENT": "ENVIRONMENT file;",
    "CHARACTER": "CHARACTER name;",
}


@lru_cache(maxsize=1)
def make_parser() -> Any:
    """The parser, made once per process, on first use."""
    from lark import Lark

    from poise.language.grow import GrowTree

    return Lark(GRAMMAR.read_text(encoding="utf-8"), start="script", parser="lalr", transformer=GrowTree())


def load_script_text(path: str | Path) -> str:
    """The text of a script; one that is not valid UTF-8 is read as Latin-1, like in the released code."""
    try:
        return load_text(path, MAX_SCRIPT_BYTES)
    except FileFormatError as error:
        if not error.reason.startswith("not text in UTF-8"):
            raise
    return load_bytes(path, MAX_SCRIPT_BYTES).decode("latin-1").replace("\r\n", "\n")


def parse_script(text: str, path: str | Path = "script") -> Script:
    """The tree of a script, or an error with its place."""
    path = Path(path)
    bare = OUTER_COMMENT.sub(lambda m: blank(m[0]), text)
    begin = _BEGIN.search(bare)
    if begin is None:
        raise _no_body(text, bare, path)
    end = _END.search(bare, begin.end())
    stop = end.end() if end else len(text)
    outside = bare[: begin.start()] + blank(bare[begin.start() : stop]) + bare[stop:]
    includes, settings = _read_head(text, outside, path)
    body = blank(text[: begin.start()]) + text[begin.start() : stop]
    _check_brackets(COMMENT.sub(lambda m: blank(m[0]), body), text, path)
    from lark.exceptions import UnexpectedInput

    accepts: set[str] = set()

    def note_what_could_come(error: Any) -> bool:
        accepts.update(error.interactive_parser.accepts())
        return False

    try:
        script: Script = make_parser().parse(body, on_error=note_what_could_come)
    except UnexpectedInput as error:
        raise explain_syntax(error, accepts, body.rstrip(), path) from None
    except MisreadError as error:
        raise fail(error.what, error.at, text, path) from None
    return Script(
        label=script.label,
        parameters=script.parameters,
        phases=script.phases,
        includes=includes,
        settings=settings,
        path=path,
        text=text,
        environment=_read_name(ENVIRONMENT, text, outside),
        character=_read_name(CHARACTER, text, outside),
        at=script.at,
    )


def _check_brackets(bare: str, text: str, path: Path) -> None:
    """Raise if brackets are nested too deeply; a semicolon ends a statement and closes all its brackets."""
    depth = 0
    for found in _BRACKET.finditer(bare):
        depth = 0 if found[0] == ";" else depth + (1 if found[0] == "(" else -1)
        if depth > MAX_BRACKETS:
            at = span_of(text, found.start(), found.end())
            raise fail(f"nested too deeply. Allowed: at most {MAX_BRACKETS} levels of brackets", at, text, path)


def _no_body(text: str, bare: str, path: Path) -> FileFormatError:
    found = re.search(r"\bbeginscript\b", bare, re.IGNORECASE)
    if found:
        at = span_of(text, found.start(), found.end())
        return fail(f"keywords are written in capitals, got {found[0]!r}. Did you mean 'BEGINSCRIPT'?", at, text, path)
    return FileFormatError("it contains no script. It needs BEGINSCRIPT name(void) … ENDSCRIPT", path=path)


def _read_name(statement: re.Pattern[str], text: str, outside: str) -> Name | None:
    """The name in the first statement of a kind."""
    found = statement.search(outside)
    return Name(found[1], at=span_of(text, found.start(1), found.end(1))) if found else None


def _check_number(found: re.Match[str], text: str, outside: str, path: Path) -> None:
    """Raise if the number of a SET continues: the released code would read `0,5` as 0 and `1e3` as 1."""
    rest = _NUMBER_TAIL.match(outside, found.end(2))
    if rest is None:
        return
    at, got = span_of(text, found.start(2), rest.end()), found[2] + rest[0]
    if rest[0].startswith(","):
        meant = got.replace(",", ".")
        raise fail(f"numbers have a decimal point, not a comma, got {got}. Did you mean {meant!r}?", at, text, path)
    raise fail(f"numbers are written without an exponent, got {got}", at, text, path)


def _read_head(text: str, outside: str, path: Path) -> tuple[tuple[Name, ...], tuple[Setting, ...]]:
    """The include list and the settings; a second SCRIPTS adds to the first."""
    includes, settings, read = [], [], set()
    for found in INCLUDE.finditer(outside):
        read.add(found.start())
        for name in _FILE.finditer(outside, found.start(1), found.end(1)):
            includes.append(Name(name[0], at=span_of(text, name.start(), name.end())))
    for found in SETTING.finditer(outside):
        read.add(found.start())
        at = span_of(text, found.start(2), found.end(2))
        _check_number(found, text, outside, path)
        if len(found[2]) > MAX_DIGITS:
            raise fail(f"a number has at most {MAX_DIGITS} digits, got {len(found[2])}", at, text, path)
        number = Number(found[2], at=at)
        settings.append(Setting(found[1], number, at=span_of(text, found.start(), found.end())))
    read |= {found.start() for kind in (ENVIRONMENT, CHARACTER) for found in kind.finditer(outside)}
    for meant in _MEANT.finditer(outside):
        if meant.start(1) not in read:
            at = span_of(text, meant.start(1), meant.end(1))
            raise fail(f"this {meant[1]} cannot be read. It is written {_HEAD_FORMS[meant[1]]!r}", at, text, path)
    return tuple(includes), tuple(settings)
