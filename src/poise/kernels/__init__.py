"""Laws' building blocks: compiled functions of floats and arrays that know nothing of characters, files or MuJoCo."""

from poise.kernels.jit import JIT_ENABLED, inlined, kernel, law

__all__ = ["JIT_ENABLED", "inlined", "kernel", "law"]
