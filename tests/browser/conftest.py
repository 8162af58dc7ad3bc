"""One studio, one browser and one tab for all tests of a module.

Everything waits for something to happen, never for a time to pass: machines that draw in software are slow. What is
waited for stays, or passes in slow motion: a page may be drawn as seldom as every few seconds.
"""

import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.tab import COMPILE_MS, MAX_TABS, Tab

pytest.importorskip("nicegui")
sync_api = pytest.importorskip("playwright.sync_api")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_OPTIONS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    # Drawing the page itself through the software renderer of WebGL takes half of the processor time.
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
]
SERVE = "from poise.studio import serve; serve({controller}port=0, open_browser=False, max_tabs={tabs})"


def _find_browser() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser here: none of {', '.join(BROWSERS)}")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    executable = _find_browser()
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=BROWSER_OPTIONS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the studio of a module runs, and writes what it is asked to write."""
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="module")
def studio(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """The address of a studio in a process of its own, with the CONTROLLER of the module if it names one."""
    controller = getattr(request.module, "CONTROLLER", None)
    serve = SERVE.format(controller=f"{controller!r}, " if controller else "", tabs=MAX_TABS)
    # NiceGUI behaves differently where it believes that it is being tested.
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", serve],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=env,
    )
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read_lines, args=(process, lines), daemon=True).start()
    try:
        yield _await_address(lines)
        assert process.poll() is None, "the studio died"
    finally:
        process.terminate()
        process.wait(timeout=20)
    left = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert left <= getattr(request.module, "FILES", set()), "the studio left files behind"


def _read_lines(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def _await_address(lines: "queue.SimpleQueue[str]") -> str:
    said = []
    while line := lines.get(timeout=COMPILE_MS / 1000):
        said.append(line)
        if line.startswith("Poise studio: "):
            return line.split()[2]
    raise AssertionError(f"the studio did not start: {''.join(said)}")


@pytest.fixture(scope="module")
def shared_tab(browser: Any, studio: str) -> Iterator[Tab]:
    tab = Tab.open(browser, studio)
    yield tab
    tab.close()


@pytest.fixture
def tab(shared_tab: Tab) -> Iterator[Tab]:
    """The tab that most tests share, put back to how it was opened: opening one takes far longer."""
    shared_tab.begin_again()
    yield shared_tab
    assert shared_tab.take_errors() == []
