"""Starts the studio: finds a port on the loopback address, serves the page and prints its address."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from poise.constants import DEFAULT_TIMESTEP_S
from poise.errors import FileFormatError, InputError, PoiseError
from poise.kernels.jit import JIT_ENABLED, cache_folder
from poise.studio.actor import find_script
from poise.studio.engine import Engine
from poise.studio.guard import HOST_NAMES, PAGE, Key
from poise.studio.scenario import Scenario, make_scenario
from poise.studio.simulation import Simulation
from poise.studio.tabs import KEEP_S, MAX_TABS, Tabs
from poise.studio.workspace import open_workspace
from poise.trust import current_trust

if TYPE_CHECKING:
    from uvicorn import Server

HOST: Final = HOST_NAMES[0]
DEFAULT_PORT: Final = 8080
#: Number of ports tried above the wanted one.
PORT_TRIES: Final = 20


def serve(
    controller: str = "walker/walk",
    character: str | None = None,
    *,
    terrain: str | None = None,
    timestep_s: float = DEFAULT_TIMESTEP_S,
    ground: str | None = None,
    folder: str | None = None,
    host: str = HOST,
    port: int = DEFAULT_PORT,
    open_browser: bool = True,
    max_tabs: int = MAX_TABS,
    keep_s: float = KEEP_S,
    ready: Callable[[str], None] | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Run the studio until Ctrl-C. `ready` is called with the address once it answers; port 0 takes any free port.

    Scripts are opened and written only in `folder` (None: the current one) and in the folder of the named script. The
    world of a closed tab is kept for `keep_s`. Wrong names and settings raise before anything is served. A process can
    serve one studio.
    """
    if host not in HOST_NAMES:
        raise InputError(
            "the studio listens on the loopback address only", where="studio", got=host, allowed=f"Allowed: {HOST}"
        )
    pages = _import_pages()
    workspace = open_workspace(controller, folder)
    scenario = make_scenario(controller, character, terrain, timestep_s, ground)
    cold = JIT_ENABLED and not any(cache_folder().rglob("*run_ticks*.nbi"))
    if cold:
        say("Compiling the control loop; this happens once and takes about 40 s …")
    first = _build_first(scenario, say)
    listener = find_port(port)
    actual = int(listener.getsockname()[1])
    if port not in (0, actual):
        say(f"Port {port} is taken; using {actual}.")
    key = Key(actual)
    trust = current_trust()
    tabs = Tabs(lambda: Engine(scenario, trust=trust), max_tabs, keep_s=keep_s)
    server = pages.make_server(tabs, scenario, workspace, key)
    threading.Thread(target=_warm_up, args=(first, cold, say), name="poise-warm-up", daemon=True).start()
    threading.Thread(target=_announce, args=(server, key, open_browser, ready, say), daemon=True).start()
    # Objects made so far live until the end: exclude them from the collections after every tab.
    gc.freeze()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        # Ctrl-C is the normal end of the studio.
        pass
    finally:
        tabs.close_all()
        listener.close()
        gc.unfreeze()
    say("The studio is closed.")


def _build_first(scenario: Scenario, say: Callable[[str], None]) -> Simulation:
    """Build the simulation once to find errors before a browser opens; the page shows a script's own errors."""
    try:
        return Simulation(scenario)
    except FileFormatError as error:
        if find_script(scenario.controller) is None:
            raise
        say(f"{error}\nThe page shows the error. The script runs once it is corrected.")
        return Simulation(scenario, stand_in=True)


def find_port(wanted: int) -> socket.socket:
    """A listening socket on the loopback address, at the wanted port or the next free one above it."""
    if not 0 <= wanted <= 65535:
        raise InputError("port is out of range", where="studio", got=wanted, allowed="Allowed: 0 to 65535")
    last = wanted if wanted == 0 else min(wanted + PORT_TRIES, 65535)
    for port in range(wanted, last + 1):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen(128)
            return listener
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise InputError(f"cannot listen on {HOST}:{port}: {error.strerror}", where="studio") from error
    raise InputError(
        f"no free port from {wanted} to {last}", where="studio", allowed="Choose another with --port, or 0 for any"
    )


def is_remote() -> bool:
    """Whether the command was typed in an SSH session."""
    return bool(os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"))


def can_open_browser() -> bool:
    """Whether a browser would open on the user's own screen."""
    if is_remote():
        return False
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _import_pages() -> Any:
    try:
        from poise.studio import pages
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("nicegui", "fastapi", "uvicorn", "starlette"):
            raise
        raise PoiseError("studio: NiceGUI is not installed. Get it with: pip install poise[studio]") from error
    return pages


def _warm_up(simulation: Simulation, cold: bool, say: Callable[[str], None]) -> None:
    """Compile in the background; the first tab then finds it done or under way."""
    began = time.perf_counter()
    try:
        simulation.prepare()
    except Exception:
        # The tab's own engine meets the same error and shows it.
        return
    if cold:
        say(f"Compiled in {time.perf_counter() - began:.0f} s.")


def _announce(
    server: Server, key: Key, open_browser: bool, ready: Callable[[str], None] | None, say: Callable[[str], None]
) -> None:
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.02)
    say(f"Poise studio: {key.url}  (Ctrl-C ends it)")
    if is_remote():
        say(
            f"From your own machine: run ssh -L {key.port}:{HOST}:{key.port} with this machine's name, "
            "then open the address there."
        )
    if ready is not None:
        ready(key.url)
    if open_browser and can_open_browser():
        open_in_browser(key)


def open_in_browser(key: Key) -> None:
    """Open the page through a private file that redirects to it, which keeps the secret out of the process list."""
    with tempfile.NamedTemporaryFile(  # readable by its owner only
        "w", encoding="utf-8", prefix="poise-studio-", suffix=".html", delete=False
    ) as file:
        address = escape(key.url)
        head = f'<meta http-equiv="refresh" content="0; url={address}"><meta name="referrer" content="no-referrer">'
        file.write(PAGE.format(head=head, body=f'<a href="{address}">Poise studio</a>'))
    atexit.register(Path(file.name).unlink, missing_ok=True)
    webbrowser.open(Path(file.name).as_uri())
