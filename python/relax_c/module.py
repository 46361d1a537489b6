"""Modules in the text form: read, look at, transform, compile."""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

from . import arguments as given
from ._ffi import compiler, ffi, runtime, text
from .errors import CompileError, check, error_of
from .executable import Executable

_UNBOUNDED = 2**63 - 1
_SEVERITY = ("error", "warning", "note")


@dataclass(frozen=True)
class Diagnostic:
    """One thing that the compiler has to say. Lines and columns count from 1, 0 is no place; columns count bytes."""

    severity: str
    message: str
    source: str
    line: int
    column: int


def _release(c: Any, out: Any, session: Any) -> None:
    if out[0]:
        c.rx_module_release(out[0])  # a module goes before its session
    c.rx_session_release(session)


class Module:
    """A module: graph functions, loop programs and calls of libraries, with symbolic sizes."""

    def __init__(self, source: str, name: str = "<text>"):
        """Reads and checks the text of a module. CompileError with the diagnostics."""
        if not isinstance(source, str):
            raise TypeError(f"Module: want the text of a module as str, got {type(source).__name__}; read(path) reads a file")
        called, data = given.text(name, "name"), given.unicode(source, "Module")
        self._open(lambda c, s, out: c.rx_module_parse(s, called, data, len(data), out))

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"]) -> "Module":
        """The same from a file."""
        self = cls.__new__(cls)
        file = given.path(path, "Module.read")
        self._open(lambda c, s, out: c.rx_module_read(s, file, out))
        return self

    def _open(self, read: Callable[[Any, Any, Any], int]) -> None:
        c = compiler()
        session, out = ffi.new("rx_session **"), ffi.new("rx_module **")
        check(c.rx_session_new(ffi.NULL, session))
        self._session = session[0]
        # Not `ffi.gc`: a module that an exception's traceback holds is part of a cycle, whose members go in any order.
        weakref.finalize(self, _release, c, out, self._session)
        self._check(read(c, self._session, out))
        self._handle = out[0]

    def _check(self, status: int) -> None:
        if status == runtime.RX_OK:
            return
        report = text(compiler().rx_session_report(self._session)).rstrip()
        if report.startswith("error: "):  # without a place; the exception's name says it
            report = report[len("error: ") :]
        if status != runtime.RX_INVALID_ARGUMENT:
            raise error_of(status, report)
        error = CompileError(report)
        error.diagnostics = self.diagnostics
        raise error

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """What the last call had to say: warnings, if it succeeded."""
        c, d = compiler(), ffi.new("rx_diagnostic *", {"struct_size": ffi.sizeof("rx_diagnostic")})
        found = []
        for i in range(c.rx_session_diagnostic_count(self._session)):
            check(c.rx_session_diagnostic(self._session, i, d))
            found.append(Diagnostic(_SEVERITY[d.severity], text(d.message), text(d.source), d.line, d.column))
        return found

    @property
    def functions(self) -> List[str]:
        c = compiler()
        count = c.rx_module_function_count(self._handle)
        return [text(c.rx_module_function_name(self._handle, i)) for i in range(count)]

    def bound(self, **sizes: Union[int, Tuple[int, int]]) -> "Module":
        """Bounds of symbolic sizes: `m.bound(n=4096, batch=(1, 8))`. Returns the module itself."""
        for symbol, limits in sizes.items():
            if isinstance(limits, tuple) and len(limits) != 2:
                raise TypeError(f"bound: {symbol}: want an upper bound or (lower, upper), got {limits!r}")
            pair = limits if isinstance(limits, tuple) else (0, limits)
            lower, upper = (given.integer(limit, f"bound: {symbol}") for limit in pair)
            self._check(compiler().rx_module_bound(self._handle, given.text(symbol, "bound"), lower, upper))
        return self

    def run(self, passes: str, target: Optional[str] = None) -> "Module":
        """Runs passes, spelled as for `relax opt --pass`: "LegalizeOps,FuseOps:fuse_opt_level=2". Returns the module."""
        spelled, machine = given.text(passes, "passes"), given.optional_text(target, "target")
        name = ffi.new("char[]", machine) if machine else ffi.NULL
        self._check(compiler().rx_module_pass(self._handle, spelled, name))
        return self

    def compile(
        self,
        path: Union[str, "os.PathLike[str]", None] = None,
        *,
        targets: Union[str, Sequence[str]] = (),
        weights: Union[str, "os.PathLike[str]", None] = None,
        pipeline: Optional[str] = None,
        jobs: int = 0,
        fast_math: bool = False,
    ) -> Executable:
        """Compiles to a file, or to memory without `path`. The module stays as it is."""
        c = compiler()
        if not isinstance(targets, (str, tuple, list)):
            raise TypeError(f"targets: want a str or a list of them, got {type(targets).__name__}")
        wanted = [targets] if isinstance(targets, str) else targets
        keep = [ffi.new("char[]", given.text(t, "targets")) for t in wanted]
        names = ffi.new("char *[]", keep) if keep else ffi.NULL
        file = ffi.NULL if weights is None else ffi.new("char[]", given.path(weights, "weights"))
        line = ffi.NULL if pipeline is None else ffi.new("char[]", given.text(pipeline, "pipeline"))
        options = ffi.new("rx_compile_options *", {"struct_size": ffi.sizeof("rx_compile_options")})
        options.target, options.targets, options.weights, options.pipeline = names, len(keep), file, line
        options.jobs, options.fast_math = given.integer(jobs, "jobs", 0, 256), bool(fast_math)
        if path is not None:
            self._check(c.rx_module_compile(self._handle, options, given.path(path, "path")))
            return Executable(path)
        out, size = ffi.new("void **"), ffi.new("size_t *")
        self._check(c.rx_module_compile_memory(self._handle, options, out, size))
        try:
            return Executable(bytes(ffi.buffer(out[0], size[0])))
        finally:
            c.rx_bytes_free(out[0])

    def equal(self, other: "Module") -> bool:
        """Equal up to the names of locals and symbols."""
        if not isinstance(other, Module):
            raise TypeError(f"equal: want a relax_c.Module, got {type(other).__name__}")
        return bool(compiler().rx_module_equal(self._handle, other._handle, ffi.NULL))

    def __str__(self) -> str:
        return text(compiler().rx_module_text(self._handle))

    def __repr__(self) -> str:
        return f"<relax_c.Module of {', '.join(self.functions)}>"

    def _repr_html_(self) -> str:
        """How notebooks show a module: its text in colours."""
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer

        return highlight(str(self), PythonLexer(), HtmlFormatter(noclasses=True))


def passes() -> List[Tuple[str, str]]:
    """Name and purpose of every pass."""
    c = compiler()
    return [(text(c.rx_pass_name(i)), text(c.rx_pass_doc(i))) for i in range(c.rx_pass_count())]


def compile(source: str, **options: Any) -> Executable:
    """Compiles the text of a module to memory; options are those of `Module.compile`."""
    return Module(source).compile(**options)
