"""How fast this machine simulates, as ratios wherever a ratio says more than a time."""

from poise.benchmarks.report import format_report, make_rows, run_benchmarks

__all__ = ["format_report", "make_rows", "run_benchmarks"]
