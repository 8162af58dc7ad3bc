"""Controllers written in Python: files that define `build(character)`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from poise.characters.model import Character
from poise.errors import FileFormatError, PoiseError
from poise.trust import check_python, running_code
from poise.world.controller import Controller


def load_python(path: Path) -> Any:
    """Import a Python file as a module, registered so that its law can be pickled and cached."""
    check_python(path)
    name = f"poise_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with running_code():
            spec.loader.exec_module(module)
    except PoiseError:
        raise
    except Exception as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise FileFormatError(f"cannot be run: {type(error).__name__}: {error}.", path=path, line=line) from error
    return module


def build_from_python(path: Path, character: Character) -> Controller:
    """The controller that `build(character)` of a Python file returns."""
    build = getattr(load_python(path), "build", None)
    if not callable(build):
        raise FileFormatError("must define build(character), which returns a Controller.", path=path)
    try:
        with running_code():
            controller = build(character)
    except PoiseError:
        raise
    except Exception as error:
        raise FileFormatError(f"build(character) failed: {type(error).__name__}: {error}", path=path) from error
    if not isinstance(controller, Controller):
        raise FileFormatError(f"build(character) must return a Controller, got {type(controller).__name__}.", path=path)
    return controller
