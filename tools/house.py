"""House rules that no other linter covers; `make lint` runs this.

Only `poise.world` touches MuJoCo's model and data, or the arrays of its compiled loop. All other code uses
`World.state`, percepts and methods of the world. A world is recognized by its name, its annotation, or the origin of
its value: `World(…)`, a function that returns one, an alias, or an element of a list of worlds.

Errors name what their reader knows, not functions: see `tools/error_places.py`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import error_places

ROOT: Final = Path(__file__).resolve().parents[1]
FORBIDDEN: Final = ("data", "model")
#: Names of worlds, without leading underscores and plural s.
WORLDS: Final = ("world", "twin")
#: The class, and its method that returns another world.
MAKERS: Final = frozenset({"World", "twin"})


def _is_annotated(annotation: ast.expr | None) -> bool:
    """Whether an annotation mentions the class."""
    if annotation is None:
        return False
    parts = ast.walk(annotation)
    names = [n.id if isinstance(n, ast.Name) else n.attr for n in parts if isinstance(n, ast.Name | ast.Attribute)]
    quoted = isinstance(annotation, ast.Constant) and annotation.value == "World"
    return quoted or ("World" in names and "Callable" not in names)


def find_makers(trees: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names of all functions, methods and properties that are annotated to return a world."""
    found = set(MAKERS)
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and _is_annotated(node.returns):
                found.add(node.name)
    return frozenset(found)


class _Aliases:
    """Names in one file that are worlds or collections of worlds."""

    def __init__(self, tree: ast.AST, makers: frozenset[str]) -> None:
        self._names: set[str] = set()
        self._makers = makers
        known = -1
        # An alias of an alias needs another pass.
        while known < len(self._names):
            known = len(self._names)
            for node in ast.walk(tree):
                self._learn(node)

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.arg) and _is_annotated(node.annotation):
            self._names.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and _is_annotated(node.annotation):
            self._add(node.target)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, ast.NamedExpr):
            self._bind(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            self._bind(node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind(node.optional_vars, node.context_expr)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts, strict=True):
                self._bind(one, its)
        elif self.is_world(value):
            self._add(target)

    def _add(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name | ast.Attribute):
            self._names.add(_name(target))

    def is_world(self, node: ast.expr) -> bool:
        """Whether an expression is a world."""
        if isinstance(node, ast.Name | ast.Attribute):
            name = _name(node)
            by_name = name.lstrip("_").rstrip("s") in WORLDS
            return by_name or name in self._names or (isinstance(node, ast.Attribute) and name in self._makers)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name | ast.Attribute) and _name(node.func) in self._makers
        if isinstance(node, ast.Subscript):
            return self.is_world(node.value)
        if isinstance(node, ast.IfExp):
            return self.is_world(node.body) or self.is_world(node.orelse)
        return isinstance(node, ast.BoolOp) and any(self.is_world(value) for value in node.values)


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_inside(name: str) -> bool:
    return name in FORBIDDEN or (name.startswith("_") and not name.startswith("__"))


def _read_touch(node: ast.AST) -> tuple[ast.expr, str] | None:
    """An expression and the attribute read from it, also through `getattr`."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        if len(node.args) >= 2 and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str):
            return node.args[0], node.args[1].value
    return None


def find_touches(path: Path, makers: frozenset[str] = MAKERS) -> Iterator[str]:
    """Every use of a world's internals in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aliases = _Aliases(tree, makers)
    for node in ast.walk(tree):
        touch = _read_touch(node)
        if touch is not None and _is_inside(touch[1]) and aliases.is_world(touch[0]):
            place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            owner = ast.unparse(touch[0])
            yield f"{place}: {owner}.{touch[1]} is for poise.world alone. Use World.state or a percept"


def find_named_functions(folder: Path) -> Iterator[str]:
    """Every error below a folder that names a function instead of what its reader knows."""
    trees = {p: ast.parse(p.read_text(encoding="utf-8")) for p in sorted(folder.rglob("*.py"))}
    known = error_places.learn(trees)
    for path, tree in trees.items():
        for line, name in error_places.find_internal_places(tree, known):
            place = f"{path.relative_to(ROOT)}:{line}"
            yield f"{place}: the error names the function {name}. Name the option, file or argument"


def list_files() -> list[Path]:
    """All files to which the rule applies."""
    files = [p for p in (ROOT / "src" / "poise").rglob("*.py") if "world" not in p.relative_to(ROOT).parts[2:3]]
    return sorted([*files, *(ROOT / "tools").glob("*.py"), *(ROOT / "examples").glob("*.py")])


def main() -> int:
    files = list_files()
    makers = find_makers(ast.parse(p.read_text(encoding="utf-8")) for p in files)
    found = [line for path in files for line in find_touches(path, makers)]
    print("\n".join(found) or f"{len(files)} files do not touch a world's internals.")
    named = list(find_named_functions(ROOT / "src" / "poise"))
    print("\n".join(named) or "No error names a function.")
    return 1 if found or named else 0


if __name__ == "__main__":
    sys.exit(main())
