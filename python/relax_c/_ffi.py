"""The C libraries, called through cffi in its ABI mode: the declarations are the public headers themselves."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import cffi

_HERE = Path(__file__).resolve().parent


def _folder(variable: str, packaged: str) -> Path:
    """A folder of this package, or the one that an environment variable names (for work in the source tree)."""
    return Path(os.environ[variable]) if variable in os.environ else _HERE / packaged


def _declarations(name: str) -> str:
    """A public header without what the preprocessor would eat."""
    text = (_folder("RELAX_INCLUDE", "include") / "relax" / name).read_text()
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    lines = (line for line in text.split("\n") if not line.startswith("#") or line.startswith("#define RX_"))
    return re.sub(r"(#define RX_\w+) \((-?\d+)\)", r"\1 \2", "\n".join(lines))


def _find(name: str) -> str:
    folder = _folder("RELAX_LIBRARIES", "lib")
    for candidate in (folder / f"lib{name}.so.0", folder / f"lib{name}.so"):
        if candidate.exists():
            return str(candidate)
    raise ImportError(f"lib{name}.so.0 is not in {folder}")


ffi = cffi.FFI()
for _header in ("status.h", "runtime.h", "compiler.h"):
    # The macro guards themselves are no declarations.
    ffi.cdef(re.sub(r"#define RELAX_\w+\n", "", _declarations(_header)))

runtime: Any = ffi.dlopen(_find("relax-runtime"))
_compiler: Any = None


def _load_native() -> Any:
    """python/native.c, which makes calls short; None where it isn't, and with RELAX_CFFI=1: cffi does all it does."""
    path = _folder("RELAX_LIBRARIES", "lib") / "relax_native.abi3.so"
    fits = sys.implementation.name == "cpython" and sys.version_info >= (3, 11)
    if not fits or sysconfig.get_config_var("Py_GIL_DISABLED") or os.environ.get("RELAX_CFFI") or not path.exists():
        return None
    loader = ExtensionFileLoader("relax_native", str(path))
    module = module_from_spec(spec_from_loader("relax_native", loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    return module


native: Any = _load_native()


def compiler() -> Any:
    """librelax-compiler, loaded at its first use: a program that only runs modules doesn't need LLVM."""
    global _compiler
    if _compiler is None:
        try:
            _compiler = ffi.dlopen(_find("relax-compiler"))
        except OSError as error:
            raise ImportError(f"the compiler needs LLVM 22 (Debian: libllvm22): {error}") from error
    return _compiler


def text(c_string: Any) -> str:
    """A C string as str; "" for NULL."""
    return ffi.string(c_string).decode("utf-8", "replace") if c_string else ""
