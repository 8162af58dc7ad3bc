"""The five calls into MuJoCo that the loop makes, each in two forms: compiled by C symbol, and plain Python.

The compiled form holds no Python object, so the loop runs without the GIL and its cached code survives a restart.
Symbols are registered when this module is imported, before any cached kernel can load, in every process.
"""

from __future__ import annotations

import ctypes
import weakref
from pathlib import Path

import mujoco
import numpy as np
from llvmlite import binding
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from poise.errors import PoiseError
from poise.kernels.jit import JIT_ENABLED, kernel

_SYMBOLS = ("mj_step1", "mj_step2", "mj_contactForce")

#: For the plain Python form: the bindings' objects by the address of their C structures.
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
    """MuJoCo would write its warnings to a file in the user's folder; `World` reads their counters instead."""


def _register_symbols(library: ctypes.CDLL) -> None:
    for name in _SYMBOLS:
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        assert address is not None
        binding.add_symbol(name, address)


def addresses(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """(model, data) as the loop passes them on."""
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

    @intrinsic
    def _as_pointer(typingctx, address):
        """An integer address as a pointer that `carray` takes."""

        def codegen(context, builder, signature, args):
            return builder.inttoptr(args[0], cgutils.voidptr_t)

        return types.voidptr(types.int64), codegen

    @kernel
    def step1(at):
        """Everything that depends on positions and velocities."""
        _mj_step1(at[0], at[1])

    @kernel
    def step2(at):
        """Forces, contacts' solution, and the integration."""
        _mj_step2(at[0], at[1])

    @kernel
    def contact_count(at, offsets):
        return carray(_as_pointer(at[1] + offsets[0]), 1, np.int32)[0]

    @kernel
    def read_contact(at, offsets, index, geoms, row):
        """Writes the two geoms of a contact and row = position (3), frame (9), force and torque in the frame (6)."""
        base = carray(_as_pointer(at[1] + offsets[1]), 1, np.int64)[0] + index * offsets[2]
        position = carray(_as_pointer(base + offsets[3]), 3, np.float64)
        frame = carray(_as_pointer(base + offsets[4]), 9, np.float64)
        pair = carray(_as_pointer(base + offsets[5]), 2, np.int32)
        geoms[0], geoms[1] = pair[0], pair[1]
        for k in range(3):
            row[k] = position[k]
        for k in range(9):
            row[3 + k] = frame[k]
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
