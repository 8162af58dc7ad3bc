"""The second house rule: an error names what its reader knows, never a function of the implementation.

The `where` of an error is an option, a file, a command, an argument, or a noun of the documentation. This finds the
names of functions there: in `where=…`, in the first argument of `unknown_name` and of other functions with a parameter
`where`, in defaults of such parameters, and before the colon of a message `name: what is wrong`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

#: Nouns of the documentation that are also names of functions.
NOUNS: Final = frozenset(
    {"clip", "controller", "controllers", "cost", "cycle", "end", "evaluations", "graph", "kind", "limits", "phases"}
    | {"problem", "push", "recording", "replay", "scene", "search", "segment", "skeleton", "skill", "skills"}
    | {"snapshot", "state", "studio", "style", "tasks", "unit", "world"}
)


@dataclass(frozen=True)
class Known:
    """Names of all functions, of all commands, and the positions of parameters called `where`."""

    functions: frozenset[str]
    commands: frozenset[str]
    positions: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def is_internal(self, place: str) -> bool:
        """Whether an error's place names a function that its reader does not know."""
        name = place.partition(":")[0].strip()
        head = name.partition(" ")[0]
        if "_" in head and head in self.functions:
            return True
        return name in self.functions and name not in self.commands and name not in NOUNS


def learn(trees: Mapping[Path, ast.AST]) -> Known:
    """Collect the names in all files of a project."""
    functions: set[str] = set()
    commands: set[str] = set()
    positions: dict[str, set[int]] = {}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                if "property" not in {_name(d) for d in node.decorator_list}:
                    functions.add(node.name)
                names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
                if "where" in names:
                    positions.setdefault(node.name, set()).add(names.index("where") - (names[0] in ("self", "cls")))
            elif isinstance(node, ast.Call) and _name(node.func) in ("command", "add_typer"):
                texts = [*node.args, *(k.value for k in node.keywords if k.arg == "name")]
                commands |= {t.value for t in texts if isinstance(t, ast.Constant) and isinstance(t.value, str)}
    return Known(frozenset(functions), frozenset(commands), {k: frozenset(v) for k, v in positions.items()})


def find_internal_places(tree: ast.Module, known: Known) -> Iterator[tuple[int, str]]:
    """Yield line number and place of every error that names a function."""
    constants = _find_constants(tree)
    for node in ast.walk(tree):
        texts = [(e, _read(e, constants)) for e in _list_places(node, known)]
        texts += [(e, text) for e in _list_messages(node) if (text := _read(e, constants)) and ":" in text]
        for expression, text in texts:
            if text is not None and known.is_internal(text):
                yield expression.lineno, text.partition(":")[0].strip()


def _list_places(node: ast.AST, known: Known) -> Iterator[ast.expr]:
    """Every expression that becomes the place of an error."""
    if isinstance(node, ast.Call):
        name = _name(node.func)
        yield from (k.value for k in node.keywords if k.arg == "where")
        yield from (node.args[k] for k in known.positions.get(name, ()) if 0 <= k < len(node.args))
    elif isinstance(node, ast.FunctionDef):
        parameters = [*node.args.posonlyargs, *node.args.args]
        defaults = zip(parameters[len(parameters) - len(node.args.defaults) :], node.args.defaults, strict=True)
        keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        yield from (value for p, value in (*defaults, *keywords) if p.arg == "where" and value is not None)


def _list_messages(node: ast.AST) -> list[ast.expr]:
    """The message of an error, which may begin with its place and a colon."""
    return node.args[:1] if isinstance(node, ast.Call) and _name(node.func).endswith("Error") else []


def _find_constants(tree: ast.Module) -> dict[str, str]:
    """Texts that the module names, such as METHOD = "walker"."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(node.value.value, str):
                found |= {t.id: node.value.value for t in targets if isinstance(t, ast.Name)}
    return found


def _read(expression: ast.expr, constants: Mapping[str, str]) -> str | None:
    """The text of an expression; unknown parts become a character that no name contains."""
    if isinstance(expression, ast.Constant):
        return expression.value if isinstance(expression.value, str) else None
    if isinstance(expression, ast.Name):
        return constants.get(expression.id)
    if isinstance(expression, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in expression.values]
        return "".join(_read(part, constants) or "\0" for part in parts)
    return None


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
