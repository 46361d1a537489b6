"""DLPack capsules: how tensors go between Python libraries without a copy (https://dmlc.github.io/dlpack)."""

from __future__ import annotations

import ctypes
from typing import Any

from ._ffi import ffi, runtime
from .errors import check

_NAME = b"dltensor"
_USED = b"used_dltensor"
_py = ctypes.pythonapi
_py.PyCapsule_GetPointer.restype = ctypes.c_void_p
_py.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_py.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_py.PyCapsule_New.restype = ctypes.py_object
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_py.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _Destructor]


class _Managed(ctypes.Structure):
    """DLManagedTensor as far as its deleter: a DLTensor of 48 bytes and the owner's pointer stand before it."""

    _fields_ = [("tensor", ctypes.c_byte * 48), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


# These two take the capsule as a bare address: in a destructor its reference count is zero already.
_IsValid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _py))
_Pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _py))


@_Destructor
def _drop(capsule: int) -> None:
    """Nobody took what the capsule holds (a taker renames it): give it back."""
    if _IsValid(capsule, _NAME):
        address = _Pointer(capsule, _NAME)
        deleter = _Managed.from_address(address).deleter
        if deleter:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(address)


def to_capsule(value: Any) -> Any:
    """An rx_value that is a tensor as a capsule, which keeps it alive."""
    out = ffi.new("struct DLManagedTensor **")
    check(runtime.rx_tensor_to_dlpack(value, out))
    return _py.PyCapsule_New(int(ffi.cast("uintptr_t", out[0])), _NAME, _drop)


def from_capsule(capsule: Any) -> Any:
    """A new rx_value over the tensor in a capsule, which is used up."""
    address = _py.PyCapsule_GetPointer(capsule, _NAME)
    out = ffi.new("rx_value **")
    check(runtime.rx_tensor_from_dlpack(ffi.cast("struct DLManagedTensor *", address), out), "a tensor that DLPack can't hand over")
    _py.PyCapsule_SetName(capsule, _USED)
    return out[0]
