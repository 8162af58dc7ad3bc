"""Write `constraints.txt`: the versions and hashes of all packages that a release is tested with.

`pip install --require-hashes -r constraints.txt` then installs exactly these files from pip's configured index; the
file names none. The hashes are those of the wheels for the Python and the platform that ran this.

    python tools/constraints.py [FILE]
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = "studio,video,gym,cluster"


def resolve() -> list[Mapping[str, Any]]:
    """The packages that pip would install into an empty environment, as in its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        subprocess.run([*command, "--report", str(report), f"{ROOT}[{EXTRAS}]"], check=True)
        found: list[Mapping[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return found


def format_lines(items: Iterable[Mapping[str, Any]]) -> list[str]:
    """One requirement with its hash per package, sorted by name, without Poise itself."""
    lines = []
    for item in items:
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        if name == "poise":
            continue
        hashes = item["download_info"].get("archive_info", {}).get("hashes", {})
        if "sha256" not in hashes:
            raise SystemExit(f"constraints: pip reports no SHA-256 for {name} {version}.")
        lines.append(f"{name.lower().replace('_', '-')}=={version} --hash=sha256:{hashes['sha256']}")
    return sorted(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Write versions and hashes of all packages that a release is tested with"
    )
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "constraints.txt")
    path = parser.parse_args().file
    python = ".".join(platform.python_version_tuple()[:2])
    head = [
        f"# Made by tools/constraints.py with CPython {python} on {platform.system()} {platform.machine()}:",
        "# the hashes are those of the files for this Python and platform.",
    ]
    path.write_text("\n".join([*head, *format_lines(resolve())]) + "\n", encoding="utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
