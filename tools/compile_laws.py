"""Compile the control loop with every law that we ship, so that later runs load it from the cache.

    python tools/compile_laws.py
    python tools/compile_laws.py --backwards    # from the last law to the first

`make test` runs this in parallel with the linters, and then a second one in the opposite order. Without it, every test
process would compile the same functions itself.
"""

from __future__ import annotations

import sys

from poise import Scene
from poise.controllers.catalog import controller_names, read_controller_file


def choose_controllers() -> list[str]:
    """The first shipped controller of each method."""
    chosen: dict[str, str] = {}
    for name in controller_names():
        chosen.setdefault(read_controller_file(name).method, name)
    return list(chosen.values())


def main() -> None:
    for name in choose_controllers()[:: -1 if "--backwards" in sys.argv else 1]:
        Scene(name).open().step(1)


if __name__ == "__main__":
    main()
