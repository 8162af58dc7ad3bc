"""Laws' building blocks: compiled functions of floats and arrays that know nothing of characters, files or MuJoCo."""

from poise.kernels.jit import JIT_ENABLED, kernel

__all__ = ["JIT_ENABLED", "kernel"]
