"""Simulation speed of this machine, as ratios where a ratio says more than a time."""

from poise.benchmarks.report import format_report, make_rows, run_benchmarks

__all__ = ["format_report", "make_rows", "run_benchmarks"]
