"""Experiments on the controller language, its skills and learned transitions [Firmin15]."""
