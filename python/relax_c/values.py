"""Values of the runtime in Python: tensors, shapes, scalars, tuples."""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence, Tuple

from . import arguments, dlpack, lists
from ._ffi import ffi, native, runtime, text
from .errors import InvalidArgumentError, UnsupportedError, check

_CPU = (1, 0)  # DLPack's kDLCPU, device 0


if native is None:

    class _Owner:
        """One reference to an rx_value."""

        _handle: Any = ffi.NULL

        def _own(self, handle: Any) -> None:
            self._handle = ffi.gc(handle, runtime.rx_value_release)

else:

    class _Owner(native.Owner):
        """One reference to an rx_value."""

        def _own(self, handle: Any) -> None:
            self._take(int(ffi.cast("uintptr_t", handle)))

        @property
        def _handle(self) -> Any:
            """Lives as long as this object: no longer than a temporary one."""
            return ffi.cast("rx_value *", self._address)


class Tensor(_Owner):
    """A tensor that the runtime holds. NumPy, PyTorch and others take it without a copy: `np.from_dlpack(t)`.

    What is `read_only` is so for NumPy's arrays over it too. Over DLPack it is a copy that goes out, unless `copy=False`:
    who can be told (from DLPack 1.0 on) need not heed it, as PyTorch doesn't, and the memory is a mapped file.
    """

    def __init__(self, handle: Any):
        """Takes over one reference to an rx_value; users get tensors from calls and from `tensor`."""
        if not isinstance(handle, ffi.CData):
            raise TypeError(f"calls return tensors, and relax_c.tensor(data) makes one of data; got {type(handle).__name__}")
        self._own(handle)

    @property
    def shape(self) -> Tuple[int, ...]:
        dims = runtime.rx_tensor_dims(self._handle)
        return tuple(dims[i] for i in range(runtime.rx_tensor_rank(self._handle)))

    @property
    def dtype(self) -> str:
        """In NumPy's and TVM's spelling: "float32", "bfloat16", "int4"."""
        return text(runtime.rx_tensor_dtype(self._handle))

    @property
    def nbytes(self) -> int:
        return runtime.rx_tensor_bytes(self._handle)

    @property
    def read_only(self) -> bool:
        """True for weights and constants of a file that come out as results: their memory is the mapped file."""
        return bool(runtime.rx_tensor_is_read_only(self._handle))

    def copy(self) -> "Tensor":
        """A tensor with memory of its own, which may be written."""
        out = ffi.new("rx_value **")
        dims = runtime.rx_tensor_dims(self._handle)
        rank = runtime.rx_tensor_rank(self._handle)
        check(runtime.rx_tensor_new(self.dtype.encode(), rank, dims, ffi.NULL, out), "no memory for a copy")
        ffi.memmove(runtime.rx_tensor_data(out[0]), runtime.rx_tensor_data(self._handle), self.nbytes)
        return Tensor(out[0])

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        if dl_device is not None and not _is_cpu(dl_device):
            raise BufferError(f"want a tensor on device {dl_device!r}, but it is on the CPU, {_CPU}")
        versioned = max_version is not None and _major(max_version) >= 1
        unsaid = self.read_only and not versioned
        if unsaid and copy is False:
            raise BufferError("the tensor is read-only, which DLPack before 1.0 can't say: take a copy")
        given = self.copy() if copy or (copy is None and self.read_only) else self
        return dlpack.to_capsule(given._handle, versioned)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _CPU

    @property
    def __array_interface__(self) -> dict:
        """NumPy's view of the memory, writable unless `read_only`: `numpy.asarray(t)`."""
        import numpy

        try:
            kind = numpy.dtype(self.dtype).str
        except TypeError:
            raise UnsupportedError(f"NumPy has no {self.dtype}; take the tensor over DLPack") from None
        address = int(ffi.cast("uintptr_t", runtime.rx_tensor_data(self._handle)))
        return {"shape": self.shape, "typestr": kind, "data": (address, self.read_only), "version": 3}

    def numpy(self) -> Any:
        """A NumPy array over the same memory. ImportError without NumPy; UnsupportedError for dtypes it lacks."""
        import numpy

        return numpy.asarray(self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar tensor has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        line = ffi.new("char[]", 512)
        runtime.rx_value_print(self._handle, line, 512)
        return f"<relax_c.Tensor {text(line)}>"


class Shape(tuple):
    """A shape as an argument or a result: `relax_c.Shape((n, 4))`."""

    def __new__(cls, dims: Iterable[int] = ()) -> "Shape":
        try:
            items = tuple(dims)
        except TypeError:
            raise TypeError(f"Shape: want the dims as a tuple, got {type(dims).__name__}") from None
        return super().__new__(cls, (arguments.integer(d, f"Shape: dim {i}") for i, d in enumerate(items)))


def _major(version: Any) -> int:
    """Of DLPack's max_version, (major, minor)."""
    if not isinstance(version, (tuple, list)) or len(version) != 2:
        raise TypeError(f"__dlpack__: max_version: want (major, minor), got {version!r}")
    return arguments.integer(version[0], "__dlpack__: max_version")


def _is_cpu(device: Any) -> bool:
    """(kDLCPU, 0), also with an enum's member in it."""
    if not isinstance(device, (tuple, list)) or len(device) != 2:
        raise TypeError(f"__dlpack__: dl_device: want (type, number), got {device!r}")
    return (int(device[0]), int(device[1])) == _CPU


def _of_numbers(data: Any, dtype: Optional[str]) -> Tensor:
    kind, dims, content = lists.elements(data, dtype)
    out = ffi.new("rx_value **")
    check(
        runtime.rx_tensor_new(kind.encode(), len(dims), ffi.new("int64_t[]", dims or [0]), ffi.NULL, out),
        f"no tensor of {kind} with shape {tuple(dims)}",
    )
    ffi.memmove(runtime.rx_tensor_data(out[0]), content, len(content))
    return Tensor(out[0])


def tensor(data: Any, dtype: Optional[str] = None) -> Tensor:
    """A tensor over the memory of a NumPy array, a PyTorch tensor or whatever has `__dlpack__`; copied if not compact.

    Or a new one of a number or of lists (tuples, ranges) of numbers, nested as deep as it shall have dims. As in PyTorch,
    bools are bool, ints int64 and floats float32 (NumPy makes float64 of those), where `dtype` doesn't say otherwise; of
    several kinds the last of these, and float32 without any number. Lists beside one another have one length.
    """
    name = None if dtype is None else arguments.text(dtype, "tensor: dtype").decode()
    if lists.is_list(data) or lists.is_number(data):
        return _of_numbers(data, name)
    if not _is_tensor(data):
        raise TypeError(f"tensor: want an array, what has __dlpack__, a number or lists of them, got {type(data).__name__}")
    if name is not None:
        raise InvalidArgumentError("tensor: dtype is for numbers and lists of them; arrays have one: array.astype(dtype)")
    made = NotImplemented if native is None else native.wrap(data)
    return Tensor(_tensor_handle(data)) if made is NotImplemented else made


def _array_handle(array: Any) -> Any:
    """A NumPy array, also a read-only one, which NumPy itself won't hand over."""
    import numpy

    if numpy.ma.is_masked(array):
        raise InvalidArgumentError("a masked array's mask would be lost; array.filled(value) is one without a mask")
    array = numpy.require(numpy.asarray(array), None, ["C_CONTIGUOUS", "ALIGNED"])
    if array.dtype.kind not in "biuf":
        raise InvalidArgumentError(f"want numbers (bool, integers, floats), got a NumPy array of {array.dtype}")
    if not array.dtype.isnative:
        raise InvalidArgumentError(
            f"want numbers in the machine's byte order, got a NumPy array of {array.dtype.str}; "
            f"array.astype({array.dtype.name!r}) has it"
        )
    keep = ffi.new_handle(array)
    dims = ffi.new("int64_t[]", list(array.shape) or [0])
    out = ffi.new("rx_value **")
    data = ffi.cast("void *", array.ctypes.data)
    status = runtime.rx_tensor_wrap(str(array.dtype).encode(), array.ndim, dims, data, _forget, keep, out)
    check(status, f"no tensor of {array.dtype} with shape {array.shape}")
    _kept[keep] = array
    if not array.flags.writeable:
        check(runtime.rx_tensor_set_read_only(out[0]))
    return out[0]


# Arrays whose memory the runtime uses, by the address it gives back.
_kept: dict = {}


@ffi.callback("void(void *, void *)")
def _forget(user: Any, data: Any) -> None:
    """The runtime dropped its last reference to an array's memory."""
    _kept.pop(user, None)


def _is_tensor(data: Any) -> bool:
    return isinstance(data, Tensor) or hasattr(data, "__dlpack__") or type(data).__module__.startswith("numpy")


def _tensor_handle(data: Any) -> Any:
    if isinstance(data, Tensor):
        return runtime.rx_value_retain(data._handle)
    if type(data).__module__.startswith("numpy"):
        return _array_handle(data)
    if hasattr(data, "detach"):  # PyTorch doesn't hand over tensors that want gradients, nor the sign of negated views
        data = data.detach()
        data = data.resolve_neg() if hasattr(data, "resolve_neg") else data
    return dlpack.from_capsule(dlpack.capsule_of(data))


def _new(function: Any, *arguments: Any) -> Any:
    out = ffi.new("rx_value **")
    check(function(*arguments, out), f"no value of {arguments[-1]!r}")
    return out[0]


def _tuple_handle(items: Sequence[Any], real: bytes) -> Any:
    handles: list = []
    try:
        handles.extend(to_handle(item, real) for item in items)
        return _new(runtime.rx_tuple_new, ffi.new("rx_value *[]", handles or [ffi.NULL]), len(handles))
    finally:
        for handle in handles:
            runtime.rx_value_release(handle)


def to_handle(value: Any, real: bytes = b"float32") -> Any:
    """A new reference to an rx_value for a Python value. `real`: the dtype of a float."""
    if value is None:
        return ffi.NULL
    if isinstance(value, bool):
        return _new(runtime.rx_int_new, b"bool", int(value))
    if isinstance(value, int):
        number = arguments.integer(value, "an argument", -(2**63), 2**64 - 1)
        if number >= 2**63:
            return _new(runtime.rx_uint_new, b"uint64", number)
        return _new(runtime.rx_int_new, b"int64", number)
    if isinstance(value, float):
        return _new(runtime.rx_float_new, real, value)
    if isinstance(value, str):
        data = value.encode(errors="surrogateescape")
        return _new(runtime.rx_string_new, data, len(data))
    if isinstance(value, Shape):
        return _new(runtime.rx_shape_new, len(value), ffi.new("int64_t[]", list(value) or [0]))
    if isinstance(value, (tuple, list)):
        return _tuple_handle(value, real)
    if _is_tensor(value):
        return _tensor_handle(value)
    raise InvalidArgumentError(f"want a tensor, number, Shape, str or tuple, got {type(value).__name__}")


def _scalar(handle: Any) -> Any:
    if text(runtime.rx_tensor_dtype(handle)).startswith(("float", "bfloat")):
        out = ffi.new("double *")
        check(runtime.rx_value_float(handle, out))
        return out[0]
    if text(runtime.rx_tensor_dtype(handle)) == "uint64":
        large = ffi.new("uint64_t *")
        check(runtime.rx_value_uint(handle, large))
        return large[0]
    out = ffi.new("int64_t *")
    check(runtime.rx_value_int(handle, out))
    return bool(out[0]) if text(runtime.rx_tensor_dtype(handle)) == "bool" else out[0]


def _items(handle: Any) -> list:
    return [from_handle(_new(runtime.rx_value_item, handle, i)) for i in range(runtime.rx_value_count(handle))]


def from_handle(handle: Any) -> Any:
    """A Python value for an rx_value; takes over the reference."""
    kind = runtime.rx_value_kind(handle)
    if kind == runtime.RX_TENSOR:
        return Tensor(handle)
    try:
        if kind == runtime.RX_PRIM:
            return _scalar(handle)
        if kind == runtime.RX_SHAPE:
            dims = runtime.rx_shape_dims(handle)
            return Shape(dims[i] for i in range(runtime.rx_value_count(handle)))
        if kind == runtime.RX_STRING:
            size = ffi.new("size_t *")
            return ffi.buffer(runtime.rx_string_bytes(handle, size), size[0])[:].decode("utf-8", "surrogateescape")
        if kind == runtime.RX_TUPLE:
            return tuple(_items(handle))
        if kind == runtime.RX_LIST:
            return _items(handle)
        if kind == runtime.RX_NULL:
            return None
        raise InvalidArgumentError("the function returns a closure or storage, which have no form in Python")
    finally:
        runtime.rx_value_release(handle)


if native is not None:
    native.setup(Tensor, lambda address: from_handle(ffi.cast("rx_value *", address)))
