#!/usr/bin/env python3
"""Records what NumPy and ml_dtypes answer, for tests/unit/tensor and tests/unit/checkpoint.

    pip install numpy ml_dtypes
    tools/record_dtypes.py [FOLDER]        default: tests/data/dtypes

<format>.txt   conversions of one float format; lines that begin with
               <  a double's bits, and the code it is rounded to
               >  a code, and the bits of the double that it stands for
numpy.txt      arrays as np.save writes them: name, dtype, dims, values, and the file in hex
stored.npz, deflated.npz   np.savez and np.savez_compressed of the same two arrays

NumPy casts a double to ml_dtypes' types through float, rounding twice. We round once, so here a double that is no
float is first rounded to odd (truncated, with the last bit set), after which the second rounding gives the
answer that a single one would. Left out: numbers between 2^-127 and 1.5 * 2^-127 to float8_e8m0fnu. They are
denormal floats, and ml_dtypes gives the upper neighbour, 2^-126, instead of the nearest.
"""
import io
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

SMALL = [
    "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2",
    "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn",
]


def dtype_of(name):
    return np.dtype(np.float16 if name == "float16" else getattr(ml_dtypes, name))


def to_odd(x):
    """float32 of a double, rounded to odd: a later rounding to 22 bits or less is as if it were the only one."""
    with np.errstate(over="ignore", under="ignore"):
        y = np.float32(x)
    if np.isnan(x) or np.float64(y) == x:
        return y
    if abs(np.float64(y)) > abs(x):  # toward zero
        y = np.nextafter(y, np.float32(0))
    bits = y.view(np.uint32) | np.uint32(1)
    return bits.view(np.float32)


def encode(name, x):
    t = dtype_of(name)
    source = np.float64(x) if name == "float16" else to_odd(np.float64(x))
    with np.errstate(all="ignore"):
        return int(np.array([source]).astype(t).view(np.uint16 if t.itemsize == 2 else np.uint8)[0])


def decode(name, code):
    t = dtype_of(name)
    raw = np.array([code], np.uint16 if t.itemsize == 2 else np.uint8).view(t)
    return np.float64(raw[0])


def codes(name):
    """All codes of the small formats, a sample of the 16-bit ones with both ends of every exponent."""
    bits = {"float4": 4, "float6": 6, "float8": 8}.get(name.split("_")[0], 16)
    if bits < 16:
        return range(1 << bits)
    mantissa = 10 if name == "float16" else 7
    picked = set()
    for exponent in range(0, 1 << 15, 1 << mantissa):
        last = exponent + (1 << mantissa) - 1
        every = name == "float16" or exponent % (4 << mantissa) == 0
        picked |= {exponent, exponent + 1, last} if every else {last}
    return sorted(picked | {c | 0x8000 for c in list(picked)[:8]})


