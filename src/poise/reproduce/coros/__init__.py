"""Experiments about a source: SIMBICON and the generalized walker [Coros10]."""
