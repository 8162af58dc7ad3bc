"""Experiments about a source: The controller language, its skills and learned transitions [Firmin15]."""
