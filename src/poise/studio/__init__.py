"""The studio: a browser page to watch, run, push, tune and rewind a character.

`simulation` and `engine` run the physics and know nothing of the page; `server` finds a port and starts; the rest is
the page, built with NiceGUI and three.js (`web`). NiceGUI is imported only when the studio is served.
"""

from poise.studio.server import serve

__all__ = ["serve"]
