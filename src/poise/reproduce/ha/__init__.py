"""Experiments on CMA-C and parameterised skills [Ha15]."""
