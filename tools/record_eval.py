#!/usr/bin/env python3
"""Records what TVM 0.25 computes for the sample modules, for tests that replay them without TVM.

usage: python tools/record_eval.py SAMPLES tests/data/eval        (SAMPLES: the folder with modules/)
needs: apache-tvm==0.25.0.post1 apache-tvm-ffi==0.1.12

Each line of cases.txt is `name of the module | function | arguments of relax eval | results`. Inputs are those that
`relax eval` draws for f32[3,128] at each position (seed 0), so that only results are stored; what it can't draw well
is stored too.
"""
import os
import re
import sys

import numpy as np
import tvm
from tvm import relax
from tvm.script.parser.core.entry import parse

MASK = (1 << 64) - 1
DTYPES = {"f32": "float32", "f16": "float16", "i64": "int64", "u32": "uint32", "bool": "bool"}


def mix(x):
    x = ((x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)).astype(np.uint64)
    x = ((x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)).astype(np.uint64)
    return x ^ (x >> np.uint64(31))


def random_tensor(dtype, shape, seed):
    """tensor_fill_random of src/tensor/tensor_random.c."""
    golden = 0x9E3779B97F4A7C15
    with np.errstate(over="ignore"):
        start = int(mix(np.array([(seed + golden) & MASK], dtype=np.uint64))[0])
        count = int(np.prod(shape)) if shape else 1
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(golden)
        bits = mix(np.uint64(start) + steps)
    if dtype.startswith("float"):
        values = ((bits >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1).astype(dtype)
        values[values >= 1] = -1
    elif dtype == "bool":
        values = (bits >> np.uint64(63)).astype(bool)
    else:
        values = (bits >> np.uint64(60)).astype(np.int64) - (8 if dtype.startswith("int") else 0)
        values = values.astype(dtype)
    return values.reshape(shape)


def words(rows):
    """uint32 of all bits, which f32[...] of the command line does not draw."""
    return np.random.default_rng(7).integers(0, 2**32, rows, dtype=np.uint64).astype("uint32")


CASES = [
    ("mlp", "main", lambda n: [f"x=f32[{n},128]", "w1=f32[128,256]", "b1=f32[256]", "w2=f32[256,10]", "b2=f32[10]"]),
    ("attn", "main", lambda n: ["x=f32[1,1,64]", f"kc=f32[1,{n},4,16]", f"vc=f32[1,{n},4,16]", "wq=f32[64,64]",
                                "wk=f32[64,64]", "wv=f32[64,64]", "wo=f32[64,64]", "g=f32[64]"]),
    ("decode_q4", "main", lambda n: [f"x=f16[{n},128]", words((128, 32)), "Wscale=f16[128,8]"]),
    ("dispatch", "main", lambda n: [f"x=f32[{n},4]"]),
    ("callpacked_if", "main", lambda n: [f"c={'true' if n % 2 else 'false'}", f"x=f32[{n}]"]),
    ("interproc", "main", lambda n: [f"x=f32[{n},4]", f"y=f32[{n + 3}]", f"sh=({n + 1})"]),
]
SIZES = (1, 3, 10)
BY_HAND = {
    ("dispatch", 1): lambda x: x * 2,  # TVM can't pass handles between programs
    ("dispatch", 3): lambda x: x * 2,
    ("dispatch", 10): lambda x: x * 2,
    ("callpacked_if", 10): lambda c, x: -(x * x),  # TVM crashes: its plan has no storage in the second branch
}


def load(path):
    text = re.sub(r"(?m)^(from|import) .*$", "", open(path).read())
    return parse(text, check_well_formed=True)


def argument(spec, position):
    """The value of one argument as TVM wants it."""
    value = spec.split("=", 1)[1]
    if value in ("true", "false"):
        return tvm.runtime.tensor(np.array(value == "true"))
    if value[0] == "(":
        return tvm.runtime.ShapeTuple([int(x) for x in value[1:-1].split(",") if x])
    dtype, dims = value[:-1].split("[")
    shape = tuple(int(x) for x in dims.split(",") if x)
    return tvm.runtime.tensor(random_tensor(DTYPES[dtype], shape, position))


def save(folder, name, array):
    np.save(os.path.join(folder, name), array)
    return name


def record(samples, folder, out, module, function, specs, n):
    texts, values = [], []
    for position, spec in enumerate(specs(n)):
        if not isinstance(spec, str):
            texts.append("@" + save(folder, f"{module}.arg{position}.npy", spec))
            values.append(tvm.runtime.tensor(spec))
        else:
            values.append(argument(spec, position))
            if spec in ("c=true", "c=false"):
                spec = "c=@" + save(folder, f"{spec[2:]}.npy", np.array(spec == "c=true"))
            texts.append(spec.split("=", 1)[1])
    if (module, n) in BY_HAND:
        result = tvm.runtime.tensor(BY_HAND[module, n](*[v.numpy() for v in values]))
    else:
        vm = relax.VirtualMachine(relax.build(load(f"{samples}/modules/{module}.py"), target="llvm"), tvm.cpu())
        result = vm[function](*values)
    results = []
    for i, r in enumerate(result if type(result).__name__ == "Array" else [result]):
        if hasattr(r, "numpy"):
            results.append(f"out{i}=@" + save(folder, f"{module}.{n}.out{i}.npy", r.numpy()))
        else:
            results.append(f"out{i}=({','.join(str(int(x)) for x in r)})")
    out.write(f"{module} | {function} | {' '.join(texts)} | {' '.join(results)}\n")


@tvm.register_global_func("my.ext_norm")
def ext_norm(x, out):
    """Must exist for callpacked_if to load; the functions that are recorded do not call it."""
    raise RuntimeError("not recorded")


def main(samples, folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cases.txt"), "w") as out:
        out.write(f"# Recorded by tools/record_eval.py from apache-tvm {tvm.__version__}.\n")
        for module, function, specs in CASES:
            for n in SIZES:
                record(samples, folder, out, module, function, specs, n)


if __name__ == "__main__":
    main(*sys.argv[1:])
