"""Exceptions: one class per status of the C libraries, with the library's own sentence as the message."""

from __future__ import annotations

from ._ffi import runtime, text


class RelaxError(Exception):
    """Anything that a library of relax refuses. `status` is its name in C, such as "SHAPE_MISMATCH"."""

    status = "INTERNAL"


class InvalidArgumentError(RelaxError, ValueError):
    status = "INVALID_ARGUMENT"


class ShapeMismatchError(InvalidArgumentError):
    """An argument's dtype, rank or dims contradict the signature."""

    status = "SHAPE_MISMATCH"


class OutOfMemoryError(RelaxError, MemoryError):
    status = "OUT_OF_MEMORY"


class NotFoundError(RelaxError, LookupError):
    status = "NOT_FOUND"


class UnsupportedError(RelaxError, NotImplementedError):
    status = "UNSUPPORTED"


class BadFileError(RelaxError):
    status = "BAD_FILE"


class FileAccessError(RelaxError, OSError):
    status = "IO"


class DeviceLostError(RelaxError):
    status = "DEVICE_LOST"


class CancelledError(RelaxError):
    status = "CANCELLED"


class CompileError(InvalidArgumentError):
    """The compiler refuses a text. `diagnostics` has one record per error, warning and note."""

    diagnostics: list


_BY_STATUS = {
    cls.status: cls
    for cls in (
        InvalidArgumentError,
        ShapeMismatchError,
        OutOfMemoryError,
        NotFoundError,
        UnsupportedError,
        BadFileError,
        FileAccessError,
        DeviceLostError,
        CancelledError,
    )
}


def error_of(status: int, message: str) -> RelaxError:
    """The exception for a status other than RX_OK."""
    name = text(runtime.rx_status_name(status))
    return _BY_STATUS.get(name, RelaxError)(message or name)


def check(status: int, message: str = "") -> None:
    if status != runtime.RX_OK:
        raise error_of(status, message)
