"""Every command and code block in the documents does what the page says.

All commands are parsed, all Python and TOML is read, and some pages, chosen at random by the commit, are run from top
to bottom. `POISE_SAMPLE_SEED=anything` chooses others and `POISE_SAMPLE_SIZE=all` runs all.
"""

from __future__ import annotations

import importlib.util
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from pages.blocks import (
    LANGUAGES,
    PAGES,
    ROOT,
    Command,
    Part,
    list_blocks,
    list_captions,
    list_commands,
    list_mentions,
    list_parts,
)
from pages.rules import NOT_RUN, REPLACED, SHORTER
from pages.runner import PageError, Reader, find_not_run, find_replaced, find_shorter, shorten
from papers.sample import find_seed, find_size, pick
from poise.cli import app
from poise.controllers.catalog import controller_names
from poise.motion.shipped import list_clips
from poise.reproduce.catalog import EXPERIMENTS
from poise.reproduce.claims import load_claims

BLOCKS = [block for page in PAGES for block in list_blocks(page)]
COMMANDS = [command for block in BLOCKS if block.language == "sh" for command in list_commands(block)]
CAPTIONS = [command for page in PAGES for command in list_captions(page)]


def has_something_to_run(part: Part) -> bool:
    """Whether a part has Python, a command that is run, or a picture."""
    blocks = part.list_blocks()
    commands = [c for block in blocks if block.language == "sh" for c in list_commands(block)]
    captions = [] if part.section else list_captions(part.page)
    return any(b.language == "python" for b in blocks) or any(not find_not_run(c) for c in [*commands, *captions])


PARTS = [part for page in PAGES for part in list_parts(page) if has_something_to_run(part)]
TREE = get_command(app)
CONTROLLERS = frozenset(controller_names())
EXPERIMENT_NAMES = {"list", "report", *(e.name for e in EXPERIMENTS), *load_claims()}
#: A name of a reader's own choice, such as FILE.toml, PROBLEM or A.
PLACEHOLDER = re.compile(r"[A-Z]+[A-Z0-9_|.-]*(\.[a-z]+)?|NAME.*")
FILE = re.compile(r"[\w/-]+\.(?:toml|bvh|ctl|script|npz|json|t|s|py)")


