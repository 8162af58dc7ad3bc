"""The web server of the studio: NiceGUI inside our own application, behind the guard."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui
from uvicorn import Config, Server

from poise.studio.guard import Guard, Key
from poise.studio.log_text import escape_logs
from poise.studio.page import open_page
from poise.studio.scenario import Scenario
from poise.studio.tabs import Tabs
from poise.studio.workspace import Workspace

#: A browser silent for about this long is considered gone; a busy one may take a while to answer.
STALL_S = 20.0
#: A page that reconnects within this time continues as it is. Later it is built again, over the same world.
PAGE_S = 30.0
#: How often worlds without a page are looked at.
SWEEP_EVERY_S = 1.0

FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="17" cy="5" r="4" fill="#4a5462"/>
<path d="M17 10v9" stroke="#4a5462" stroke-width="5" stroke-linecap="round"/>
<path d="M17 19l6 5 1 6" fill="none" stroke="#e4704a" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
<path d="M17 19l-4 6-7 3" fill="none" stroke="#3d7cc0" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
</svg>"""


def make_server(tabs: Tabs, scenario: Scenario, workspace: Workspace, key: Key) -> Server:
    """A server that is ready to run: `/` is the studio, `/tabs` the number of worlds and of those that are shown."""

    @ui.page("/", title="Poise studio", favicon=FAVICON, reconnect_timeout=min(PAGE_S, tabs.keep_s))
    async def studio() -> None:
        await open_page(tabs, scenario, workspace)

    @nicegui_app.get("/tabs")
    def count_tabs() -> dict[str, int]:
        return {"open": tabs.present, "kept": len(tabs), "limit": tabs.limit}

    async def sweep() -> None:
        while True:
            tabs.sweep()
            await asyncio.sleep(SWEEP_EVERY_S)

    nicegui_app.on_startup(sweep)

    host = FastAPI(openapi_url=None)
    ui.run_with(
        host,
        title="Poise studio",
        reconnect_timeout=STALL_S,
        # Everything is local: another request is cheap, a stale copy after an update is not.
        cache_control_directives="no-cache",
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    escape_logs()
    config = Config(
        Guard(host, key),
        log_level="warning",
        # The address of a first visit holds the secret.
        access_log=False,
        ws="wsproto",
        # No proxy sits between the server and the browser: forwarded headers are not trusted.
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return Server(config)
