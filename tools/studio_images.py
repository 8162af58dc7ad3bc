"""Take the pictures of the studio in docs/images with a real browser.

    python tools/studio_images.py

Needs Chromium, as the browser tests do. Each picture is taken at a fixed simulated time.
"""

from __future__ import annotations

import io
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SCRIPTS = ROOT / "src" / "poise" / "library" / "scripts"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SERVE = "from poise.studio import serve; serve({controller!r}, port=0, open_browser=False)"
#: The first start waits for the compiler, and drawing in software is slow.
PATIENCE_MS = 300_000
#: Time for the browser to draw what has been set.
SETTLE_MS = 8000


@contextmanager
def run_studio(controller: str, folder: Path) -> Iterator[str]:
    """The address of a studio in a separate process."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", SERVE.format(controller=controller)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
    )
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    try:
        while line := lines.get(timeout=PATIENCE_MS / 1000.0):
            if line.startswith("Poise studio: "):
                yield line.split()[2]
                return
        raise RuntimeError("the studio did not start")
    finally:
        process.terminate()
        process.wait(20)


class Page:
    """A page of the studio at high quality, paused at its start."""

    def __init__(self, browser: Any, url: str, width: int, height: int) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": height})
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.goto(url.replace("?", "?quality=high&"))
        self.wait("find('state')?.innerText === 'on its feet'")
        self.click("run")
        self.wait("find('state').innerText.startsWith('paused')")
        self.click("restart")
        self.wait("find('time').innerText === '0.00 s'")

    def wait(self, condition: str) -> None:
        find = 'const find = (id) => document.querySelector(`[data-testid="${id}"]`)'
        self.page.wait_for_function(f"() => {{ {find}; return {condition}; }}")

    def click(self, test_id: str) -> None:
        self.page.locator(f'[data-testid="{test_id}"]').click()

    def step_to(self, time_s: float) -> None:
        self.page.evaluate("document.activeElement.blur()")
        now_s = float(self.page.locator('[data-testid="time"]').inner_text().split()[0])
        for _ in range(round((time_s - now_s) / 0.01)):
            self.page.keyboard.press(".")
        self.wait(f"find('time').innerText === '{time_s:.2f} s'")

    def save(self, name: str) -> None:
        self.page.mouse.move(400, 400)
        self.page.wait_for_timeout(SETTLE_MS)
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        picture.quantize(256).save(IMAGES / name, optimize=True)
        print(f"wrote {(IMAGES / name).relative_to(ROOT)}", flush=True)


def picture_walker(browser: Any, folder: Path) -> None:
    """A walker with a style of its own, turning left."""
    with run_studio("walker/walk", folder) as url:
        page = Page(browser, url, 1280, 800)
        page.click("fold-curves")
        page.click("edit-style")
        page.wait("find('knob-style').innerText.includes('own')")
        dot = page.page.locator("[data-testid=curve] [data-point='2'] .dot")
        dot.scroll_into_view_if_needed()
        page.page.wait_for_timeout(SETTLE_MS)
        box = dot.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.page.mouse.move(x, y - 20, steps=4)
        page.page.mouse.up()
        page.page.locator(".poise-panel").evaluate("panel => panel.scrollTo(0, 0)")
        page.step_to(1.0)
        for _ in range(2):
            page.page.keyboard.press("ArrowLeft")
        page.step_to(2.5)
        page.save("studio.png")


def picture_script(browser: Any, folder: Path) -> None:
    """A script whose phase in view has just been edited."""
    for name in ("walk.ctl", "_gait.ctl"):
        shutil.copy(SCRIPTS / name, folder / name)
    with run_studio("walk.ctl", folder) as url:
        page = Page(browser, url, 1400, 820)
        page.step_to(2.62)
        page.page.locator("[data-testid=since]").get_by_text("phase in view", exact=True).click()
        page.page.evaluate(
            """() => {
                const { view } = document.querySelector(".poise-editor").editor;
                const text = view.state.doc.toString();
                const from = text.indexOf("-.4", text.indexOf("PHASE 1"));
                view.dispatch({ changes: { from, to: from + 3, insert: "-.9" } });
            }"""
        )
        page.wait("find('script-status').innerText.includes('runs from')")
        page.save("studio-script.png")


def main() -> None:
    executable = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if executable is None:
        sys.exit(f"no browser here: none of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=executable, args=OPTIONS)
        picture_walker(browser, Path(folder))
        picture_script(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
