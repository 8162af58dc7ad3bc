"""Combining skills of the controller language: learned transitions [Firmin15 §4] and the skill graph.

A skill is a script. `skill` describes it and when it may be left; `unroll`, `unknowns`, `goal` and `learn` create
scripts that lead from one skill to another; `graph`, `basin` and `wander` use them.
"""