@pytest.mark.parametrize("part", pick(PARTS, find_size(len(PARTS)), find_seed()), ids=lambda part: part.name)
def test_a_page_does_what_it_says(part: Part, tmp_path: Path) -> None:
    assert Reader(part, tmp_path).read() > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_can_be_read(page: Path) -> None:
    for block in list_blocks(page):
        assert block.language in LANGUAGES, f"{block.place}: name the language of the block"
        if block.language == "python":
            compile(block.text, block.place, "exec")
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "sh":
            assert list_commands(block), f"{block.place}: no command"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_can_be_read(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs" / "images").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    blocks = [block for block in list_blocks(page) if block.language == "sh"]
    for command in [*(c for block in blocks for c in list_commands(block)), *list_captions(page)]:
        if command.is_poise:
            parse(command)
        elif command.words[:2] == ("python", "-m"):
            assert importlib.util.find_spec(command.words[2]) is not None
        else:
            assert find_not_run(command), f"{command.place}: neither Poise's, nor a rule why it is not run"
    for command in list_mentions(page):
        parse(command, mentioned=True)


def parse(command: Command, *, mentioned: bool = False) -> None:
    """Parse a command line; a mention may leave out arguments and values."""
    group: Any = TREE
    words = [os.path.expanduser(word) for word in command.words[1:]]
    while words and words[0] in getattr(group, "commands", {}):
        group, words = group.commands[words[0]], words[1:]
    options = {
        name for p in group.get_params(group.make_context("poise", [], resilient_parsing=True)) for name in p.opts
    }
    unknown = {word for word in words if word.startswith("--")} - options
    assert not unknown, f"{command.place}: {' '.join(command.words)}: no option {unknown}"
    if not mentioned:
        try:
            group.make_context("poise", list(words))
        except Exception as error:
            raise AssertionError(f"{command.place}: {' '.join(command.words)}: {error}") from error
    for word in words:
        check_name(command, word)


def check_name(command: Command, word: str) -> None:
    """What looks like the name of a controller or experiment is one."""
    where = command.words[1]
    if re.fullmatch(r"[a-z-]+/[a-z0-9-]+", word) and where in ("run", "sweep", "robustness", "plot", "studio", "check"):
        assert word in CONTROLLERS or (ROOT / word).exists(), f"{command.place}: no controller {word}"
    if where == "reproduce" and command.words[2:3] == (word,) and re.fullmatch(r"[a-z][a-z0-9/-]+", word):
        assert word in EXPERIMENT_NAMES, f"{command.place}: no experiment {word}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_that_the_text_mentions_are_made_on_the_page(page: Path) -> None:
    made = "".join(block.text for block in list_blocks(page))
    for command in list_mentions(page):
        for word in command.words[1:]:
            if FILE.fullmatch(word) and not PLACEHOLDER.fullmatch(word.rpartition("/")[2]):
                shipped = (ROOT / word).exists() or word in list_clips()
                written = command.words[command.words.index(word) - 1].startswith("--")
                assert shipped or written or word in made, f"{command.place}: a reader has no {word}"


def list_rules() -> Iterator[tuple[Any, list[Any]]]:
    everything = [*COMMANDS, *CAPTIONS]
    for rule in NOT_RUN:
        yield rule, [c for c in everything if find_not_run(c) is rule]
    for rule in SHORTER:
        yield rule, [c for c in everything if find_shorter(c) is rule and not find_not_run(c)]
    for rule in REPLACED:
        yield rule, [b for b in BLOCKS if rule in find_replaced(b)]


@pytest.mark.parametrize(("rule", "found"), list(list_rules()), ids=lambda value: str(getattr(value, "start", "")))
def test_every_rule_is_needed_and_has_a_reason(rule: Any, found: list[Any]) -> None:
    assert found, f"{rule}: applies to nothing"
    assert rule.reason


def test_most_commands_run() -> None:
    ours = [c for c in [*COMMANDS, *CAPTIONS] if c.is_poise]
    assert sum(find_not_run(c) is None for c in ours) > 0.75 * len(ours)


@pytest.mark.parametrize(
    ("words", "options", "shortened"),
    [
        ("a --n 9 --m 1", {"--n": "2"}, "a --n 2 --m 1"),
        ("a --n 1", {"--n": "2"}, "a --n 1"),
        ("a", {"--n": "2", "--flag": ""}, "a --n 2 --flag"),
        ("a --n 1 2 3 --m", {"--n": "x y"}, "a --n x y --m"),
        ("a --n 1 --m", {"--n": None}, "a --m"),
        ("a --flag b", {"--flag": ""}, "a --flag b"),
    ],
)
def test_options_are_shortened(words: str, options: dict[str, str | None], shortened: str) -> None:
    assert shorten(tuple(words.split()), options) == tuple(shortened.split())


def test_what_does_not_work_is_found(tmp_path: Path) -> None:
    for name, text in (
        ("command", "```sh\npoise run nothing\n```\n"),
        ("option", "```sh\npoise list characters --wrong\n```\n"),
        ("file", "```sh\npoise clip info walk.bvh\n```\n"),
        ("python", "```python\nx = missing\n```\n"),
        ("unknown", "```sh\nsudo rm -r x\n```\n"),
    ):
        page, folder = ROOT / "docs" / f"{name}.md", tmp_path / name
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch, pytest.raises(PageError, match=rf"docs/{name}\.md:2"):
            patch.setattr(Path, "read_text", lambda *_, text=text, **__: text)
            Reader(Part(page), folder).read()


def test_blocks_of_a_page_share_a_folder_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
```ctl
# move.ctl
SET x = 1;
```

```python
name = open("move.ctl").read()
```

```python
assert "SET x" in name
open("made.csv", "w").close()
```
"""
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)
    assert Reader(Part(ROOT / "docs" / "page.md"), tmp_path).read() == 2
    assert {path.name for path in tmp_path.iterdir()} >= {"move.ctl", "made.csv", "examples"}
