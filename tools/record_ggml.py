#!/usr/bin/env python3
"""Records what ggml's C library makes of Q8_K blocks, which its NumPy package lacks, for tests/unit/interp/t_formats.c.

    pip install llama-cpp-python numpy
    tools/record_ggml.py LIBGGML_BASE [FOLDER]      the package's lib/libggml-base.so; default: tests/data/formats

quantized_ggml.txt   format, the bits of float32 elements in hex, and the bytes of the block they become
blocks_ggml.txt      format, a block's bytes in hex, and the bits of its float32 elements in hex
"""
import ctypes
import sys
from pathlib import Path

import numpy as np

ELEMENTS, BYTES = 256, 292


def rows():
    rng = np.random.default_rng(3)
    yield rng.normal(0, 0.1, ELEMENTS)
    yield rng.uniform(-3, 1, ELEMENTS)
    yield np.zeros(ELEMENTS)
    yield np.full(ELEMENTS, 0.25)
    yield np.arange(ELEMENTS) % 5 - 2.0
    yield np.where(np.arange(ELEMENTS) == 77, -1e4, rng.normal(0, 50, ELEMENTS))  # one far from the others
    yield rng.normal(0, 1e-30, ELEMENTS)
    yield np.concatenate([np.arange(128) - 63.5, 63.5 - np.arange(128)])  # halves, and the largest twice


def main():
    library = ctypes.CDLL(sys.argv[1])
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent.parent / "tests/data/formats")
    with open(folder / "quantized_ggml.txt", "w") as quantized, open(folder / "blocks_ggml.txt", "w") as blocks:
        for row in rows():
            row = np.ascontiguousarray(row, dtype=np.float32)
            block = ctypes.create_string_buffer(BYTES)
            library.quantize_row_q8_K_ref(row.ctypes.data_as(ctypes.c_void_p), block, ctypes.c_int64(ELEMENTS))
            back = np.empty(ELEMENTS, dtype=np.float32)
            library.dequantize_row_q8_K(block, back.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(ELEMENTS))
            quantized.write(f"q8_k {row.astype('>f4').tobytes().hex()} {block.raw.hex()}\n")
            blocks.write(f"q8_k {block.raw.hex()} {back.astype('>f4').tobytes().hex()}\n")


main()
