"""Building blocks of laws: compiled functions of floats and arrays, independent of characters, files and MuJoCo."""

from poise.kernels.jit import JIT_ENABLED, inlined, kernel, law

__all__ = ["JIT_ENABLED", "inlined", "kernel", "law"]
