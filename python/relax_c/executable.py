"""Compiled modules: load an .rlx file and call its functions."""

from __future__ import annotations

import os
import threading
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import arguments as given
from ._ffi import ffi, native, runtime, text
from .errors import InvalidArgumentError, NotFoundError, check, error_of
from .values import Tensor, from_handle, to_handle

External = Callable[..., Any]


class Executable:
    """A compiled module. Immutable: any number of threads may use one, each through its own `Context`.

    An .rlx file holds machine code: load only what you would run as a program.
    """

    def __init__(self, source: Union[str, "os.PathLike[str]", bytes]):
        """`source` is a path, or the bytes of a file."""
        message = ffi.new("char[]", runtime.RX_MESSAGE)
        out = ffi.new("rx_executable **")
        if isinstance(source, bytes):
            # A file in memory, not rx_executable_load_memory: a result may be a weight that lies in these bytes, and
            # only the library knows when the last of them is gone. It maps the file.
            with open(os.memfd_create("rlx"), "wb") as file:
                file.write(source)
                file.flush()
                path = f"/proc/self/fd/{file.fileno()}"
                status = runtime.rx_executable_load(path.encode(), ffi.NULL, out, message)
                check(status, text(message).replace(path, "<bytes>"))
        else:
            if not isinstance(source, (str, os.PathLike)):
                raise TypeError(f"Executable: want a path or the bytes of a file, got {type(source).__name__}")
            status = runtime.rx_executable_load(given.path(source, "Executable"), ffi.NULL, out, message)
            check(status, text(message))
        self._handle = ffi.gc(out[0], runtime.rx_executable_release)

    @property
    def functions(self) -> List[str]:
        count = runtime.rx_executable_function_count(self._handle)
        return [text(runtime.rx_executable_function_name(self._handle, i)) for i in range(count)]

    def signature(self, function: str = "main") -> str:
        """`main(x: R.Tensor((n, 128), dtype="float32")) -> …`. NotFoundError lists the functions there are."""
        signature = runtime.rx_executable_signature(self._handle, given.text(function, "function"))
        if not signature:
            raise NotFoundError(f"there is no function {function}; the file has {', '.join(self.functions)}")
        return text(signature)

    def parameters(self, function: str = "main") -> Dict[str, str]:
        """Names and annotations of what the caller gives: parameters whose weights are in the file aren't among them."""
        self.signature(function)
        name = given.text(function, "function")
        count = runtime.rx_executable_param_count(self._handle, name)
        return {
            text(runtime.rx_executable_param_name(self._handle, name, i)): text(
                runtime.rx_executable_param_annotation(self._handle, name, i)
            )
            for i in range(count)
        }

    def symbols(self, function: str = "main") -> Dict[str, range]:
        """The symbolic sizes of a function with the values they may have. Without an upper bound the range is huge."""
        self.signature(function)
        found = {}
        symbol = ffi.new("rx_symbol *")
        index = 0
        while runtime.rx_executable_symbol(self._handle, given.text(function, "function"), index, symbol) == runtime.RX_OK:
            upper = min(symbol.upper, 2**63 - 2)
            found[text(symbol.name)] = range(symbol.lower, upper + 1, max(symbol.multiple, 1))
            index += 1
        return found

    def __getitem__(self, function: str) -> "Function":
        return Context(self)[function]

    def __repr__(self) -> str:
        return "<relax_c.Executable\n" + "".join(f"  {self.signature(f)}\n" for f in self.functions) + ">"


def _described(error: BaseException) -> bytes:
    """An exception in one line, whatever its own conversion to text does."""
    try:
        said = str(error)
    except Exception:  # noqa: B902 - any code of the user's
        said = "(an exception that can't be printed)"
    return f"{type(error).__name__}: {said}".encode(errors="replace")


