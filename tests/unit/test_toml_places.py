"""Places of keys, checked against tomllib's result for the same document."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.toml_places import Key, find_place

DOCUMENT = '''\
# a comment with [brackets] and name = 1
title = "a = 1"
"quoted key" = 1
fruit.apple.colour = "red"  # dotted

[walk]
text = """
[walk.inside]
reach = 3
"""
literal = \'\'\'
reach = [ \'\'\'
reach = 0.5
points = [
    [0.0, 1.0],  # first ]
    [2.0, 3.0],
]
inline = { low = 1, "high" = [1, { deep = 2 }] }

[walk.gains.hip]
kp = 1

[walk.gains]
all = 2

[[states]]
name = "one"

[[states.pushes]]
force = 1

[[states]]
name = "two"

[[states.pushes]]
force = 2

[[states.pushes]]
force = 3
[states.pushes.more]
x = 1
'''


@pytest.mark.parametrize(
    ("keys", "line", "column"),
    [
        (("title",), 2, 1),
        (("quoted key",), 3, 1),
        (("fruit",), 4, 1),
        (("fruit", "apple"), 4, 1),
        (("fruit", "apple", "colour"), 4, 1),
        (("walk",), 6, 2),
        (("walk", "text"), 7, 1),
        (("walk", "reach"), 13, 1),
        (("walk", "points"), 14, 1),
        (("walk", "points", 1), 16, 5),
        (("walk", "points", 1, 0), 16, 6),
        (("walk", "inline"), 18, 1),
        (("walk", "inline", "high"), 18, 21),
        (("walk", "inline", "high", 1, "deep"), 18, 36),
        (("walk", "gains", "hip", "kp"), 21, 1),
        # The table's own header, although a table inside it comes first.
        (("walk", "gains"), 23, 2),
        (("walk", "gains", "all"), 24, 1),
        (("states",), 26, 3),
        (("states", 0), 26, 3),
        (("states", 1), 32, 3),
        (("states", 1, "name"), 33, 1),
        (("states", 1, "pushes", 1, "force"), 39, 1),
        (("states", 1, "pushes", 1, "more", "x"), 41, 1),
        # What is not there is at the nearest table around it.
        (("states", 1, "duration_s"), 32, 3),
        (("walk", "gains", "hip", "kd"), 20, 2),
        (("walk", "inline", "middle"), 18, 1),
        (("walk", "reach", "unit"), 13, 1),
    ],
)
def test_a_key_is_found_at_its_line_and_column(keys: tuple[Key, ...], line: int, column: int) -> None:
    place = find_place(DOCUMENT, keys)
    assert place is not None
    assert (place.line, place.column, place.source_line) == (line, column, DOCUMENT.split("\n")[line - 1])


@pytest.mark.parametrize("keys", [(), ("unknown",), ("unknown", "key"), ("reach",)])
def test_a_key_of_which_nothing_is_written_has_no_place(keys: tuple[Key, ...]) -> None:
    assert find_place(DOCUMENT, keys) is None


@pytest.mark.parametrize("text", ["a = [", "a = [1, }", "[a", "[[a]", "a", "a = '", 'a = """b', "= 1", "a.= 1", "]"])
def test_a_document_that_is_no_toml_ends_the_search(text: str) -> None:
    find_place(text, ("a", 7, "b"))


@pytest.mark.parametrize(
    "text",
    [
        "a = [" + "[" * 60 + "1," * 200_000 + "1" + "]" * 60 + "]\nb = 1",
        'a = """' + '"\\"' * 200_000 + '"""\nb = 1',
        "a = 1" + " " * 400_000 + "\nb = 1",
        "".join(f"a{k} = {{ x = 1 }}\n" for k in range(40_000)) + "b = 1",
        "".join(f"[[t]]\nx.y = {k}\n" for k in range(40_000)) + "[u]\nb = 1",
        "a = '" + "#[" * 200_000 + "'\nb = 1",
    ],
    ids=["nested", "quotes", "spaces", "inline", "items", "brackets"],
)
def test_a_long_document_is_searched_in_a_time_that_grows_with_its_length(text: str) -> None:
    def clock(document: str) -> float:
        start = time.process_time()
        find_place(document, ("b",))
        return time.process_time() - start

    # Ten times what one pass takes here: a square would take hours.
    assert clock(text) < 10.0


# -- random documents --------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c-1", "long name", "it's", 'say "x"', "d.e", "ü", "1", "tab\t", "#", "[x]"])
TEXTS = st.sampled_from(["", "a = 1", "[a]", "# no", "'", '"', "\\", '"""', "'''", "]]", "}", ",", "x\ny = 1\n[z]"])
LEAVES = st.one_of(st.integers(-9, 9), st.booleans(), st.floats(allow_nan=False), TEXTS)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
TABLES = st.dictionaries(NAMES, VALUES, max_size=4)


