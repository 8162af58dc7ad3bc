"""The commands: parse, call, print. The packages below define what a run is and what its figures mean.

These modules import nothing heavy at the top, which keeps `poise --help` fast: each command imports what it needs when
it runs.
"""

from poise.cli.app import app, main

__all__ = ["app", "main"]
