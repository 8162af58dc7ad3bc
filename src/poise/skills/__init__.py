"""Skills of the controller language put together: transitions that are learned [Firmin15 §4], and the graph of skills.

A skill is a script. `skill` says how it goes and when it may be left, `unroll`, `unknowns`, `goal` and `learn` make new
scripts that lead from one skill to another, `graph`, `basin` and `wander` use them.
"""
