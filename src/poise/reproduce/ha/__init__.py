"""Experiments about a source: CMA-C and parameterised skills [Ha15]."""
