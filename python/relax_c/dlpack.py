"""DLPack capsules: how tensors go between Python libraries without a copy (https://dmlc.github.io/dlpack)."""

from __future__ import annotations

import ctypes
from typing import Any

from ._ffi import ffi, runtime
from .errors import check

_py = ctypes.pythonapi
_py.PyCapsule_GetPointer.restype = ctypes.c_void_p
_py.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_py.PyCapsule_GetName.restype = ctypes.c_char_p
_py.PyCapsule_GetName.argtypes = [ctypes.py_object]
_py.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_py.PyCapsule_New.restype = ctypes.py_object
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_py.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _Destructor]


class _Managed(ctypes.Structure):
    """DLManagedTensor (0.x) as far as its deleter: a DLTensor of 48 bytes and the owner's pointer stand before it."""

    name, used = b"dltensor", b"used_dltensor"
    _fields_ = [("tensor", ctypes.c_byte * 48), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned (1.x) as far as its deleter."""

    name, used = b"dltensor_versioned", b"used_dltensor_versioned"
    _fields_ = [("version", ctypes.c_uint32 * 2), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


# These two take the capsule as a bare address: in a destructor its reference count is zero already.
_IsValid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _py))
_Pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _py))


@_Destructor
def _drop(capsule: int) -> None:
    """Nobody took what the capsule holds (a taker renames it): give it back."""
    for kind in (_Managed, _Versioned):
        if _IsValid(capsule, kind.name):
            address = _Pointer(capsule, kind.name)
            deleter = kind.from_address(address).deleter
            if deleter:
                ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(address)


def to_capsule(value: Any, versioned: bool) -> Any:
    """An rx_value that is a tensor as a capsule, which keeps it alive. UnsupportedError: read-only, and not versioned."""
    if versioned:
        new = ffi.new("struct DLManagedTensorVersioned **")
        check(runtime.rx_tensor_to_dlpack_versioned(value, new))
        return _py.PyCapsule_New(int(ffi.cast("uintptr_t", new[0])), _Versioned.name, _drop)
    old = ffi.new("struct DLManagedTensor **")
    check(runtime.rx_tensor_to_dlpack(value, old))
    return _py.PyCapsule_New(int(ffi.cast("uintptr_t", old[0])), _Managed.name, _drop)


def capsule_of(data: Any) -> Any:
    """What `data.__dlpack__` hands over: versioned if it knows such, since only those can be read-only."""
    try:
        return data.__dlpack__(max_version=(1, 1))
    except (TypeError, BufferError):
        return data.__dlpack__()


def from_capsule(capsule: Any) -> Any:
    """A new rx_value over the tensor in a capsule, which is used up."""
    out = ffi.new("rx_value **")
    versioned = _py.PyCapsule_GetName(capsule) == _Versioned.name
    kind = _Versioned if versioned else _Managed
    address = _py.PyCapsule_GetPointer(capsule, kind.name)
    if versioned:
        status = runtime.rx_tensor_from_dlpack_versioned(ffi.cast("struct DLManagedTensorVersioned *", address), out)
    else:
        status = runtime.rx_tensor_from_dlpack(ffi.cast("struct DLManagedTensor *", address), out)
    check(status, "a tensor that DLPack can't hand over")
    _py.PyCapsule_SetName(capsule, kind.used)
    return out[0]