def doubles(name, all_codes):
    """Every value, the ties between neighbours, and what lies a unit beside these, as a float and as a double."""
    values = sorted({float(v) for v in (decode(name, c) for c in all_codes) if np.isfinite(v) and v >= 0})
    step = values[-1] - values[-2]
    ties = [(a + b) / 2 for a, b in zip(values, values[1:])]
    if len(values) > 200:  # 16 bits: neighbours were not sampled; the tie above each value is half a unit away
        ties = [v + unit(name, v) / 2 for v in values]
    ties += [values[-1] + step / 2, values[-1] * 1.5, values[0] / 2]
    out = set(values)
    for tie in map(np.float64, ties):
        with np.errstate(over="ignore"):
            f = np.float32(tie)
        near = [np.float64(np.nextafter(f, np.float32(s * np.inf))) for s in (-1, 1)]
        out |= {float(x) for x in [tie, *near, np.nextafter(tie, -np.inf), np.nextafter(tie, np.inf)]}
    out |= {1e300, 5e-324, 1e-300, 2.0**-149, 2.0**-150, 2.0**-1022, 2.0**127, 3.4e38, 3.5e38, float("inf"), 0.1, np.pi}
    some = sorted(out)
    return some + [-x for x in some[:: max(1, len(some) // 60)]] + [-0.0, -float("inf"), float("nan"), -float("nan")]


def unit(name, v):
    """The distance from v to the next value above it."""
    low, mantissa = (-24, 10) if name == "float16" else (-133, 7)
    return 2.0 ** (low if v == 0 else max(low, int(np.floor(np.log2(v))) - mantissa))


def hex64(x):
    return "%016x" % int(np.float64(x).view(np.uint64)) if not np.isnan(x) else "nan"


def record_format(name, folder):
    all_codes = list(codes(name))
    lines = ["# %s by numpy %s, ml_dtypes %s; tools/record_dtypes.py" % (name, np.__version__, ml_dtypes.__version__)]
    for x in doubles(name, all_codes):
        if name == "float8_e8m0fnu" and 2.0**-127 < x < 1.5 * 2.0**-127:
            continue
        bits = "%016x" % int(np.float64(x).view(np.uint64))
        lines.append("< %s %x" % (bits, encode(name, x)))
    lines += ["> %x %s" % (c, hex64(decode(name, c))) for c in all_codes]
    (folder / (name + ".txt")).write_text("\n".join(lines) + "\n")
    return len(lines) - 1


def saved(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def arrays():
    m = ml_dtypes
    ramp = np.arange(6).reshape(2, 3)
    yield "float32", "C", ramp.astype("<f4") - 2.5
    yield "float32", "fortran", np.asfortranarray(ramp.astype("<f4"))
    yield "float32", "big", ramp.astype(">f4")
    yield "int64", "big-fortran-3d", np.asfortranarray(np.arange(-12, 12).reshape(2, 3, 4).astype(">i8"))
    yield "float64", "C", np.array([np.pi, -0.0, 1e300, 5e-324])
    yield "float16", "C", np.array([1.5, -2, 65504, 6e-8], "f2")
    yield "bool", "C", np.array([[True, False], [False, True]])
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        info = np.iinfo(name)
        yield name, "C", np.array([info.min, info.max, 1], name)
    yield "int32", "scalar", np.array(-7, "i4")
    yield "float32", "empty", np.zeros((2, 0, 3), "f4")
    yield "bfloat16", "C", np.array([1.5, -3, 1e30], m.bfloat16)
    yield "float8_e5m2", "f1", np.array([1.5, -3, 1024], m.float8_e5m2)
    yield "float8_e4m3fn", "unnamed", np.array([1.5, -3, 448], m.float8_e4m3fn)
    yield "float4_e2m1fn", "unnamed", np.array([1.5, -3, 6], m.float4_e2m1fn)
    yield "int4", "unnamed", np.array([-8, 7, -1], m.int4)


def record_arrays(folder):
    lines = ["# numpy %s, ml_dtypes %s; tools/record_dtypes.py" % (np.__version__, ml_dtypes.__version__)]
    for dtype, name, a in arrays():
        dims = ",".join(map(str, a.shape)) or "-"
        number = int if "int" in dtype or dtype == "bool" else lambda v: float(v).hex()
        values = ",".join(str(number(v)) for v in a.ravel(order="C").tolist()) or "-"
        lines.append(" ".join([dtype, name, dims, values, saved(a).hex()]))
    (folder / "numpy.txt").write_text("\n".join(lines) + "\n")
    pair = {"w": np.arange(6, dtype="f4").reshape(2, 3), "big": np.arange(40, dtype=">i2")}
    np.savez(folder / "stored.npz", **pair)
    np.savez_compressed(folder / "deflated.npz", **pair)


def main():
    here = Path(__file__).resolve().parent.parent
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "tests" / "data" / "dtypes"
    folder.mkdir(parents=True, exist_ok=True)
    total = sum(record_format(name, folder) for name in ["float16", "bfloat16", *SMALL])
    record_arrays(folder)
    print("%d conversions of %d formats in %s" % (total, 2 + len(SMALL), folder))


main()
