"""Phases: target poses one after the other, with virtual forces and linear balance feedback [Ha15 §7.4.1]."""
