"""The controller language of [Firmin15 §3]: scripts of phases, actions and transitions, read, checked and compiled.

`load` reads a file with all that it includes, `check` says what is wrong or odd in it, `write` writes it in its
canonical form, and `build` compiles it to tables which one law interprets.
"""
