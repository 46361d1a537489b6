"""Numbers of Python, nested in lists or not, as the elements of a tensor."""

from __future__ import annotations

import math
import operator
import struct
from typing import Any, List, Optional, Tuple, Union

from .errors import InvalidArgumentError, UnsupportedError

_MOST_DIMS = 16  # of a tensor of the runtime

# How `struct` spells an element of each dtype that a number can become.
_CODE = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "float16": "e",
    "float32": "f",
    "float64": "d",
}

Number = Union[bool, int, float]


def is_list(data: Any) -> bool:
    return isinstance(data, (list, tuple, range))


def is_number(data: Any) -> bool:
    return isinstance(data, (bool, int, float))


def _number(item: Any, where: str) -> Number:
    """A number of Python or one of NumPy's or PyTorch's scalars as the former."""
    if is_number(item):
        return item
    if getattr(item, "shape", ()) != ():
        raise TypeError(f"tensor: {where}: want a number, got {type(item).__name__} with dims; numpy.stack joins arrays")
    if isinstance(item, (str, bytes, complex)) or not hasattr(item, "__float__"):
        raise TypeError(f"tensor: {where}: want a number, got {type(item).__name__}")
    if type(item).__name__ in ("bool", "bool_"):
        return bool(item)
    try:
        return operator.index(item)
    except TypeError:
        return float(item)


def _flatten(data: Any, where: str, dims: List[int], depth: int, out: List[Number]) -> None:
    """The numbers of `data` in order. Learns dims on the way to the first of them, which all lists then have."""
    if not is_list(data):
        if depth < len(dims):
            raise InvalidArgumentError(f"tensor: {where}: want a list of {dims[depth]}, as beside it, got {data!r:.40}")
        out.append(_number(data, where))
        return
    if depth == _MOST_DIMS:
        raise InvalidArgumentError(f"tensor: lists are nested deeper than {_MOST_DIMS}, the most dims of a tensor")
    if depth == len(dims):
        if out:
            raise InvalidArgumentError(f"tensor: {where}: want a number, as beside it, got a list of {len(data)}")
        dims.append(len(data))
    if len(data) != dims[depth]:
        raise InvalidArgumentError(f"tensor: {where}: want a list of {dims[depth]}, as beside it, got one of {len(data)}")
    for i, item in enumerate(data):
        _flatten(item, f"{where}[{i}]", dims, depth + 1, out)


def _dtype_of(numbers: List[Number]) -> str:
    if not numbers or any(isinstance(x, float) for x in numbers):
        return "float32"
    return "bool" if all(isinstance(x, bool) for x in numbers) else "int64"


def _packed(number: Number, dtype: str) -> bytes:
    if dtype == "bool":
        return struct.pack("?", bool(number))
    if not dtype.startswith("float"):
        if isinstance(number, float):
            raise InvalidArgumentError(f"tensor: {number} is no {dtype}; round it first")
        try:
            return struct.pack(_CODE[dtype], number)
        except struct.error:
            raise InvalidArgumentError(f"tensor: {number} does not fit {dtype}") from None
    try:
        return struct.pack(_CODE[dtype], number)
    except OverflowError:  # beyond the largest of the dtype: infinite, as in NumPy and PyTorch
        return struct.pack(_CODE[dtype], math.copysign(math.inf, number))


def elements(data: Any, dtype: Optional[str]) -> Tuple[str, List[int], bytes]:
    """Dtype, dims and bytes of the tensor that `data` becomes."""
    dims: List[int] = []
    numbers: List[Number] = []
    _flatten(data, "data", dims, 0, numbers)
    chosen = dtype or _dtype_of(numbers)
    if chosen not in _CODE:
        raise UnsupportedError(f"tensor: numbers become one of {', '.join(_CODE)}; got dtype {chosen!r}")
    return chosen, dims, b"".join(_packed(x, chosen) for x in numbers)