class Context:
    """What one thread needs to run an executable: memory, threads, external functions. Not for two threads at once."""

    def __init__(
        self,
        executable: Union[Executable, str, "os.PathLike[str]", bytes],
        *,
        device: Optional[str] = None,
        threads: int = 0,
        memory_limit: int = 0,
        externals: Optional[Dict[str, External]] = None,
    ):
        """`threads`: 0 for what the machine grants. `memory_limit`: bytes of tensor memory at once, 0 for none.

        `externals` maps names to what `R.call_packed` and `R.call_dps_packed` call: functions of the arguments, those
        of `call_dps_packed` with the outputs to fill last.
        """
        threads = given.integer(threads, "threads", 0, runtime.RX_MAX_THREADS)
        memory_limit = given.integer(memory_limit, "memory_limit")
        chosen = given.optional_text(device, "device")
        self.executable = executable if isinstance(executable, Executable) else Executable(executable)
        self._raised: Optional[BaseException] = None
        self._running = threading.Lock()
        self._callbacks: List[Any] = []  # must live as long as the context
        message = ffi.new("char[]", runtime.RX_MESSAGE)
        registry = self._registry({} if externals is None else externals)
        name = ffi.new("char[]", chosen) if chosen else ffi.NULL
        options = ffi.new("rx_context_options *", {"struct_size": ffi.sizeof("rx_context_options")})
        options.device, options.threads, options.memory_limit, options.registry = name, threads, memory_limit, registry
        out = ffi.new("rx_context **")
        check(runtime.rx_context_new(self.executable._handle, options, out, message), text(message))
        self._handle = ffi.gc(out[0], runtime.rx_context_release)
        self._address = int(ffi.cast("uintptr_t", self._handle))

    def __repr__(self) -> str:
        return f"<relax_c.Context of {', '.join(self.executable.functions)}>"

    def _registry(self, externals: Dict[str, External]) -> Any:
        if not isinstance(externals, dict):
            raise TypeError(f"externals: want a dict of names and functions, got {type(externals).__name__}")
        out = ffi.new("rx_registry **")
        check(runtime.rx_registry_new(out))
        registry = ffi.gc(out[0], runtime.rx_registry_release)
        for name, function in externals.items():
            spelled = given.text(name, "externals")
            callback = ffi.callback("rx_external", self._bridge(name, given.function(function, f"externals: {name}")))
            self._callbacks.append(callback)
            check(runtime.rx_registry_add(registry, spelled, callback, ffi.NULL))
        return registry

    def _bridge(self, name: str, function: External) -> Callable[[Any, Any], int]:
        """The C side of an external function: exceptions become a failure of the call, and are its cause."""

        def bridge(_user: Any, call: Any) -> int:
            try:
                count = runtime.rx_call_count(call)
                arguments = [runtime.rx_call_arg(call, i) for i in range(count)]
                result = function(*[from_handle(runtime.rx_value_retain(a)) if a else None for a in arguments])
                if result is not None:
                    handle = to_handle(result)
                    runtime.rx_call_return(call, handle)
                    runtime.rx_value_release(handle)
                return runtime.RX_OK
            except BaseException as error:  # noqa: B902 - it is raised again when the call returns
                self._raised = error
                return runtime.rx_call_fail(call, runtime.RX_INVALID_ARGUMENT, _described(error))

        return bridge

    def __getitem__(self, function: str) -> "Function":
        self.executable.signature(function)
        return Function(self, function, self.executable.functions.index(function))

    def call(self, function: str, arguments: Sequence[Any]) -> Any:
        """Calls a function. ShapeMismatchError and InvalidArgumentError name what doesn't fit the signature."""
        if not isinstance(arguments, (tuple, list)):
            raise TypeError(f"arguments: want a tuple or list, got {type(arguments).__name__}")
        return self[function](*arguments)

    def _run(self, number: int, arguments: Tuple[Any, ...]) -> Any:
        # The interpreter's lock is not held during the call, so another thread could come here meanwhile.
        if not self._running.acquire(False):
            raise InvalidArgumentError("the context is running; make a Context per thread")
        try:
            if native is not None:
                result = native.call(self, self._address, number, arguments)
                if result is not NotImplemented:
                    return result
            return self._call(number, arguments)
        finally:
            self._running.release()

    def _call(self, number: int, arguments: Tuple[Any, ...]) -> Any:
        """Any arguments, through cffi."""
        handles: List[Any] = []
        out = ffi.new("rx_value **")
        try:
            # The runtime rounds a float to what the signature wants.
            handles.extend(to_handle(a, b"float64") for a in arguments)
            array = ffi.new("rx_value *[]", handles or [ffi.NULL])
            status = runtime.rx_context_call_number(self._handle, number, array, len(handles), out)
        finally:
            for handle in handles:
                runtime.rx_value_release(handle)
        if status != runtime.RX_OK:
            self._failed(status)
        return from_handle(out[0])

    def _failed(self, status: int) -> None:
        """Raises what the last call came to."""
        raised, self._raised = self._raised, None
        if raised is not None and not isinstance(raised, Exception):
            raise raised  # Ctrl-C and sys.exit() are for the program, not for the caller
        raise error_of(status, text(runtime.rx_context_message(self._handle))) from raised

    @property
    def stats(self) -> Dict[str, Union[int, str]]:
        """Counters of this context: calls, allocations, bytes, peak_bytes, launches, variant, threads."""
        stats = ffi.new("rx_stats *", {"struct_size": ffi.sizeof("rx_stats")})
        runtime.rx_context_stats(self._handle, stats)
        names = ("calls", "allocations", "bytes", "peak_bytes", "launches", "threads")
        return {**{name: getattr(stats, name) for name in names}, "variant": text(stats.variant)}


class Function:
    """A function of a context, to be called with tensors (NumPy, PyTorch, DLPack), numbers, shapes and tuples."""

    def __init__(self, context: Context, name: str, number: int):
        self.context, self.name, self._number = context, name, number

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Arguments by position, then by name."""
        if named:
            names = list(self.context.executable.parameters(self.name))
            twice = [name for name in names[: len(arguments)] if name in named]
            if twice:
                raise TypeError(f"{self.name} got {twice[0]} by position and by name")
            unknown = [name for name in named if name not in names]
            if unknown:
                raise TypeError(f"{self.name} wants no parameter {unknown[0]}; it has {', '.join(names)}")
            missing = [name for name in names[len(arguments) :] if name not in named]
            if missing:
                raise TypeError(f"{self.name} misses {', '.join(missing)}")
            arguments += tuple(named[name] for name in names[len(arguments) :])
        return self.context._run(self._number, arguments)

    def __repr__(self) -> str:
        return f"<relax_c.Function {self.context.executable.signature(self.name)}>"


def load(source: Union[str, "os.PathLike[str]", bytes], **options: Any) -> Context:
    """An executable and a context for it: `relax_c.load("mlp.rlx")["main"](x)`. Options are those of `Context`."""
    return Context(source, **options)


__all__ = ["Context", "Executable", "Function", "Tensor", "load"]
