"""The loop's calls into MuJoCo, each in two forms: compiled by C symbol, and plain Python.

The compiled form holds no Python objects: the loop runs without the GIL and its cached code survives a restart.
Symbols are registered on import of this module, in every process, before any cached kernel can load.
"""

from __future__ import annotations

import ctypes
import weakref
from pathlib import Path

import mujoco
import numpy as np
from llvmlite import binding
from numba import types
from numba.extending import intrinsic

from poise.errors import PoiseError
from poise.kernels.jit import JIT_ENABLED, inlined, law

_SYMBOLS = ("mj_step1", "mj_step2", "mj_contactForce")

#: For the plain Python form: the bindings' objects by the addresses of their C structures.
_MODELS: weakref.WeakValueDictionary[int, mujoco.MjModel] = weakref.WeakValueDictionary()
_DATAS: weakref.WeakValueDictionary[int, mujoco.MjData] = weakref.WeakValueDictionary()


def _open_library() -> ctypes.CDLL:
    folder = Path(mujoco.__file__).parent
    libraries = sorted([*folder.glob("libmujoco*.so*"), *folder.glob("libmujoco*.dylib"), *folder.glob("mujoco.dll")])
    if not libraries:
        raise PoiseError(f"MuJoCo {mujoco.__version__}: its library was not found beside its Python package.")
    return ctypes.CDLL(str(libraries[0]))


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)
def _ignore(message: bytes) -> None:
    """Ignores a warning. MuJoCo would write it to a file in the current folder; `World` reads the counters instead."""


def _register_symbols(library: ctypes.CDLL) -> None:
    for name in _SYMBOLS:
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        assert address is not None
        binding.add_symbol(name, address)
    # MuJoCo times every stage of a step, which takes an eighth of a planar step, and nobody reads the times.
    ctypes.c_void_p.in_dll(library, "mjcb_time").value = None


def addresses(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Addresses of (model, data), as the loop takes them."""
    if not JIT_ENABLED:
        _MODELS[model._address] = model
        _DATAS[data._address] = data
    return np.array([model._address, data._address], dtype=np.int64)


_LIBRARY = _open_library()
ctypes.c_void_p.in_dll(_LIBRARY, "mju_user_warning").value = ctypes.cast(_ignore, ctypes.c_void_p).value

if JIT_ENABLED:
    _register_symbols(_LIBRARY)
    _mj_step1 = types.ExternalFunction("mj_step1", types.void(types.intp, types.intp))
    _mj_step2 = types.ExternalFunction("mj_step2", types.void(types.intp, types.intp))
    _mj_contact_force = types.ExternalFunction(
        "mj_contactForce", types.void(types.intp, types.intp, types.int32, types.CPointer(types.float64))
    )

    def _make_load(kind):
        """A compiled function that reads one number of a type from an address."""

        @intrinsic
        def load(typingctx, address):
            def codegen(context, builder, signature, args):
                pointer = builder.inttoptr(args[0], context.get_value_type(kind).as_pointer())
                return builder.load(pointer)

            return kind(types.int64), codegen

        return load

    _load_int32, _load_int64, _load_float64 = (_make_load(k) for k in (types.int32, types.int64, types.float64))

    @law
    def step1(at):
        """Computes everything that depends on positions and velocities."""
        _mj_step1(at[0], at[1])

    @law
    def step2(at):
        """Computes forces, solves contacts and integrates."""
        _mj_step2(at[0], at[1])

    @inlined
    def contact_count(at, offsets):
        return _load_int32(at[1] + offsets[0])

    @inlined
    def read_contact(at, offsets, index, geoms, row):
        """Writes the two geoms of a contact and row = position (3), frame (9), force and torque in the frame (6)."""
        base = _load_int64(at[1] + offsets[1]) + index * offsets[2]
        for k in range(3):
            row[k] = _load_float64(base + offsets[3] + 8 * k)
        for k in range(9):
            row[3 + k] = _load_float64(base + offsets[4] + 8 * k)
        for k in range(2):
            geoms[k] = _load_int32(base + offsets[5] + 4 * k)
        _mj_contact_force(at[0], at[1], np.int32(index), row[12:].ctypes)

else:

    def step1(at: np.ndarray) -> None:
        mujoco.mj_step1(_MODELS[int(at[0])], _DATAS[int(at[1])])

    def step2(at: np.ndarray) -> None:
        mujoco.mj_step2(_MODELS[int(at[0])], _DATAS[int(at[1])])

    def contact_count(at: np.ndarray, offsets: np.ndarray) -> int:
        return int(_DATAS[int(at[1])].ncon)

    def read_contact(at: np.ndarray, offsets: np.ndarray, index: int, geoms: np.ndarray, row: np.ndarray) -> None:
        model, data = _MODELS[int(at[0])], _DATAS[int(at[1])]
        contact = data.contact[index]
        geoms[:] = contact.geom
        row[0:3] = contact.pos
        row[3:12] = contact.frame
        mujoco.mj_contactForce(model, data, index, row[12:18])
