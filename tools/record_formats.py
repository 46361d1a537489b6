#!/usr/bin/env python3
"""Records what gguf (ggml's NumPy package) makes of quantised blocks, for tests/unit/interp/t_formats.c.

    pip install gguf
    tools/record_formats.py [FOLDER]        default: tests/data/formats

blocks.txt      format, a block's bytes in hex, and the bits of its float32 elements in hex
quantized.txt   format, the bits of float32 elements in hex, and the bytes of the block they become

Bytes are random; the floats of a block (scales) are drawn from a sane range, one block of each format is all zeros.
"""
import sys
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T
from gguf import quants

# Where the float16 fields of a block stand; the others have none.
HALVES = {
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82], T.Q3_K: [108],
    T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0], T.IQ4_XS: [0], T.IQ2_XXS: [0], T.IQ2_XS: [0],
    T.IQ2_S: [0], T.IQ3_XXS: [0], T.IQ3_S: [0], T.IQ1_S: [0], T.TQ1_0: [52], T.TQ2_0: [64],
}
NAMED = [T.F16, T.BF16, T.MXFP4, T.NVFP4, T.IQ1_M] + list(HALVES)


def blocks_of(kind, rng):
    size = gguf.GGML_QUANT_SIZES[kind][1]
    blocks = rng.integers(0, 256, (4 if size < 40 else 3, size), dtype=np.uint8)
    for at in HALVES.get(kind, []):
        blocks[:, at : at + 2] = rng.uniform(-0.1, 0.1, len(blocks)).astype(np.float16).view(np.uint8).reshape(-1, 2)
    if kind in (T.F16, T.BF16):
        blocks = np.array([[0, 0], [0x9A, 0x3F], [1, 0x80], [0xCD, 0x42]], dtype=np.uint8)
    if kind == T.IQ1_M:  # the top nibbles of its four scale words are one float16
        blocks[:, 55] = blocks[:, 55] & 0x0F | 0x20
    blocks[-1] = 0
    return blocks


def record_blocks(out):
    rng = np.random.default_rng(1)
    for kind in sorted(NAMED, key=lambda k: k.value):
        for block in blocks_of(kind, rng):
            if kind == T.F16:
                values = block.view(np.float16).astype(np.float32)
            else:
                values = quants.dequantize(block, kind)
            out.write(f"{kind.name.lower()} {block.tobytes().hex()} {values.astype('>f4').tobytes().hex()}\n")


def record_quantized(out):
    rng = np.random.default_rng(2)
    for kind in [T.BF16, T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.TQ1_0, T.TQ2_0, T.MXFP4]:
        n = max(gguf.GGML_QUANT_SIZES[kind][0], 2)
        rows = [rng.normal(0, 0.1, n), rng.uniform(-3, 1, n), np.zeros(n), np.full(n, 0.25), np.arange(n) % 5 - 2.0]
        for row in rows:
            row = row.astype(np.float32)
            block = quants.quantize(row, kind).view(np.uint8)
            out.write(f"{kind.name.lower()} {row.astype('>f4').tobytes().hex()} {block.tobytes().hex()}\n")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "tests/data/formats")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "blocks.txt", "w") as out:
        record_blocks(out)
    with open(folder / "quantized.txt", "w") as out:
        record_quantized(out)


main()