class Writer:
    """Writes a document in one of the many ways that TOML allows, and notes on which line each key comes to be."""

    def __init__(self, draw: Any) -> None:
        self._draw, self.text = draw, ""
        self.lines: dict[tuple[Key, ...], int] = {}

    def _pick(self, *choices: Any) -> Any:
        return self._draw(st.sampled_from(choices))

    def _add(self, text: str) -> None:
        self.text += text

    def _note(self, keys: tuple[Key, ...]) -> None:
        self.lines[keys] = self.text.count("\n") + 1

    def _noise(self) -> None:
        self._add(self._pick("", "", "\n", "# a = [1]\n", "   \n", '\t# """\n'))

    def _key(self, name: str) -> str:
        bare = name.replace("-", "").isalnum() and name.isascii()
        forms = [json.dumps(name, ensure_ascii=False)] + [name] * bare + [f"'{name}'"] * ("'" not in name)
        return str(self._pick(*forms))

    def table(self, keys: tuple[Key, ...], data: dict[str, Any]) -> None:
        """Pairs first, then tables with headers of their own."""
        below = {}
        for name, value in data.items():
            self._noise()
            tables = isinstance(value, list) and value and all(isinstance(v, dict) for v in value)
            if (isinstance(value, dict) or tables) and self._pick(True, True, False):
                below[name] = value
            else:
                self._pair(keys, name, value, "")
                self._add(self._pick("", "  ", " # c = 2") + "\n")
        for name, value in below.items():
            for k, item in enumerate(value if isinstance(value, list) else [value]):
                own = (*keys, name, k) if isinstance(value, list) else (*keys, name)
                self._noise()
                self._header(own, isinstance(value, list))
                self.table(own, item)

    def _header(self, keys: tuple[Key, ...], is_list: bool) -> None:
        self._note(keys)
        dotted = self._pick(".", " . ").join(self._key(k) for k in keys if isinstance(k, str))
        pad = self._pick("", " ")
        self._add(f"[[{pad}{dotted}{pad}]]\n" if is_list else f"[{pad}{dotted}{pad}]\n")

    def _pair(self, keys: tuple[Key, ...], name: str, value: Any, prefix: str) -> None:
        own = (*keys, name)
        self._note(own)
        if isinstance(value, dict) and len(value) == 1 and self._pick(True, False):
            ((inner, below),) = value.items()
            self._pair(own, inner, below, prefix + self._key(name) + ".")
            return
        self._add(prefix + self._key(name) + self._pick("=", " = "))
        self._value(own, value)

    def _value(self, keys: tuple[Key, ...], value: Any) -> None:
        if isinstance(value, dict):
            self._add("{")
            for k, (name, item) in enumerate(value.items()):
                self._add(", " if k else " ")
                self._pair(keys, name, item, "")
            self._add(" }")
        elif isinstance(value, list):
            self._add("[")
            inside = any(c == "{" for c in self.text[self.text.rfind("\n") + 1 :])
            for k, item in enumerate(value):
                self._add("," if k else "")
                self._add(" " if inside else self._pick("", "\n  ", "# ] [\n", "\n\n"))
                self._note((*keys, k))
                self._value((*keys, k), item)
            self._add("]")
        else:
            self._add(self._leaf(value))

    def _leaf(self, value: Any) -> str:
        if not isinstance(value, str):
            return json.dumps(value) if not isinstance(value, float) else repr(value)
        forms = [json.dumps(value)]
        if "\\" not in value and '"""' not in value:
            forms.append(f'"""{value}"""')
        if "'" not in value:
            forms.append(f"'''{value}'''")
        return str(self._pick(*forms))


def list_keys(value: Any, keys: tuple[Key, ...] = ()) -> Iterator[tuple[Key, ...]]:
    """Every path of a document."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield (*keys, key)
        yield from list_keys(item, (*keys, key))


@given(st.data())
def test_every_key_of_a_document_is_found_on_its_line(data: st.DataObject) -> None:
    table = data.draw(TABLES)
    writer = Writer(data.draw)
    writer.table((), table)
    parsed = tomllib.loads(writer.text)
    assert parsed == table
    for keys in list_keys(parsed):
        place = find_place(writer.text, keys)
        assert place is not None
        # The name of a list of tables is first written in the header of its first item.
        line = writer.lines.get(keys) or writer.lines[(*keys, 0)]
        assert place.line == line, (keys, writer.text)
        assert place.source_line == writer.text.split("\n")[line - 1]
