"""Experiments about a source: Tracking of recorded motion [Lee10]."""
