"""Compiles models whose shapes are unknown until run time, and runs them.

>>> import numpy as np, relax_c
>>> exe = relax_c.Module('''
... @I.ir_module
... class Module:
...     @R.function
...     def main(x: R.Tensor(("n", 4), dtype="float32")):
...         return R.add(x, x)
... ''').compile()
>>> exe
<relax_c.Executable
  main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32")
>
>>> exe["main"](np.ones((2, 4), np.float32))
<relax_c.Tensor float32[2, 4] = 2, 2, 2, 2, 2, 2, ...>
"""

from .errors import (
    BadFileError,
    CancelledError,
    CompileError,
    DeviceLostError,
    FileAccessError,
    InvalidArgumentError,
    NotFoundError,
    OutOfMemoryError,
    RelaxError,
    ShapeMismatchError,
    UnsupportedError,
)
from .executable import Context, Executable, Function, load
from .module import Diagnostic, Module, compile, passes
from .values import Shape, Tensor, tensor

__version__ = "0.1.0"  # of the package and of the libraries in it

__all__ = [
    "BadFileError",
    "CancelledError",
    "CompileError",
    "Context",
    "DeviceLostError",
    "Diagnostic",
    "Executable",
    "FileAccessError",
    "Function",
    "InvalidArgumentError",
    "Module",
    "NotFoundError",
    "OutOfMemoryError",
    "RelaxError",
    "Shape",
    "ShapeMismatchError",
    "Tensor",
    "UnsupportedError",
    "compile",
    "load",
    "passes",
    "tensor",
]
