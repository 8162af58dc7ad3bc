"""The studio: a page in the browser on which a character walks, and people run, push, tune and rewind it.

`simulation` and `engine` hold what happens and know no page; `server` finds a port and starts; the rest is the page,
drawn with NiceGUI and three.js (`web`). NiceGUI is imported only when something is served.
"""

from poise.studio.server import serve

__all__ = ["serve"]
