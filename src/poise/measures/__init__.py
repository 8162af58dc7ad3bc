"""Measures of recorded motion: metrics of runs, measures for searches, windows, signals and failures."""
