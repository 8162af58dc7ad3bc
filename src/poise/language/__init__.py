"""The front end of the controller language [Firmin15 §3]: what scripts, environments and saved states say.

`load` reads a file with all that it includes, `check` reports what is wrong or odd in it, and `write` formats it.
Nothing here runs: `poise.controllers.script` compiles a program to tables that one law interprets.
"""
