"""Run the tests with every available Python, with the oldest and the newest packages that `pyproject.toml` allows.

    python tools/test_matrix.py [--python 3.11] [--only oldest] [arguments of pytest]

Oldest means the last release of the first allowed series: `numpy>=2.2` becomes `numpy==2.2.*`. Every combination has
its own environment in `build/matrix`. Unavailable combinations (no such Python, no wheels for it) are skipped with the
reason. Exits with 1 if tests fail.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
KINDS = ("oldest", "newest")
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?>=([0-9.]+)")


@dataclass(frozen=True)
class Outcome:
    """One line of the table."""

    python: str
    kind: str
    result: str
    detail: str


def find_python(wanted: str) -> str | None:
    """A working interpreter of this version with venv: on the path, or from pyenv."""
    candidates = [shutil.which(f"python{wanted}"), shutil.which("python3")]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates += [str(p) for p in sorted(pyenv.glob(f"{wanted}.*/bin/python"), reverse=True)]
    script = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    for candidate in candidates:
        if candidate is None:
            continue
        done = subprocess.run([candidate, "-c", script], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.strip() == wanted:
            return candidate
    return None


def list_oldest(requirements: Sequence[str]) -> list[str]:
    """Constraints to the first series that each requirement allows."""
    found = [REQUIREMENT.match(r) for r in requirements]
    return [f"{m[1]}=={m[2]}.*" for m in found if m]


def read_requirements() -> list[str]:
    """Requirements of Poise with all its extras except `dev`: development tools stay at their newest versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *(r for name, part in extras.items() if name != "dev" for r in part)]


def install(python: str, version: str, kind: str) -> tuple[Path, str]:
    """Create a fresh environment; return its interpreter and an error, empty on success."""
    folder = FOLDER / f"{version}-{kind}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    own = folder / "bin" / "python"
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    command = [str(own), "-m", "pip", "install", "--quiet", "--editable", f"{ROOT}[dev]"]
    if kind == "oldest":
        limits = folder / "oldest.txt"
        limits.write_text("\n".join(list_oldest(read_requirements())) + "\n", encoding="utf-8")
        command += ["--constraint", str(limits)]
    done = subprocess.run(command, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return own, "" if done.returncode == 0 else (errors or ["pip failed"])[0]


def try_one(version: str, kind: str, arguments: Sequence[str]) -> Outcome:
    """Install and test one combination."""
    python = find_python(version)
    if python is None:
        return Outcome(version, kind, "skipped", "no such Python here")
    own, fault = install(python, version, kind)
    if fault:
        return Outcome(version, kind, "skipped", fault)
    done = subprocess.run([str(own), "-m", "pytest", "-q", *arguments], cwd=ROOT, capture_output=True, text=True)
    lines = done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or ["no output"]
    if done.returncode:
        (FOLDER / f"{version}-{kind}.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    return Outcome(version, kind, "failed" if done.returncode else "passed", lines[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the tests with every Python and the oldest and newest packages")
    parser.add_argument("--python", choices=PYTHONS, action="append", help="only this version; may be repeated")
    parser.add_argument("--only", choices=KINDS, help="only the oldest or the newest packages")
    chosen, arguments = parser.parse_known_args()
    outcomes = []
    for version in chosen.python or PYTHONS:
        for kind in [chosen.only] if chosen.only else KINDS:
            outcomes.append(try_one(version, kind, arguments))
            print(f"{version:8}{kind:10}{outcomes[-1].result:10}{outcomes[-1].detail}", flush=True)
    return int(any(o.result == "failed" for o in outcomes))


if __name__ == "__main__":
    sys.exit(main())
