"""Open and close many tabs of a studio, and measure what they leave behind.

    python tools/studio_tabs.py --tabs 200

Starts a studio in a separate process and talks to it like a browser: the page, its cookie, the websocket, and the view
that reports when it is ready. Prints the resident memory before, during and after, and the numbers of remaining
engines, pages, clients and threads.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
import uuid
from typing import Any

import aiohttp
import socketio  # type: ignore[import-untyped]

#: Code of the studio's process: it answers every line on its standard input with a count.
SERVE = """
import collections, gc, json, sys, threading
from poise.studio import serve

NAMES = ("Engine", "Simulation", "World", "StudioPage", "Client", "Tabs", "AsyncSocket")

def count():
    for _ in sys.stdin:
        gc.collect()
        kinds = collections.Counter(type(o).__name__ for o in gc.get_objects())
        status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
        counts = {name: kinds[name] for name in NAMES}
        counts["threads"] = sum(t.name == "poise-engine" for t in threading.enumerate())
        counts["rss_mb"] = round(int(status["VmRSS"].split()[0]) / 1024, 1)
        print("count:", json.dumps(counts), flush=True)

threading.Thread(target=count, daemon=True).start()
serve(%(controller)r, port=0, open_browser=False, max_tabs=%(limit)d, keep_s=%(keep)g)
"""
#: The first tab waits for the compiler.
PATIENCE_S = 300.0
LIMIT = 4


class Studio:
    """A studio in a separate process."""

    def __init__(self, controller: str, keep_s: float) -> None:
        code = SERVE % {"controller": controller, "limit": LIMIT, "keep": keep_s}
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.url = self._await("Poise studio: ").split()[0]

    def _await(self, start: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(start):
                return line.removeprefix(start)
        raise RuntimeError("the studio has ended")

    def count(self) -> dict[str, Any]:
        """Resident memory, and the number of objects of each kind that a tab creates."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        counts: dict[str, Any] = json.loads(self._await("count: "))
        return counts

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


async def visit(url: str, stay_s: float) -> int:
    """Open one tab, stay for a while, and close it; return the number of poses received."""
    poses = 0
    ready = asyncio.Event()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        # Sets the cookie; the page itself is fetched below.
        async with session.get(url) as answer:
            answer.raise_for_status()
        base = url.partition("?")[0].rstrip("/")
        async with session.get(base) as answer:
            answer.raise_for_status()
            text = await answer.text()
        found = re.search(r"'client_id': '([-0-9a-f]+)', 'next_message_id': (\d+)", text)
        assert found is not None, "the page names no client"
        client_id, first = found[1], found[2]
        socket = socketio.AsyncClient(http_session=session, reconnection=False)

        async def update(elements: dict[str, Any]) -> None:
            for key, element in elements.items():
                for event in element.get("events", []) if isinstance(element, dict) else []:
                    if event["type"] == "ready" and element["tag"].endswith("view"):
                        message = {"id": int(key), "client_id": client_id, "listener_id": event["listener_id"]}
                        await socket.emit("event", {**message, "args": []})

        async def run_method(message: dict[str, Any]) -> None:
            nonlocal poses
            if "show_pose" in json.dumps(message)[:400]:
                poses += 1
                ready.set()

        socket.on("update", update)
        socket.on("run_javascript", run_method)
        query = f"client_id={client_id}&next_message_id={first}&implicit_handshake=true&document_id={uuid.uuid4()}"
        await socket.connect(
            f"{base}?{query}&tab_id={uuid.uuid4()}",
            socketio_path="/_nicegui_ws/socket.io",
            transports=["websocket"],
            wait_timeout=PATIENCE_S,
        )
        await asyncio.wait_for(ready.wait(), PATIENCE_S)
        await asyncio.sleep(stay_s)
        await socket.disconnect()
    return poses


async def visit_many(url: str, tabs: int, at_once: int, stay_s: float) -> None:
    """Open and close tabs, a few at a time."""
    left = iter(range(tabs))

    async def work() -> None:
        for _ in left:
            assert await visit(url, stay_s) > 0

    await asyncio.gather(*(work() for _ in range(at_once)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("controller", nargs="?", default="walker/walk")
    parser.add_argument("--tabs", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=2, help=f"tabs open at the same time, at most {LIMIT}")
    parser.add_argument("--stay", type=float, default=1.0, help="seconds that a tab stays open")
    parser.add_argument("--keep", type=float, default=4.0, help="seconds for which a closed tab's world is kept")
    parser.add_argument("--settle", type=float, default=30.0, help="seconds to wait for the last tab to be released")
    options = parser.parse_args()
    studio = Studio(options.controller, options.keep)
    try:
        print("fresh", json.dumps(studio.count()), flush=True)
        done = 0
        while done < options.tabs:
            part = min(20, options.tabs - done)
            asyncio.run(visit_many(studio.url, part, options.at_once, options.stay))
            done += part
            print(done, json.dumps(studio.count()), flush=True)
        time.sleep(options.settle)
        print("after", json.dumps(studio.count()), flush=True)
    finally:
        studio.close()


if __name__ == "__main__":
    main()
