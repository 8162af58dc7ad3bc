"""The commands: parse, call, print. What a run is and what its figures mean is decided in the rooms below.

Nothing heavy is imported at the top of these modules, so that `poise --help` answers at once: each command fetches
what it needs when it runs.
"""

from poise.cli.app import app, main

__all__ = ["app", "main"]
