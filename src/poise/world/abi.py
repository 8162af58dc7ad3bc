"""Byte offsets of the fields of MuJoCo's C structures that the compiled loop reads.

MuJoCo's Python package describes every C structure (`mujoco.introspect`). This module lays out `mjData` and `mjContact`
from it by the rules of C, and `contact_offsets` checks the result against the bindings.
"""

from __future__ import annotations

import ctypes
from functools import cache

import mujoco
import numpy as np
from mujoco.introspect import ast_nodes, structs

from poise.errors import PoiseError

_SCALARS: dict[str, type] = {
    "mjtNum": ctypes.c_double,
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "mjtByte": ctypes.c_ubyte,
    "mjtBool": ctypes.c_bool,
    "mjtSize": ctypes.c_int64,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "uintptr_t": ctypes.c_size_t,
    "char": ctypes.c_char,
}


def _ctype(node: object) -> type:
    if isinstance(node, ast_nodes.PointerType):
        return ctypes.c_void_p
    if isinstance(node, ast_nodes.ArrayType):
        inner = _ctype(node.inner_type)
        for extent in reversed(node.extents):
            inner = inner * extent
        return inner
    name = getattr(node, "name", "")
    if name in _SCALARS:
        return _SCALARS[name]
    if name in structs.STRUCTS:
        return layout(name)
    # Only enumerations are left.
    return ctypes.c_int


@cache
def layout(struct: str) -> type[ctypes.Structure]:
    """The C structure as a ctypes class. An unnamed union is laid out as its largest member."""
    fields = []
    for field in structs.STRUCTS[struct].fields:
        name = getattr(field, "name", "")
        if name and hasattr(field, "type"):
            fields.append((name, _ctype(field.type)))
    return type(struct, (ctypes.Structure,), {"_fields_": fields})


#: Order of the offsets in the array passed to the loop.
OFFSETS = ("ncon", "contact", "contact_size", "pos", "frame", "geom")


def _offset_of(struct: str, field: str) -> int:
    return int(getattr(layout(struct), field).offset)


def _probe_model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"
    )


@cache
def contact_offsets() -> tuple[int, ...]:
    """Byte offsets in the order of `OFFSETS`, checked against the bindings on a small scene."""
    model = _probe_model()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    positions, frames, geoms = data.contact.pos, data.contact.frame, data.contact.geom
    ncon, contact = _offset_of("mjData", "ncon"), _offset_of("mjData", "contact")
    base = ctypes.c_size_t.from_address(data._address + contact).value
    offsets = (
        ncon,
        contact,
        int(positions.strides[0]),
        int(positions.ctypes.data - base),
        int(frames.ctypes.data - base),
        int(geoms.ctypes.data - base),
    )
    seen = ctypes.c_int.from_address(data._address + ncon).value
    if seen != data.ncon or not all(0 <= o < offsets[2] for o in offsets[3:]) or geoms.dtype != np.int32:
        raise PoiseError(
            f"MuJoCo {mujoco.__version__}: its data layout does not match its own description. "
            "Poise needs MuJoCo 4; install a 4.x release, or run with NUMBA_DISABLE_JIT=1."
        )
    return offsets
