"""The front end of the controller language [Firmin15 §3]: reads scripts, environments and saved states.

`load` reads a file with its includes, `check` reports errors and warnings in it, and `write` formats it. Nothing here
runs: `poise.controllers.script` compiles a program to tables that one law interprets.
"""
