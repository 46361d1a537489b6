#!/usr/bin/env python3
"""Writes src/tensor/format_grids.def: the codebooks of ggml's IQ formats, from its `gguf` package.

    pip install gguf
    tools/make_format_grids.py >src/tensor/format_grids.def

An entry is 16 bits: eight values of two bits, or four of four (three are used), from the lowest up.
"""
import numpy as np
from gguf import quants

print("""// format_grids.def - the codebooks of the IQ formats (ggml's constants; made by tools/make_format_grids.py).
//
// GRID(name, entries…): 16 bits each, eight values of two bits or four of four, from the lowest up.""")


def write(name, entries):
    print(f"GRID({name}_grid,")
    for i in range(0, len(entries), 14):
        print("     " + ", ".join(f"0x{e:04x}" for e in entries[i : i + 14]) + ("," if i + 14 < len(entries) else ")"))


for name in ["IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ1_S"]:
    kind = getattr(quants, name)
    kind.init_grid()
    lanes = kind.grid_shape[1]
    number = {value: i for i, value in enumerate(kind.grid_map)}
    entries = [sum(number[int(v)] << (16 // lanes * i) for i, v in enumerate(row)) for row in kind.grid.reshape(-1, lanes)]
    write(name.lower(), entries)
print("// The five digits of base 3 of a number, two bits each, the lowest first.")
write("base_3", [sum(n // 3**p % 3 << 2 * p for p in range(5)) for n in range(256)])
print("#undef GRID")
