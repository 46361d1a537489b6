"""What callers hand in, made ready for C: each function names the argument, what it wants and what came."""

from __future__ import annotations

import operator
import os
from typing import Any, Callable, Optional

from .errors import InvalidArgumentError


def _kind(value: Any) -> str:
    return type(value).__name__


def unicode(value: str, name: str) -> bytes:
    """As UTF-8; the surrogates that Python uses for bytes that are no text have no such form."""
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"{name}: {value[error.start : error.end]!r} is no Unicode text") from None


def text(value: Any, name: str) -> bytes:
    """A str as UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: want a str, got {_kind(value)}")
    data = unicode(value, name)
    if b"\0" in data:
        raise InvalidArgumentError(f"{name}: a NUL character can't be part of it")
    return data


def optional_text(value: Any, name: str) -> Optional[bytes]:
    return None if value is None else text(value, name)


def path(value: Any, name: str) -> bytes:
    """A str or a `pathlib.Path` as the system spells it."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}: want a path (str or pathlib.Path), got {_kind(value)}")
    data = os.fsencode(value)
    if b"\0" in data:
        raise InvalidArgumentError(f"{name}: a NUL character can't be part of a path")
    return data


def integer(value: Any, name: str, least: int = 0, most: int = 2**63 - 1) -> int:
    """An int or what is one in NumPy."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: want an int, got {_kind(value)}") from None
    if not least <= number <= most:
        raise InvalidArgumentError(f"{name}: want {least} to {most}, got {number}")
    return number


def function(value: Any, name: str) -> Callable[..., Any]:
    if not callable(value):
        raise TypeError(f"{name}: want a function, got {_kind(value)}")
    return value
