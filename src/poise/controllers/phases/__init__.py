"""Phases: a sequence of target poses with virtual forces and linear balance feedback [Ha15 §7.4.1]."""
