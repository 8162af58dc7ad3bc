"""House rules that no other linter knows; `make lint` runs this.

Only `poise.world` touches MuJoCo's model and data, or the arrays that its compiled loop works on. Everybody else uses
`World.state`, percepts and methods of the world.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FORBIDDEN: Final = ("data", "model", "_stage")
#: What a world is called.
WORLDS: Final = ("world", "twin")


def find_touches(path: Path) -> Iterator[str]:
    """Every place in a file where the inside of a world is used."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in FORBIDDEN:
            owner = node.value
            name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
            if name.lstrip("_").rstrip("s") in WORLDS:
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield f"{place}: {name}.{node.attr} is for poise.world alone. Use World.state or a percept"


def main() -> int:
    files = [p for p in (ROOT / "src" / "poise").rglob("*.py") if "world" not in p.relative_to(ROOT).parts[2:3]]
    files += [*(ROOT / "tools").glob("*.py"), *(ROOT / "examples").glob("*.py")]
    found = [line for path in sorted(files) for line in find_touches(path)]
    print("\n".join(found) or f"{len(files)} files keep out of the world's inside.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
