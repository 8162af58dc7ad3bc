"""The web server of the studio: NiceGUI inside an application of our own, for pages from this machine only."""

from __future__ import annotations

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.middleware.trustedhost import TrustedHostMiddleware
from uvicorn import Config, Server

from poise.studio.page import open_page
from poise.studio.simulation import Scenario
from poise.studio.tabs import Tabs

#: A browser that is silent for about this long is gone; one that is merely busy may take a while to answer.
STALL_S = 20.0

FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="17" cy="5" r="4" fill="#4a5462"/>
<path d="M17 10v9" stroke="#4a5462" stroke-width="5" stroke-linecap="round"/>
<path d="M17 19l6 5 1 6" fill="none" stroke="#e4704a" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
<path d="M17 19l-4 6-7 3" fill="none" stroke="#3d7cc0" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
</svg>"""


def make_server(tabs: Tabs, scenario: Scenario) -> Server:
    """A server that is ready to run: `/` is the studio, `/tabs` tells how many worlds there are."""

    @ui.page("/", title="Poise studio", favicon=FAVICON)
    async def studio() -> None:
        await open_page(tabs, scenario)

    @nicegui_app.get("/tabs")
    def count_tabs() -> dict[str, int]:
        return {"open": len(tabs), "limit": tabs.limit}

    host = FastAPI(openapi_url=None)
    ui.run_with(
        host,
        title="Poise studio",
        reconnect_timeout=STALL_S,
        # Everything comes from this machine: asking anew is cheap, an old copy after an update is not.
        cache_control_directives="no-cache",
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    # A page from elsewhere that points its own name at this address is turned away.
    host.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    return Server(Config(host, log_level="warning", ws="wsproto", timeout_graceful_shutdown=2))
