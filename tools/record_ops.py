#!/usr/bin/env python3
"""Records what operators compute, by NumPy, SciPy and ONNX Runtime, for tests that replay it without them.

usage: python tools/record_ops.py tests/data/ops/values.txt
needs: numpy 2, ml_dtypes, scipy, onnx, onnxruntime, apache-tvm==0.25.0.post1

Each line is `operands | call | results`. An operand is `name=dtype[dims]@seed`, filled as tensor_fill_random does, or
`name=dtype[dims]:v,v,…`. A result is `dtype[dims]: v v …`; several are separated by ` ; `.
"""
import math
import random
import sys
import zlib

import ml_dtypes  # noqa: F401 teaches NumPy bfloat16
import numpy as np
from scipy import special

rnd = random.Random()
MASK = (1 << 64) - 1
SIZES = [0, 1, 1, 2, 2, 3, 3, 7, 16, 33]


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def is_real(dtype):
    return np.dtype(dtype).kind == "f" or np.dtype(dtype).name == "bfloat16"


def fill(dtype, shape, seed):
    """tensor_fill_random of src/tensor/tensor_random.c."""
    count = int(np.prod(shape)) if shape else 1
    mixed = mix((seed + 0x9E3779B97F4A7C15) & MASK)
    bits = [mix((mixed + (i + 1) * 0x9E3779B97F4A7C15) & MASK) for i in range(count)]
    t = np.dtype(dtype)
    if is_real(t):
        values = np.array([(b >> 11) * 2.0**-52 - 1 for b in bits]).astype(t)
        values = np.where(values < 1, values, -1).astype(t)
    elif t.kind == "b":
        values = np.array([b >> 63 for b in bits], dtype=bool)
    else:
        values = np.array([(b >> 60) - (8 if t.kind == "i" else 0) for b in bits]).astype(t)
    return values.reshape(shape)


class Operand:
    def __init__(self, array, spec):
        self.array, self.spec = array, spec


CASE = {"dtype": None}  # what operands are of that a generator leaves open


def as_numbers(array, dtype):
    """Halves as float32 of the same values, so that references compute with more digits than they have."""
    return array.astype("float32") if dtype == CASE["dtype"] and dtype in ("float16", "bfloat16") else array


def random_operand(shape, dtype=None):
    seed, dtype = rnd.randrange(1, 1000), dtype or CASE["dtype"] or "float32"
    return Operand(as_numbers(fill(dtype, tuple(shape), seed), dtype), f"{dtype}[{','.join(map(str, shape))}]@{seed}")


def number(v):
    if isinstance(v, (bool, np.bool_)):
        return str(int(v))
    if isinstance(v, (int, np.integer)):
        return str(int(v))
    v = float(v)
    return "nan" if math.isnan(v) else "inf" if v == math.inf else "-inf" if v == -math.inf else repr(v) if v != int(v) or abs(v) > 1e15 or (v == 0 and math.copysign(1, v) < 0) else str(int(v))


def short(v, dtype):
    if not is_real(dtype) or not math.isfinite(float(v)):
        return number(v)
    return f"{float(v):.9g}" if np.dtype(dtype) == np.float64 else f"{float(v):.7g}"


def given(values, dtype=None, shape=None):
    dtype = dtype or CASE["dtype"] or "float32"
    array = np.array(values).astype(dtype)
    array = array.reshape(shape if shape is not None else array.shape)
    return Operand(as_numbers(array, dtype), f"{dtype}[{','.join(map(str, array.shape))}]:" + ",".join(number(v) for v in array.reshape(-1)))


WIDE = {"size": None, "used": False}  # the size that one extent of a case has in place of what is drawn for it


def extent(size, chance=0.3):
    if WIDE["size"] is None or WIDE["used"] or rnd.random() > chance:
        return size
    WIDE["used"] = True
    return WIDE["size"]


def pick(*of):
    """One of them; where sizes are looked for, one that is a count may be the size."""
    return extent(rnd.choice(of)) if all(type(v) is int and v > 0 for v in of) else rnd.choice(of)


def dims(rank=None, limit=48):
    while True:
        shape = [rnd.choice(SIZES) for _ in range(pick(0, 1, 2, 2, 3) if rank is None else rank)]
        if np.prod(shape, initial=1) <= limit:
            return shape


OPS = {}


def op(*names, count=25):
    def add(make):
        for name in names:
            OPS[name] = (make, count)
        return make

    return add


SPECIALS = [math.nan, math.inf, -math.inf, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, 1e-3, 30.0, -100.0]
UNARY = {
    "abs": np.abs, "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "erf": special.erf, "exp": np.exp,
    "floor": np.floor, "isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan, "log": np.log,
    "negative": np.negative, "round": np.round, "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": special.expit,
    "sign": np.sign, "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "square": np.square, "tan": np.tan,
    "tanh": np.tanh, "trunc": np.trunc, "nn.relu": lambda x: np.maximum(x, 0),
    "nn.gelu": lambda x: x * 0.5 * (1 + special.erf(x / math.sqrt(2))),
    "nn.gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "nn.silu": lambda x: x * special.expit(x),
    "nn.selu": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543773 * np.expm1(np.minimum(x, 0))),
    "nn.leakyrelu": lambda x: np.where(x > 0, x, x * 0.01),
    "nn.softplus": lambda x: np.where(x > 20, x, np.log1p(np.exp(x))),
}
WHOLE = {"abs", "ceil", "floor", "negative", "round", "sign", "square", "trunc", "isnan", "isinf", "isfinite", "nn.relu"}
SILENT = {"nn.gelu", "nn.gelu_tanh", "nn.silu"}  # inf * 0 in the middle: the limits are not taken


@op(*UNARY, count=25)
def unary(name):
    f = UNARY[name]
    if is_real(CASE["dtype"]) and rnd.random() < 0.3:
        values = [v for v in SPECIALS if not (name in SILENT and v == -math.inf)]
        x = given(values)
    else:
        x = random_operand(dims())
    wide = x.array.astype(np.float64) if is_real(x.array.dtype) else x.array
    y = np.asarray(f(wide))
    return [x], f"R.{name}(a)", [y if y.dtype == bool else y.astype(x.array.dtype)]


@op("logical_not", "bitwise_not", count=25)
def unary_bits(name):
    x = random_operand(dims())
    return [x], f"R.{name}(a)", [np.invert(x.array) if name == "bitwise_not" else np.logical_not(x.array).astype(x.array.dtype)]


def trunc_div(a, b):
    if is_real(a.dtype):
        return a / b
    if a.dtype.kind == "u":
        return np.where(b == 0, 0, a // np.where(b == 0, 1, b)).astype(a.dtype)
    with np.errstate(all="ignore"):
        q = np.where(b == 0, 0, np.abs(a.astype(np.int64)) // np.maximum(np.abs(b.astype(np.int64)), 1) * np.sign(a.astype(np.int64)) * np.sign(b.astype(np.int64)))
    return q.astype(a.dtype)


def int_safe(f):
    def go(a, b):
        if is_real(a.dtype):
            return f(a, b)
        return np.where(b == 0, 0, f(a, np.where(b == 0, 1, b))).astype(a.dtype)

    return go


BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": trunc_div,
    "floor_divide": int_safe(np.floor_divide), "floor_mod": int_safe(np.mod), "mod": int_safe(np.fmod),
    "power": np.power, "maximum": np.maximum, "minimum": np.minimum, "equal": np.equal, "not_equal": np.not_equal,
    "less": np.less, "less_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal,
    "atan2": np.arctan2, "log_add_exp": np.logaddexp,
}


@op(*BINARY, count=25)
def binary(name):
    a = dims()
    b = [pick(d, 1) for d in a[rnd.randint(0, len(a)):]]
    if rnd.random() < 0.4:
        a, b = b, a
    x, y = random_operand(a), random_operand(b)
    if is_real(CASE["dtype"]) and rnd.random() < 0.2:
        some = [math.nan, math.inf, -math.inf, 0.0, 1.0, -2.5]
        x, y = given([[v] * 6 for v in some]), given(some)
        if name in ("floor_divide", "floor_mod"):
            some = [math.nan, 0.5, 1.0, -2.5, 3.0]
            x, y = given([[v] * 4 for v in some]), given([1.0, -2.5, 0.75, -1.0])
    if name == "power" and is_real(CASE["dtype"]):
        x = given(np.abs(x.array) + 0.5) if not np.isnan(x.array).any() else x
    elif name == "power":  # NumPy refuses negative exponents of integers; large ones wrap
        y = given(np.abs(y.array.astype("int64")) * pick(1, 1, 9))
    wide = np.float64 if is_real(x.array.dtype) else x.array.dtype
    out = BINARY[name](x.array.astype(wide), y.array.astype(wide))
    return [x, y], f"R.{name}(a, b)", [out if out.dtype == bool else out.astype(x.array.dtype)]


@op("logical_and", "logical_or", "logical_xor", count=25)
def logical(name):
    a = dims()
    x, y = random_operand(a), random_operand(a[rnd.randint(0, len(a)):])
    return [x, y], f"R.{name}(a, b)", [getattr(np, name)(x.array, y.array).astype(x.array.dtype)]


@op("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", count=25)
def bits(name):
    a = dims()
    dtype = CASE["dtype"]
    x, y = random_operand(a), random_operand(a[rnd.randint(0, len(a)):])
    if name.endswith("shift"):
        y = given(y.array.astype("int64") * pick(1, 1, 5), dtype)  # also by too many bits, and by less than 0
    return [x, y], f"R.{name}(a, b)", [getattr(np, name)(x.array, y.array)]


@op("where", count=25)
def where(name):
    a = dims()
    c, x, y = random_operand(a, "bool"), random_operand(a), random_operand(a[rnd.randint(0, len(a)):])
    return [c, x, y], "R.where(a, b, c)", [np.where(c.array, x.array, y.array)]


@op("clip", count=25)
def clip(name):
    if not is_real(CASE["dtype"]):
        x, low, high = random_operand(dims()), pick(0, 2), pick(3, 5)
        return [x], f"R.clip(a, R.prim_value({low}), R.prim_value({high}))", [np.clip(x.array, low, high)]
    x = pick(random_operand(dims()), given([math.nan, math.inf, -math.inf, 0.2, 5.0]))
    return [x], "R.clip(a, R.prim_value(-0.25), R.prim_value(0.5))", [np.clip(x.array, np.float32(-0.25), np.float32(0.5))]


@op("astype", count=25)
def astype(name):
    to = pick("int32", "int8", "float16", "float64", "uint8", "bool", "int64", "uint16")
    if not is_real(CASE["dtype"]):  # whole numbers wrap
        x = random_operand(dims())
        return [x], f'R.astype(a, dtype="{to}")', [x.array.astype(to)]
    x = pick(random_operand(dims()), given([1.9, -1.9, 0.5, 100.7, -100.2, 0.0]))
    if rnd.random() < 0.4 and np.dtype(to).kind in "iu":  # docs/numerics.md: toward zero, NaN is 0, out of range saturates
        x = given([math.nan, math.inf, -math.inf, 300.7, -300.7, 1e4, -0.9])
    y = x.array.astype(float)
    if np.dtype(to).kind in "iu":
        low, high = np.iinfo(to).min, np.iinfo(to).max
        y = np.array([0 if math.isnan(v) else int(max(min(v, high), low)) for v in y.reshape(-1)], dtype=object).reshape(y.shape)
    return [x], f'R.astype(a, dtype="{to}")', [y.astype(to)]


# --- Linear algebra.
@op("matmul", count=30)
def matmul(name):
    i, k, j = rnd.choice(SIZES), rnd.choice(SIZES), rnd.choice(SIZES)
    batch = pick([], [], [2], [2, 3])
    a, b = batch + [i, k], [pick(d, 1) for d in batch[rnd.randint(0, len(batch)):]] + [k, j]
    if rnd.random() < 0.15:
        a = [k]
    elif rnd.random() < 0.15:
        b = [k]
    dtype = CASE["dtype"]
    x, y = random_operand(a), random_operand(b)
    if dtype == "int8":
        return [x, y], 'R.matmul(a, b, out_dtype="int32")', [np.matmul(x.array.astype("int32"), y.array.astype("int32"))]
    wide = np.float64 if is_real(dtype) else dtype
    return [x, y], "R.matmul(a, b)", [np.matmul(x.array.astype(wide), y.array.astype(wide)).astype(dtype)]


@op("einsum", count=25)
def einsum(name):
    i, j, k = pick(1, 2, 3), pick(1, 2, 4), pick(0, 2, 3)
    eq, shapes = pick(("ij,jk->ik", [[i, j], [j, k]]), ("ij->ji", [[i, j]]), ("ij,ij->", [[i, j], [i, j]]),
                      ("bij,bjk->bik", [[2, i, j], [2, j, k]]), ("ii->i", [[i, i]]), ("ij,j", [[i, j], [j]]), ("ij->j", [[i, k]]),
                      ("...ij->...ji", [[2, i, j]]), ("i,j,k->kji", [[i], [j], [k]]))
    xs = [random_operand(s) for s in shapes]
    names = "(" + "".join(f"{n}, " for n in "abc"[:len(xs)]) + ")"
    return xs, f'R.einsum({names}, subscripts="{eq}")', [np.einsum(eq, *[x.array for x in xs])]


@op("outer", count=25)
def outer(name):
    x, y = random_operand(dims(1)), random_operand(dims(1))
    return [x, y], "R.outer(a, b)", [np.outer(x.array, y.array)]


# --- Sums.
def axes(rank):
    if rnd.random() < 0.25:
        return None
    some = rnd.sample(range(rank), rnd.randint(0, rank))
    return [a - rank if rnd.random() < 0.3 else a for a in some]


REDUCE = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "mean": np.mean, "variance": np.var, "std": np.std}


@op(*REDUCE, count=25)
def reduce(name):
    shape = [extent(max(d, 1)) for d in dims()] if name not in ("sum", "prod") else dims()
    at, keep = axes(len(shape)), pick(True, False)
    dtype = CASE["dtype"]
    x = random_operand(shape)
    if is_real(dtype) and name in ("max", "min") and rnd.random() < 0.5:
        x = given([[1.0, math.nan, 3.0], [math.inf, 2.0, -math.inf]])
        at = pick([0], [1], None)
    wide = np.float64 if is_real(dtype) else x.array.dtype
    y = np.asarray(REDUCE[name](x.array.astype(wide), axis=None if at is None else tuple(at), keepdims=keep))
    return [x], f"R.{name}(a, axis={at}, keepdims={keep})", [y.astype(dtype)]


@op("argmax", "argmin", count=25)
def argreduce(name):
    shape = [extent(max(d, 1)) for d in dims(rnd.choice((1, 2, 3)))]
    at, keep = pick(None, rnd.randrange(len(shape))), pick(True, False)
    x = random_operand(shape)
    if is_real(CASE["dtype"]) and pick(True, False):
        x = given([[2.0, math.nan, 3.0], [3.0, 3.0, 1.0]])
    at = at if at is None or at < x.array.ndim else 0
    return [x], f"R.{name}(a, axis={at}, keepdims={keep})", [np.asarray(getattr(np, name)(x.array, axis=at, keepdims=keep)).astype("int64")]


@op("median", count=25)
def median(name):
    shape = [extent(max(d, 1)) for d in dims(rnd.choice((1, 2)))]
    at = rnd.randrange(len(shape))
    x = random_operand(shape)
    order = np.argsort(x.array, axis=at, kind="stable")
    middle = np.take(order, [(shape[at] - 1) // 2], axis=at)
    value = np.take_along_axis(x.array, middle, axis=at)
    return [x], f"R.median(a, axis=[{at}], keepdims=False)", [np.squeeze(value, at), np.squeeze(middle, at).astype("int64")]


@op("cumsum", "cumprod", count=25)
def scan(name):
    shape = dims(rnd.choice((1, 2, 3)))
    at, exclusive = pick(None, rnd.randrange(len(shape)), -1), pick(True, False)
    dtype = CASE["dtype"]
    x = random_operand(shape)
    wide = np.float64 if is_real(dtype) else dtype
    y = getattr(np, name)(x.array.astype(wide), axis=at, dtype=wide)
    if exclusive:
        y = np.roll(y, 1, axis=-1 if at is None else at)
        y[(slice(None),) * ((at or 0) % y.ndim if at is not None else 0) + (slice(0, 1),)] = 0 if name == "cumsum" else 1
    return [x], f"R.{name}(a, axis={at}, exclusive={exclusive})", [y.astype(dtype)]


# --- The same elements in another place.
@op("reshape", count=25)
def reshape(name):
    x = random_operand(pick([2, 6], [12], [3, 4]))
    to = pick([12], [2, 2, 3], [6, -1], [1, 12, 1])
    if WIDE["size"] is not None:
        n = extent(1, 1)
        x, to = random_operand([n, 2]), pick([2 * n], [2, n], [1, n, 2])
    return [x], f"R.reshape(a, ({', '.join(map(str, to))},))", [x.array.reshape(to)]


@op("flatten", count=25)
def flatten(name):
    x = random_operand(dims())
    return [x], "R.flatten(a)", [x.array.reshape(-1)]


@op("permute_dims", count=25)
def permute(name):
    shape = dims()
    order = list(range(len(shape)))
    rnd.shuffle(order)
    x = random_operand(shape)
    return [x], f"R.permute_dims(a, axes={order})", [np.transpose(x.array, order)]


@op("expand_dims", count=25)
def expand(name):
    x = random_operand(dims())
    at = pick([0], [-1], [0, -1], [0, 1])
    return [x], f"R.expand_dims(a, axis={at})", [np.expand_dims(x.array, tuple(at))]


@op("squeeze", count=25)
def squeeze(name):
    x = random_operand(pick([1, extent(3), 1], [1, 2], [2, 1, 3, 1]))
    at = pick(None, [x.array.shape.index(1)])
    return [x], f"R.squeeze(a, axis={at})", [np.squeeze(x.array, None if at is None else tuple(at))]


@op("broadcast_to", count=25)
def broadcast(name):
    a = [pick(1, 3), pick(1, 2)]
    to = [pick(2, 4)] * pick(0, 1) + [d if d > 1 else pick(1, 0, 3) for d in a]
    x = random_operand(a)
    return [x], f"R.broadcast_to(a, R.shape({to}))", [np.broadcast_to(x.array, to)]


@op("concat", count=25)
def concat(name):
    shape = dims(rnd.choice((1, 2, 3)), 24)
    at = rnd.randrange(len(shape))
    xs = []
    for _ in range(pick(1, 2, 3)):
        s = list(shape)
        s[at] = rnd.choice(SIZES)
        xs.append(random_operand(s))
    names = "(" + "".join(f"{n}, " for n in "abc"[:len(xs)]) + ")"
    return xs, f"R.concat({names}, axis={pick(at, at - len(shape))})", [np.concatenate([x.array for x in xs], at)]


@op("stack", count=25)
def stack(name):
    shape = dims(rnd.choice((1, 2)))
    xs = [random_operand(shape) for _ in range(pick(1, 2, 3))]
    at = pick(0, -1, len(shape))
    names = "(" + "".join(f"{n}, " for n in "abc"[:len(xs)]) + ")"
    return xs, f"R.stack({names}, axis={at})", [np.stack([x.array for x in xs], at)]


@op("split", count=25)
def split(name):
    shape = [extent(max(d, 1)) for d in dims(rnd.choice((1, 2)))]
    at = rnd.randrange(len(shape))
    x = random_operand(shape)
    if rnd.random() < 0.5:
        parts = pick(2, 3)
        step = -(-shape[at] // parts)
        cuts = [min(step * i, shape[at]) for i in range(1, parts)]
        return [x], f"R.split(a, indices_or_sections={parts}, axis={at})", np.split(x.array, cuts, at)
    cuts = sorted(rnd.sample(range(0, 6), 2))
    return [x], f"R.split(a, indices_or_sections={cuts}, axis={at})", np.split(x.array, [min(v, shape[at]) for v in cuts], at)


@op("tile", count=25)
def tile(name):
    x = random_operand([extent(d) for d in dims(rnd.choice((1, 2)), 12)])
    times = pick([2], [1, 3], [2, 1, 2], [0])
    return [x], f"R.tile(a, repeats={times})", [np.tile(x.array, times)]


@op("repeat", count=25)
def repeat(name):
    shape = [extent(d) for d in dims(rnd.choice((1, 2)), 12)]
    x = random_operand(shape)
    at, times = pick(None, rnd.randrange(len(shape))), pick(1, 2, 3, 0)
    return [x], f"R.repeat(a, repeats={times}, axis={at})", [np.repeat(x.array, times, at)]


@op("flip", count=25)
def flip(name):
    shape = dims(rnd.choice((1, 2, 3)))
    at = rnd.randrange(len(shape))
    x = random_operand(shape)
    return [x], f"R.flip(a, axis={at})", [np.flip(x.array, at)]


@op("take", count=25)
def take(name):
    shape = [extent(max(d, 1)) for d in dims(rnd.choice((1, 2, 3)), 24)]
    at = rnd.randrange(len(shape))
    n, ix = shape[at], dims(rnd.choice((0, 1, 2)), 4)
    mode = pick("fast", "wrap", "clip", *(["nan"] if is_real(CASE["dtype"]) else []))
    high = 2 * n + 1 if mode != "fast" else n - 1
    values = [rnd.randint(-n if mode != "wrap" else -2 * n, high) for _ in range(int(np.prod(ix, initial=1)))]
    x, i = random_operand(shape), given(values, pick("int32", "int64"), ix)
    j = i.array.astype(np.int64)
    if mode == "wrap":
        y = np.take(x.array, j % n, at)
    elif mode == "clip":
        y = np.take(x.array, np.clip(j, 0, n - 1), at)
    else:
        y = np.take(x.array, np.clip(np.where(j < 0, j + n, j), 0, n - 1), at)
    if mode == "nan":
        bad = ((j < -n) | (j >= n)).reshape([1] * at + ix + [1] * (len(shape) - at - 1))
        y = np.where(bad, np.float32(math.nan), y)
    return [x, i], f'R.take(a, b, axis={at}, mode="{mode}")', [y]


@op("gather_elements", count=25)
def gather_elements(name):
    shape = [extent(max(d, 1)) for d in dims(rnd.choice((1, 2, 3)), 24)]
    at = rnd.randrange(len(shape))
    ix = list(shape)
    ix[at] = pick(1, 2, 4)
    n = shape[at]
    values = [rnd.randint(-n, n - 1) for _ in range(int(np.prod(ix)))]
    x, i = random_operand(shape), given(values, "int64", ix)
    return [x, i], f"R.gather_elements(a, b, axis={at})", [np.take_along_axis(x.array, i.array % n, at)]


@op("gather_nd", count=25)
def gather_nd(name):
    x = random_operand([extent(3), extent(2), extent(4)])
    depth, rows = rnd.choice((1, 2, 3)), extent(pick(0, 1, 3))
    values = [[rnd.randint(-x.array.shape[k], x.array.shape[k] - 1) for k in range(depth)] for _ in range(rows)]
    i = given(values, "int64", (rows, depth))
    return [x, i], "R.gather_nd(a, b)", [x.array[tuple(i.array[:, k] for k in range(depth))]]


@op("index_tensor", count=25)
def index_tensor(name):
    n, m = extent(3), extent(4)
    x = random_operand([n, m, extent(2)])
    i, j = given([rnd.randint(-n, n - 1) for _ in range(3)], "int64"), given([[rnd.randint(-m, m - 1)] for _ in range(2)], "int64")
    return [x, i, j], "R.index_tensor(a, (b, c))", [x.array[i.array, j.array]]


@op("scatter_elements", count=25)
def scatter_elements(name):
    x = random_operand([extent(4), extent(3)])
    at, how = pick(0, 1), pick("update", "add", "mul", "max", "min", "mean")
    n, m = (extent(2), 2) if at == 0 else (2, extent(2))
    if (m if at == 0 else n) > x.array.shape[1 - at]:
        return None
    u = random_operand([n, m])
    i = given([[rnd.randint(-x.array.shape[at], x.array.shape[at] - 1) for _ in range(m)] for _ in range(n)], "int64", (n, m))
    y = x.array.copy()
    f = {"update": lambda o, n: n, "add": lambda o, n: o + n, "mul": lambda o, n: o * n, "max": max, "min": min,
         "mean": lambda o, n: (o + n) / 2 if is_real(CASE["dtype"]) else math.trunc((int(o) + int(n)) / 2)}[how]
    for r in range(n):
        for c in range(m):
            place = (i.array[r, c], c) if at == 0 else (r, i.array[r, c])
            y[place] = f(y[place], u.array[r, c])
    return [x, i, u], f'R.scatter_elements(a, b, c, axis={at}, reduction="{how}")', [y]


@op("scatter_nd", count=25)
def scatter_nd(name):
    n, m, rows = extent(4), extent(3), extent(3)
    x, how = random_operand([n, m]), pick("update", "add")
    i, u = given([[rnd.randint(-n, n - 1)] for _ in range(rows)], "int64", (rows, 1)), random_operand([rows, m])
    y = x.array.copy()
    for r in range(rows):
        y[i.array[r, 0]] = u.array[r] + (y[i.array[r, 0]] if how == "add" else 0)
    return [x, i, u], f'R.scatter_nd(a, b, c, reduction="{how}")', [y]


@op("index_put", count=25)
def index_put(name):
    n, m, count = extent(4), extent(3), extent(3)
    x, add = random_operand([n, m]), pick(True, False)
    i, j = given([rnd.randint(-n, n - 1) for _ in range(count)], "int64"), given([rnd.randint(0, m - 1) for _ in range(count)], "int64")
    u = random_operand([count])
    y = x.array.copy()
    for k in range(count):
        y[i.array[k], j.array[k]] = u.array[k] + (y[i.array[k], j.array[k]] if add else 0)
    return [x, i, j, u], f"R.index_put(a, (b, c), d, accumulate={add})", [y]


@op("slice_scatter", count=25)
def slice_scatter(name):
    x = random_operand([extent(8), extent(2)])
    start, step, count = pick(0, 1, 2), pick(1, 2), 3
    s, y = random_operand([count, x.array.shape[1]]), x.array.copy()
    stop = start + (count - 1) * step + 1
    y[start:stop:step] = s.array
    return [x, s], f"R.slice_scatter(a, b, R.prim_value({start}), R.prim_value({stop}), R.prim_value({step}), axis=0)", [y]


@op("strided_slice", count=25)
def strided_slice(name):
    shape = dims(rnd.choice((1, 2)), 40)
    at = rnd.randrange(len(shape))
    begin, end, stride = pick(0, 1, -1, -3, 2, 9), pick(2, 5, -1, 2**63 - 1, 0, -9), pick(1, 1, 2, -1, -2, 3)
    x = random_operand(shape)
    cut = [slice(None)] * len(shape)
    cut[at] = slice(begin, None if end == 2**63 - 1 and stride > 0 else end, stride)
    return [x], f"R.strided_slice(a, ({at},), ({begin},), ({end},), ({stride},))", [x.array[tuple(cut)]]


@op("nn.pad", count=25)
def pad(name):
    shape = [extent(max(d, 3)) for d in dims(rnd.choice((1, 2)), 24)]
    width = [pick(0, 1, 2) for _ in range(2 * len(shape))]
    mode = pick("constant", "reflect", "edge", "circular")
    x = random_operand(shape)
    pairs = list(zip(width[::2], width[1::2]))
    y = np.pad(x.array, pairs, mode={"circular": "wrap"}.get(mode, mode), **({"constant_values": 1.5} if mode == "constant" else {}))
    return [x], f'R.nn.pad(a, pad_width={width}, pad_value=1.5, pad_mode="{mode}")', [y]


@op("tril", "triu", count=25)
def tri(name):
    x, k = random_operand(dims(rnd.choice((2, 3)))), pick(-2, -1, 0, 1, 2)
    return [x], f"R.{name}(a, R.prim_value({k}))", [getattr(np, name)(x.array, k)]


@op("one_hot", count=25)
def one_hot(name):
    shape = [extent(d) for d in dims(rnd.choice((0, 1, 2)), 8)]
    low = 0 if CASE["dtype"].startswith("u") else -1
    i = given([rnd.randint(low, 4) for _ in range(int(np.prod(shape, initial=1)))], None, shape)
    at = pick(-1, 0)
    y = np.where(np.expand_dims(i.array, at) == np.arange(4).reshape([4] + [1] * len(shape) if at == 0 else [1] * len(shape) + [4]), 5, -2)
    return [i], f"R.one_hot(a, R.prim_value(5), R.prim_value(-2), depth=4, axis={at})", [y.astype("int64")]


@op("nn.pixel_shuffle", count=25)
def pixel_shuffle(name):
    x = random_operand([pick(1, 2), 4 * pick(1, 2), 2, pick(1, 3)])
    n, c, h, w = x.array.shape
    y = x.array.reshape(n, c // 4, 2, 2, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(n, c // 4, h * 2, w * 2)
    return [x], "R.nn.pixel_shuffle(a, upscale_factor=2)", [y]


@op("collapse_sum_like", count=25)
def collapse(name):
    a, b, c = extent(2), extent(3), extent(4)
    x = random_operand([a, b, c])
    to = pick([b, c], [1, c], [c], [a, 1, c], [1, 1, 1])
    y = x.array
    while y.ndim > len(to):
        y = y.sum(0, dtype=y.dtype)
    y = y.sum(axis=tuple(i for i, d in enumerate(to) if d == 1), keepdims=True, dtype=y.dtype)
    return [x, random_operand(to)], "R.collapse_sum_like(a, b)", [y]


@op("meshgrid", count=25)
def meshgrid(name):
    xs = [random_operand(dims(1)) for _ in range(2)]
    how = pick("ij", "xy")
    return xs, f'R.meshgrid((a, b), indexing="{how}")', list(np.meshgrid(*[x.array for x in xs], indexing=how))


# --- Tensors from nothing.
@op("arange", count=25)
def arange(name):
    a, b, c, dtype = pick(0, 1, -3), extent(pick(5, 10, 0)), pick(1, 2, 3), pick("int64", "float32", "int32")
    return [], f'R.arange(R.prim_value({a}), R.prim_value({b}), R.prim_value({c}), dtype="{dtype}")', [np.arange(a, b, c, dtype)]


@op("eye", count=25)
def eye(name):
    n, m, k, dtype = pick(0, 1, 3, 7), pick(2, 4, 7), pick(-2, -1, 0, 1, 3), pick("float32", "int32", "float16", "int8", "bool")
    return [], f'R.eye(R.prim_value({n}), R.prim_value({m}), R.prim_value({k}), dtype="{dtype}")', [np.eye(n, m, k, dtype)]


@op("full_like", "zeros_like", "ones_like", count=25)
def like(name):
    x = random_operand(dims())
    if name == "full_like":
        v = given(1, None, ())
        return [x, v], "R.full_like(a, b)", [np.full_like(x.array, 1)]
    return [x], f"R.{name}(a)", [getattr(np, name)(x.array)]


@op("hamming_window", count=25)
def hamming(name):
    n = extent(rnd.randint(1, 40), 1)
    return [], f"R.hamming_window(R.prim_value({n}), R.prim_value(0), R.prim_value(T.float32(0.54)), R.prim_value(T.float32(0.46)), dtype=\"float32\")", [np.hamming(n).astype("float32")]


# --- Order.
@op("sort", "argsort", count=25)
def sort(name):
    shape = dims(rnd.choice((1, 2, 3)))
    at = rnd.randrange(len(shape))
    x = random_operand(shape)
    if name == "sort":
        return [x], f"R.sort(a, axis={at})", [np.sort(x.array, at)]
    return [x], f"R.argsort(a, axis={at})", [np.argsort(x.array, at, kind="stable").astype("int32")]


@op("topk", count=25)
def topk(name):
    shape = [extent(max(d, 3)) for d in dims(rnd.choice((1, 2)), 24)]
    at, k, largest = rnd.randrange(len(shape)), rnd.choice((1, 2, 3)), pick(True, False)
    x = random_operand(shape)
    order = np.argsort(x.array.astype(float) * (-1 if largest else 1), at, kind="stable")
    best = np.take(order, range(k), at)
    return [x], f"R.topk(a, k={k}, axis={at}, largest={largest})", [np.take_along_axis(x.array, best, at), best.astype("int32")]


@op("bucketize", count=25)
def bucketize(name):
    x, b, right = random_operand(dims(rnd.choice((0, 1, 2)))), given([-0.5, 0.0, 0.25, 0.5]), pick(True, False)
    return [x, b], f"R.bucketize(a, b, right={right})", [np.searchsorted(b.array, x.array, "right" if right else "left").astype("int64")]


@op("unique", count=25)
def unique(name):
    x = random_operand(dims(1))
    flags = [pick(0, 1) for _ in range(3)]
    y = np.unique(x.array, *[bool(f) for f in flags])
    y = list(y) if any(flags) else [y]
    text = ", ".join(f"R.prim_value({f})" for f in [1] + flags)
    return [x], f"R.unique(a, {text})", [y[0]] + [v.astype("int64") for v in y[1:]]


@op("nonzero", count=25)
def nonzero(name):
    x = random_operand(dims(rnd.choice((1, 2, 3))))
    return [x], "R.nonzero(a)", [np.array(np.nonzero(x.array), "int64")]


@op("dynamic_strided_slice", count=25)
def dynamic_slice(name):
    shape = dims(2)
    x = random_operand(shape)
    begin, end, step = [pick(0, 1, -2) for _ in shape], [pick(2, 9, -1) for _ in shape], [pick(1, 2) for _ in shape]
    cut = tuple(slice(b, e, s) for b, e, s in zip(begin, end, step))
    return [x, given(begin, "int64"), given(end, "int64"), given(step, "int64")], "R.dynamic_strided_slice(a, b, c, d)", [x.array[cut]]


# --- Neural networks.
@op("nn.softmax", "nn.log_softmax", count=25)
def softmax(name):
    shape = dims(rnd.choice((1, 2, 3)))
    at = rnd.randrange(len(shape))
    x = random_operand(shape)
    if rnd.random() < 0.3:
        x, at = given([[1e4, 1.0, -1e4], [math.nan, 1.0, 2.0], [-math.inf] * 3, [-math.inf, 0.0, 1.0]]), 1
    f = special.softmax if name == "nn.softmax" else special.log_softmax
    with np.errstate(all="ignore"):
        y = f(x.array.astype(np.float64), axis=at) if x.array.size else x.array
    return [x], f"R.{name}(a, axis={at})", [y.astype(x.array.dtype)]


@op("nn.prelu", count=25)
def prelu(name):
    x, a = random_operand([extent(2), 3, extent(2)]), random_operand([3])
    return [x, a], "R.nn.prelu(a, b, axis=1)", [np.where(x.array > 0, x.array, x.array * a.array.reshape(1, 3, 1))]


def normalised(x, axis, eps):
    x = x.astype(np.float64)
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


@op("nn.layer_norm", count=25)
def layer_norm(name):
    shape = [pick(0, 1, 3), pick(1, 2, 4), pick(1, 3, 7)]
    at, dtype = pick([-1], [1, 2], [-2, -1]), CASE["dtype"]
    part = [shape[a] for a in at]
    x, g, b = random_operand(shape), random_operand(part), random_operand(part)
    y = normalised(x.array, tuple(at), 1e-5) * g.array + b.array if x.array.size else x.array
    return [x, g, b], f"R.nn.layer_norm(a, b, c, axes={at})", [y.astype(dtype)]


@op("nn.rms_norm", count=25)
def rms_norm(name):
    shape, dtype = [pick(0, 1, 3), pick(1, 4, 7)], CASE["dtype"]
    x, w = random_operand(shape), random_operand(shape[-1:])
    wide = x.array.astype(np.float64)
    y = wide / np.sqrt((wide**2).mean(-1, keepdims=True) + 1e-5) * w.array
    return [x, w], "R.nn.rms_norm(a, b, axes=[-1])", [y.astype(dtype)]


@op("nn.group_norm", "nn.instance_norm", count=25)
def group_norm(name):
    n, size = extent(2), extent(3)
    x, g, b = random_operand([n, 4, size]), random_operand([4]), random_operand([4])
    groups = rnd.choice((1, 2, 4)) if name == "nn.group_norm" else 4
    y = normalised(x.array.reshape(n, groups, 4 // groups * size), 2, 1e-5).reshape(n, 4, size) * g.array.reshape(4, 1) + b.array.reshape(4, 1)
    if name == "nn.group_norm":
        return [x, g, b], f"R.nn.group_norm(a, b, c, num_groups={groups}, channel_axis=1, axes=[2])", [y.astype("float32")]
    return [x, g, b], "R.nn.instance_norm(a, b, c, channel_axis=1, axes=[2])", [y.astype("float32")]


@op("nn.batch_norm", count=25)
def batch_norm(name):
    x = random_operand([extent(3), 2, extent(2)])
    g, b, m, v = random_operand([2]), random_operand([2]), random_operand([2]), given([0.5, 2.0])
    c = lambda t: t.array.reshape(2, 1)
    if pick(True, False):
        y = (x.array - c(m)) / np.sqrt(c(v) + 1e-5) * c(g) + c(b)
        return [x, g, b, m, v], "R.nn.batch_norm(a, b, c, d, e, axis=1, training=False)", [y.astype("float32"), m.array, v.array]
    mean, var = x.array.mean((0, 2)), x.array.var((0, 2))
    y = (x.array - mean.reshape(2, 1)) / np.sqrt(var.reshape(2, 1) + 1e-5) * c(g) + c(b)
    return [x, g, b, m, v], "R.nn.batch_norm(a, b, c, d, e, axis=1)", [y.astype("float32"), (m.array * 0.9 + mean * 0.1).astype("float32"), (v.array * 0.9 + var * 0.1).astype("float32")]


def windows(x, spatial, size, stride, before, after, dilation, fill):
    """x padded, and for each output place its window: [n, c, out..., size...]."""
    pairs = [(0, 0), (0, 0)] + [(before[i], after[i]) for i in range(spatial)]
    p = np.pad(x, pairs, constant_values=fill)
    for i in range(spatial):
        reach = dilation[i] * (size[i] - 1) + 1
        count = (p.shape[2 + i] - reach) // stride[i] + 1
        index = (np.arange(count) * stride[i])[:, None] + (np.arange(size[i]) * dilation[i])[None, :]
        p = np.moveaxis(np.take(p, index, 2 + i), 3 + i, -1)
    return p


def conv(x, w, spatial, stride, before, after, dilation, groups):
    k = windows(x, spatial, w.shape[2:], stride, before, after, dilation, 0)
    n, out = k.shape[0], k.shape[2:2 + spatial]
    per, res = x.shape[1] // groups, []
    for g in range(groups):
        part = k[:, g * per:(g + 1) * per]
        wg = w[g * (w.shape[0] // groups):(g + 1) * (w.shape[0] // groups)]
        letters = "xyz"[:spatial]
        res.append(np.einsum(f"nc{letters}{letters.upper()},oc{letters.upper()}->no{letters}", part, wg))
    return np.concatenate(res, 1)


@op("nn.conv1d", "nn.conv2d", "nn.conv3d", count=25)
def convolution(name):
    r = int(name[7])
    groups = pick(1, 1, 2)
    ci, co = groups * pick(1, 2), groups * pick(1, 2)
    kernel = [pick(1, 2, 3) for _ in range(r)]
    size = [pick(3, 4) if r == 3 else pick(4, 5) for _ in range(r)]
    stride, dil = [pick(1, 2) for _ in range(r)], [pick(1, 1, 2) if r < 3 else 1 for _ in range(r)]
    pads = [pick(0, 1, 2) for _ in range(2 * r)]
    if any(size[i] + pads[i] + pads[r + i] < dil[i] * (kernel[i] - 1) + 1 for i in range(r)):
        return None
    x, w = random_operand([pick(0, 1, 2), ci] + size), random_operand([co, ci // groups] + kernel)
    y = conv(x.array.astype(np.float64), w.array.astype(np.float64), r, stride, pads[:r], pads[r:], dil, groups)
    text = f"strides={stride}, padding={pads}, dilation={dil}, groups={groups}"
    if rnd.random() < 0.3:
        last = list(range(2, r + 2))
        x = given(np.transpose(x.array, [0] + last + [1]))
        return [x, w], f'R.{name}(a, b, {text}, data_layout="N{"DHW"[3 - r:]}C")', [np.transpose(y, [0] + last + [1]).astype("float32")]
    return [x, w], f"R.{name}(a, b, {text})", [y.astype("float32")]


@op("nn.conv1d_transpose", "nn.conv2d_transpose", count=25)
def convolution_transpose(name):
    r, groups = int(name[7]), pick(1, 2)
    ci, per = groups * pick(1, 2), pick(1, 2)
    kernel, size = [pick(1, 2, 3) for _ in range(r)], [pick(2, 3) for _ in range(r)]
    stride = [pick(1, 2) for _ in range(r)]
    extra = [pick(0, s - 1) for s in stride]
    pad = pick(0, min(kernel) - 1)
    x, w = random_operand([pick(1, 2), ci] + size), random_operand([ci, per] + kernel)
    n = x.array.shape[0]
    full = [(size[i] - 1) * stride[i] + kernel[i] + extra[i] for i in range(r)]
    y = np.zeros([n, per * groups] + full)
    for place in np.ndindex(*size):
        cut = tuple(slice(place[i] * stride[i], place[i] * stride[i] + kernel[i]) for i in range(r))
        for c in range(ci):
            g = c // (ci // groups)
            for o in range(per):
                y[(slice(None), g * per + o) + cut] += x.array[(slice(None), c) + place].astype(np.float64).reshape([n] + [1] * r) * w.array[c, o]
    y = y[(slice(None), slice(None)) + tuple(slice(pad, full[i] - pad) for i in range(r))]
    return [x, w], f"R.{name}(a, b, strides={stride}, padding={pad}, output_padding={extra}, groups={groups})", [y.astype("float32")]


@op("nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d", count=25)
def pool(name):
    r, mean = int(name[-2]), "avg" in name
    size = [pick(1, 2, 3) for _ in range(r)]
    stride, dil = [pick(1, 2) for _ in range(r)], [pick(1, 1, 2) if not mean else 1 for _ in range(r)]
    pads = [pick(0, s // 2) for s in size] * 2
    space = [pick(4, 5) if r < 3 else 4 for _ in range(r)]
    up, count_pad = pick(True, False), pick(True, False)
    x = random_operand([pick(1, 2), pick(1, 2)] + space)
    wide = x.array.astype(np.float64)
    outs, after = [], []
    for i in range(r):
        room = space[i] + pads[i] + pads[r + i] - dil[i] * (size[i] - 1) - 1
        n = (-(-room // stride[i]) if up else room // stride[i]) + 1
        if up and (n - 1) * stride[i] >= space[i] + pads[i]:
            n -= 1
        outs.append(n)
        after.append(max((n - 1) * stride[i] + dil[i] * (size[i] - 1) + 1 - space[i] - pads[i], 0))
    last = tuple(range(-r, 0))
    cut = (slice(None), slice(None)) + tuple(slice(0, n) for n in outs)
    if not mean:
        y = windows(wide, r, size, stride, pads[:r], after, dil, -np.inf)[cut].max(last)
    else:
        inside = np.ones_like(wide)
        if count_pad:
            inside = np.pad(inside, [(0, 0), (0, 0)] + [(pads[i], pads[r + i]) for i in range(r)], constant_values=1)
            counted = windows(inside, r, size, stride, [0] * r, [max(after[i] - pads[r + i], 0) for i in range(r)], dil, 0)[cut].sum(last)
        else:
            counted = windows(inside, r, size, stride, pads[:r], after, dil, 0)[cut].sum(last)
        y = windows(wide, r, size, stride, pads[:r], after, dil, 0)[cut].sum(last) / np.maximum(counted, 1)
    text = f"pool_size={size}, strides={stride}, dilation={dil}, padding={pads}, ceil_mode={up}, count_include_pad={count_pad}"
    return [x], f"R.{name}(a, {text})", [y.astype("float32")]


@op("nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", count=25)
def adaptive(name):
    r = int(name[-2])
    space, out = [pick(4, 5, 7) for _ in range(r)], [pick(1, 2, 3) for _ in range(r)]
    x = random_operand([extent(1), extent(2)] + space)
    y = np.zeros(list(x.array.shape[:2]) + out)
    for place in np.ndindex(*out):
        cut = tuple(slice(place[i] * space[i] // out[i], -(-(place[i] + 1) * space[i] // out[i])) for i in range(r))
        y[(slice(None), slice(None)) + place] = x.array[(slice(None), slice(None)) + cut].mean(tuple(range(2, 2 + r)))
    return [x], f"R.{name}(a, output_size={out})", [y.astype("float32")]


@op("nn.attention", "nn.attention_bias", count=25)
def attention(name):
    s, t, h, d, e = pick(1, 2, 3), pick(1, 2, 4), pick(1, 2), pick(2, 4), pick(2, 3)
    q, k, v = random_operand([1, s, h, d]), random_operand([1, t, h, d]), random_operand([1, t, h, e])
    score = np.einsum("bshd,bthd->bhst", q.array.astype(float), k.array.astype(float)) / math.sqrt(d)
    args, text, xs = "a, b, c", "", [q, k, v]
    if name.endswith("bias"):
        bias = random_operand([1, rnd.choice((1, h)), s, t])
        score, args, xs = score + bias.array, "a, b, c, d", xs + [bias]
    elif s <= t:
        mask = pick(None, "TopLeft", "BottomRight")
        if mask:
            shift = t - s if mask == "BottomRight" else 0
            score = np.where(np.arange(t)[None, :] <= np.arange(s)[:, None] + shift, score, -np.inf)
            text = f', causal_mask="{mask}"'
    y = np.einsum("bhst,bthe->bshe", special.softmax(score, -1), v.array)
    return xs, f"R.{name}({args}{text})", [y.astype("float32")]


@op("nn.cross_entropy_with_logits", count=25)
def cross_entropy(name):
    n, m = extent(3), extent(4)
    x, y = random_operand([n, m]), random_operand([n, m])
    return [x, y], "R.nn.cross_entropy_with_logits(a, b)", [np.float32(-(x.array * y.array).sum() / np.float64(n))]


@op("nn.nll_loss", count=25)
def nll_loss(name):
    n, classes = extent(3), extent(4)
    p, w = random_operand([n, classes]), random_operand([classes])
    t = given([rnd.randrange(classes) for _ in range(n - 1)] + [pick(-100, min(2, classes - 1))][:n], "int64")
    how, weighted = pick("mean", "sum", "none"), pick(True, False)
    each = np.array([0 if c == -100 else (w.array[c] if weighted else 1) for c in t.array])
    loss = np.array([-p.array[i, c] * each[i] if c != -100 else 0 for i, c in enumerate(t.array)])
    y = loss.sum() / each.sum() if how == "mean" else loss.sum() if how == "sum" else loss
    args = [p, t, w] if weighted else [p, t]
    return args, f"R.nn.nll_loss({'a, b, c' if weighted else 'a, b'}, reduction=\"{how}\")", [np.asarray(y).astype("float32")]


@op("quantize", count=25)
def quantize(name):
    x, c = random_operand([extent(3), 2]), pick(True, False)
    s = given([0.01, 0.02] if c else 0.005, "float32", (2,) if c else ())
    z = given([3, -4] if c else 1, "int8", (2,) if c else ())
    y = np.clip(np.round(x.array.astype(np.float32) / s.array) + z.array.astype(np.float32), -128, 127).astype("int8")
    return [x, s, z], 'R.quantize(a, b, c, axis=1, out_dtype="int8")', [y]


@op("dequantize", count=25)
def dequantize(name):
    x, s, z = random_operand([extent(3), 2]), given([0.5, 0.25], "float32"), given([3, 4])
    return [x, s, z], 'R.dequantize(a, b, c, axis=1, out_dtype="float32")', [((x.array.astype(np.float32) - z.array.astype(np.float32)) * s.array).astype("float32")]


@op("multinomial_from_uniform", count=25)
def multinomial(name):
    classes, draws = pick(2, 4, 7), pick(1, 2, 3)
    p = given([[1 / 16 * w for w in rnd.sample(range(1, 16), classes)] for _ in range(2)])
    p = given(p.array.astype(float) / p.array.astype(float).sum(1, keepdims=True))
    u, i = given([[(rnd.randrange(16) + 0.5) / 16] for _ in range(draws)]), given([[rnd.randrange(2)] for _ in range(draws)], "int64")
    sums = np.cumsum(p.array.astype("float32"), 1)
    if np.abs(sums[i.array[:, 0]] - u.array.astype(float)).min() < 1e-2:
        return None  # which side of the border it falls on is a matter of rounding
    y = [[min(int(np.searchsorted(sums[r], v, "right")), classes - 1)] for v, r in zip(u.array[:, 0].astype(float), i.array[:, 0])]
    return [p, u, i], "R.multinomial_from_uniform(a, b, c)", [np.array(y, "int64")]


@op("image.affine_grid", count=25)
def affine_grid(name):
    t = random_operand([extent(2), 2, 3])
    h, w = pick(2, 3), pick(2, 4)
    xs, ys = np.linspace(-1, 1, w), np.linspace(-1, 1, h)
    grid = np.stack([np.broadcast_to(xs, (h, w)), np.broadcast_to(ys[:, None], (h, w)), np.ones((h, w))])
    return [t], f"R.image.affine_grid(a, R.shape([{h}, {w}]))", [np.einsum("nij,jhw->nihw", t.array, grid).astype("float32")]


# --- Beyond TVM: R.rx.*, by plain NumPy.
@op("rx.rope", count=25)
def rope(name):
    tokens, heads, size = pick([0], [1], [3], [2, 3]), pick(1, 2), pick(2, 4, 6)
    turned = pick(0, 2, size)
    if size % 2:
        return None
    pairing, base, scale, factor = pick("half", "interleaved"), pick(10000.0, 100.0), pick(1.0, 0.25), pick(1.0, 1.25)
    x = random_operand(tokens + [heads, size])
    p = given([rnd.randint(0, 300) for _ in range(int(np.prod(tokens)))], pick("int32", "int64"), tokens)
    n = (turned or size) // 2
    freq = base ** (-np.arange(n) / n)
    xs, text = [x, p], "a, b"
    if rnd.random() < 0.4:
        f = given([pick(1.0, 2.0, 8.0) for _ in range(n)])
        freq, xs, text = freq / f.array, xs + [f], "a, b, c"
    angle = p.array[..., None].astype(np.float64) * scale * freq
    cos, sin = (np.cos(angle) * factor)[..., None, :], (np.sin(angle) * factor)[..., None, :]
    y = x.array.astype(np.float64).copy()
    one, two = (slice(0, n), slice(n, 2 * n)) if pairing == "half" else (slice(0, 2 * n, 2), slice(1, 2 * n, 2))
    a, b = x.array[..., one].astype(np.float64), x.array[..., two].astype(np.float64)
    y[..., one], y[..., two] = a * cos - b * sin, b * cos + a * sin
    return xs, f'R.rx.rope({text}, base={base}, dims={turned}, pairing="{pairing}", scale={scale}, attention_factor={factor})', [y.astype("float32")]


@op("rx.rotate", count=25)
def rotate(name):
    tokens, heads, size = pick([0], [1], [3], [2, 3]), pick(1, 2), pick(2, 4, 6)
    n, pairing = pick(1, size // 2), pick("half", "interleaved")
    x, c, s = random_operand(tokens + [heads, size]), random_operand(tokens + [n]), random_operand(tokens + [n])
    cos, sin = c.array[..., None, :].astype(np.float64), s.array[..., None, :].astype(np.float64)
    y = x.array.astype(np.float64).copy()
    one, two = (slice(0, n), slice(n, 2 * n)) if pairing == "half" else (slice(0, 2 * n, 2), slice(1, 2 * n, 2))
    a, b = x.array[..., one].astype(np.float64), x.array[..., two].astype(np.float64)
    y[..., one], y[..., two] = a * cos - b * sin, b * cos + a * sin
    return [x, c, s], f'R.rx.rotate(a, b, c, pairing="{pairing}")', [y.astype("float32")]


@op("rx.attention", count=25)
def paged_attention(name):
    kv, group, d, e, page, pages = pick(1, 2), pick(1, 2), pick(2, 3), pick(2, 3), pick(1, 2, 3), 5
    heads, scale, window, cap = kv * group, 0.5, pick(0, 0, 1, 2), pick(0.0, 0.0, 1.5)
    lengths = [pick(1, 1, 2) for _ in range(2)]
    wide = 2
    starts = np.concatenate([[0], np.cumsum(lengths)])
    positions = []
    for n in lengths:
        last = rnd.randint(n - 1, wide * page - 1) if wide * page >= n else n - 1
        positions += list(range(last - n + 1, last + 1))
    if max(positions) >= wide * page:
        return None
    table = given(rnd.sample(range(pages), 4), "int64", (2, 2))
    q, k, v = random_operand([sum(lengths), heads, d]), random_operand([pages, page, kv, d]), random_operand([pages, page, kv, e])
    y = np.zeros([sum(lengths), heads, e])
    for t, p in enumerate(positions):
        s = int(np.searchsorted(starts, t, "right")) - 1
        seen = range(max(0, p + 1 - window) if window else 0, p + 1)
        for h in range(heads):
            keys = np.array([k.array[table.array[s, j // page], j % page, h // group] for j in seen], dtype=float)
            values = np.array([v.array[table.array[s, j // page], j % page, h // group] for j in seen], dtype=float)
            score = keys @ q.array[t, h].astype(float) * scale
            score = np.tanh(score / cap) * cap if cap else score
            y[t, h] = special.softmax(score) @ values
    args = [q, k, v, given(positions, "int64"), given(list(map(int, starts)), "int64"), table]
    return args, f"R.rx.attention(a, b, c, d, e, f, scale={scale}, window={window}, soft_cap={cap})", [y.astype("float32")]


@op("rx.moe_route", count=25)
def moe_route(name):
    x, k, norm = random_operand([pick(0, 1, 3), pick(3, 4, 7)]), pick(1, 2, 3), pick(True, False)
    p = special.softmax(x.array.astype(np.float64), -1) if x.array.size else x.array
    best = np.argsort(-p, -1, kind="stable")[:, :k]
    w = np.take_along_axis(p, best, -1)
    return [x], f"R.rx.moe_route(a, k={k}, normalize={norm})", [(w / w.sum(-1, keepdims=True) if norm else w).astype("float32"), best.astype("int32")]


@op("rx.grouped_matmul", count=25)
def grouped_matmul(name):
    t, k, d, o, e = pick(0, 1, 3), pick(1, 2), pick(1, 3), pick(1, 2), pick(2, 4)
    each = pick(True, False)
    x, w = random_operand([t, k, d] if each else [t, d]), random_operand([e, o, d])
    at = given([rnd.randrange(e) for _ in range(t * k)], "int32", (t, k))
    rows = x.array if each else np.broadcast_to(x.array[:, None], (t, k, d))
    return [x, w, at], "R.rx.grouped_matmul(a, b, c)", [np.einsum("tkd,tkod->tko", rows.astype(float), w.array[at.array]).astype("float32")]


@op("rx.causal_conv1d", count=25)
def causal_conv(name):
    b, t, c, k = pick(1, 2), pick(0, 1, 4), pick(1, 2), pick(1, 2, 3)
    x, w = random_operand([b, t, c]), random_operand([c, k])
    xs, text, past = [x, w], "a, b", np.zeros((b, k - 1, c))
    if rnd.random() < 0.5:
        s = random_operand([b, pick(1, 2, 3), c])
        xs, text = xs + [s], "a, b, c"
        past = np.concatenate([past, s.array], 1)[:, s.array.shape[1]:] if s.array.shape[1] <= k - 1 else s.array[:, s.array.shape[1] - k + 1:]
    full = np.concatenate([past, x.array], 1)
    y = np.stack([(full[:, i:i + k] * w.array.T[None]).sum(1) for i in range(t)], 1) if t else np.zeros((b, 0, c))
    return xs, f"R.rx.causal_conv1d({text})", [y.astype("float32")]


def onnx_run(kind, inputs, attributes, opset=19):
    """One ONNX operator, run by ONNX Runtime. None stands for an input that is left out."""
    import onnx
    import onnxruntime

    names = [f"x{i}" if v is not None else "" for i, v in enumerate(inputs)]
    node = onnx.helper.make_node(kind, names, ["y"], **attributes)
    infos = [onnx.helper.make_tensor_value_info(n, onnx.helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in zip(names, inputs) if n]
    out = onnx.helper.make_tensor_value_info("y", onnx.helper.np_dtype_to_tensor_dtype(inputs[0].dtype), None)
    model = onnx.helper.make_model(onnx.helper.make_graph([node], "g", infos, [out]), opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {n: v for n, v in zip(names, inputs) if n})[0]


@op("image.resize2d", count=40)
def resize2d(name):
    x = random_operand([1, pick(1, 2), pick(2, 3, 4), pick(2, 3, 5)])
    to = [pick(1, 2, 3, 5), pick(1, 3, 4, 6)]
    method = pick("linear", "linear", "cubic", "cubic", "nearest_neighbor", "nearest_neighbor")
    if not is_real(CASE["dtype"]):
        method = "nearest_neighbor"
    mode = pick("half_pixel", "half_pixel_symmetric", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_crop_and_resize")
    rounding = pick("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    alpha, exclude = pick(-0.75, -0.5), pick(0, 1)
    if mode == "tf_crop_and_resize" and (method != "linear" or to[0] == x.array.shape[2] or to[1] == x.array.shape[3]):
        return None  # ONNX Runtime extrapolates linear interpolation alone, and does not crop a dim that keeps its size
    attributes = {"mode": {"nearest_neighbor": "nearest"}.get(method, method), "coordinate_transformation_mode": mode}
    text = f'method="{method}", coordinate_transformation_mode="{mode}"'
    if method == "nearest_neighbor":
        attributes["nearest_mode"] = rounding
        text += f', rounding_method="{rounding}"'
    if method == "cubic":
        attributes.update(cubic_coeff_a=alpha, exclude_outside=exclude)
        text += f", cubic_alpha={alpha}, cubic_exclude={exclude}"
    roi = None
    if mode == "tf_crop_and_resize":
        begin, end = [pick(0.0, 0.25, -0.25), pick(0.0, 0.125)], [pick(1.0, 0.75, 1.25), pick(1.0, 0.5)]
        roi = np.array([0, 0] + begin + [1, 1] + end, "float32")
        attributes["extrapolation_value"] = 9.0
        text += f", roi={begin + end}, extrapolation_value=9.0"
    sizes = np.array(list(x.array.shape[:2]) + to, "int64")
    y = onnx_run("Resize", [x.array.astype("float32"), roi, None, sizes], attributes)
    return [x], f"R.image.resize2d(a, R.shape({to}), {text})", [y]


@op("image.resize2d_tf", count=40)
def resize2d_tf(name):
    """The two modes that came from TensorFlow: halves of pixels for the nearest one, and crops."""
    x = random_operand([1, pick(1, 2), pick(2, 3, 4, 7), pick(2, 3, 5)])
    to = [pick(1, 2, 3, 5, 7), pick(1, 3, 4, 6)]
    sizes = np.array(list(x.array.shape[:2]) + to, "int64")
    if rnd.random() < 0.6:
        rounding = pick("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
        attributes = {"mode": "nearest", "coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": rounding}
        roi, scales = np.array([], "float32"), np.array([], "float32")
        y = onnx_run("Resize", [x.array.astype("float32"), roi, scales, sizes], attributes, opset=11)
        text = f'method="nearest_neighbor", coordinate_transformation_mode="tf_half_pixel_for_nn", rounding_method="{rounding}"'
        return [x], f"R.image.resize2d(a, R.shape({to}), {text})", [y]
    if to[0] == x.array.shape[2] or to[1] == x.array.shape[3] or not is_real(CASE["dtype"]):
        return None
    begin, end = [pick(0.0, 0.25, -0.25), pick(0.0, 0.125)], [pick(1.0, 0.75, 1.25), pick(1.0, 0.5)]
    attributes = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 9.0}
    roi = np.array([0, 0] + begin + [1, 1] + end, "float32")
    y = onnx_run("Resize", [x.array.astype("float32"), roi, None, sizes], attributes)
    text = f'method="linear", coordinate_transformation_mode="tf_crop_and_resize", roi={begin + end}, extrapolation_value=9.0'
    return [x], f"R.image.resize2d(a, R.shape({to}), {text})", [y]


@op("image.resize2d_cubic", count=30)
def resize2d_cubic(name):
    x = random_operand([1, 1, pick(2, 3, 4, 7), pick(2, 3, 5)], "float32")
    to = [pick(1, 2, 3, 5, 7), pick(1, 3, 4, 6)]
    mode = pick("half_pixel", "half_pixel_symmetric", "align_corners", "asymmetric", "pytorch_half_pixel")
    alpha, exclude = pick(-0.75, -0.5), pick(0, 1)
    attributes = {"mode": "cubic", "coordinate_transformation_mode": mode, "cubic_coeff_a": alpha, "exclude_outside": exclude}
    sizes = np.array(list(x.array.shape[:2]) + to, "int64")
    y = onnx_run("Resize", [x.array, None, None, sizes], attributes)
    text = f'method="cubic", coordinate_transformation_mode="{mode}", cubic_alpha={alpha}, cubic_exclude={exclude}'
    return [x], f"R.image.resize2d(a, R.shape({to}), {text})", [y]


@op("image.resize3d", count=25)
def resize3d(name):
    x = random_operand([extent(1), 1, extent(2), extent(3), 2])
    to = [pick(1, 3), pick(2, 4), pick(3, 2)]
    mode = pick("half_pixel", "align_corners", "asymmetric")
    sizes = np.array(list(x.array.shape[:2]) + to, "int64")
    y = onnx_run("Resize", [x.array, None, None, sizes], {"mode": "linear", "coordinate_transformation_mode": mode})
    return [x], f'R.image.resize3d(a, R.shape({to}), coordinate_transformation_mode="{mode}")', [y]


@op("image.grid_sample", count=25)
def grid_sample(name):
    x = random_operand([2, pick(1, 2), pick(2, 3), pick(2, 4)])
    g = random_operand([2, pick(1, 2), pick(2, 3), 2])
    g = given(g.array * np.float32(1.5))
    method, padding, corners = pick("bilinear", "nearest", "bicubic"), pick("zeros", "border", "reflection"), pick(True, False)
    y = onnx_run("GridSample", [x.array, g.array], {"mode": method, "padding_mode": padding, "align_corners": int(corners)}, opset=16)
    return [x, g], f'R.image.grid_sample(a, b, method="{method}", padding_mode="{padding}", align_corners={corners})', [y]


@op("gather_nd_batched", count=25)
def gather_nd_batched(name):
    x = random_operand([2, 3, extent(4)])
    i = given([rnd.randint(-3, 2) for _ in range(4)], "int64", (2, 2, 1))
    y = np.stack([x.array[b, i.array[b, :, 0]] for b in range(2)])
    return [x, i], "R.gather_nd(a, b, batch_dims=1)", [y]


def result(array, call):
    """Real results are of the operands' dtype, but where the call says which."""
    array = np.asarray(array)
    single = "moe_route" in call or "all_class" in call  # float32 whatever the operands are
    said = "dtype=" in call and "R.device" not in call
    if CASE["dtype"] and is_real(array.dtype) and is_real(CASE["dtype"]) and not said and not single:
        array = array.astype(CASE["dtype"])
    elif CASE["dtype"] and is_real(array.dtype) and CASE["dtype"] != "bool" and not is_real(CASE["dtype"]) and not said and not single:
        array = np.trunc(array).astype("int64").astype(CASE["dtype"])  # whole numbers that a reference computed as reals
    values = " ".join(short(v, array.dtype) for v in array.reshape(-1))
    return f"{array.dtype}[{','.join(map(str, array.shape))}]: {values}"


REALS = ["float32", "float64", "float16", "bfloat16"]
NUMBERS = REALS + ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
@op("rx.dense_attention", count=30)
def dense_attention(name):
    kv, group, d, e = pick(1, 2), pick(1, 2), pick(2, 3), pick(2, 3)
    b, tokens, places = pick(0, 1, 2), pick(0, 1, 2, 3), pick(1, 2, 3)
    mask = pick("None", '"TopLeft"', '"BottomRight"')
    q, k, v = random_operand([b, kv * group, tokens, d]), random_operand([b, kv, places, d]), random_operand([b, kv, places, e])
    y = np.zeros([b, kv * group, tokens, e])
    for i, h, t in np.ndindex(y.shape[:3]):
        last = {"None": places, '"TopLeft"': t + 1, '"BottomRight"': t + 1 + places - tokens}[mask]
        last = min(max(last, 0), places)
        keys, values = (x.array[i, h // group, :last].astype(float) for x in (k, v))
        if last:
            y[i, h, t] = special.softmax(keys @ q.array[i, h, t].astype(float) * 0.5) @ values
    return [q, k, v], f"R.rx.dense_attention(a, b, c, scale=0.5, causal_mask={mask})", [y.astype("float32")]


TYPES = {}  # operator -> the dtypes that its cases go through; others draw their own, or are float32


def draws(types, names):
    TYPES.update({name: types for name in names.split()})


draws(NUMBERS + ["bool"], """reshape flatten permute_dims expand_dims squeeze broadcast_to concat stack split tile repeat flip
    take gather_elements gather_nd gather_nd_batched index_tensor slice_scatter strided_slice dynamic_strided_slice tril triu
    meshgrid where full_like zeros_like ones_like sort argsort topk unique nonzero layout_transform nn.batch_flatten
    nn.pixel_shuffle size nn.dropout ccl.allreduce ccl.allgather ccl.broadcast_from_worker0 ccl.scatter_from_worker0
    hint_on_device to_vdevice builtin.stop_lift_params memory.ensure_zero_offset grad.no_grad grad.start_checkpoint
    grad.end_checkpoint full eye_like wrap_param astype max min argmax argmin
    maximum minimum equal not_equal less less_equal greater greater_equal isnan isinf isfinite median""")
draws(NUMBERS, """ewise_fma collapse_sum_like collapse_sum_to add subtract multiply divide floor_divide floor_mod mod power sum prod
    cumsum cumprod abs negative sign square ceil floor round trunc nn.relu outer einsum matmul clip
    memory.view bucketize nn.conv1d nn.conv2d nn.conv3d nn.conv1d_transpose nn.conv2d_transpose nn.conv3d_transpose nn.max_pool1d nn.max_pool2d
    nn.max_pool3d nn.pad rx.grouped_matmul scatter_elements scatter_nd index_put""")
draws(REALS, """acos acosh asin asinh atan atanh cos cosh erf exp log rsqrt sigmoid sin sinh sqrt tan tanh nn.gelu nn.gelu_tanh nn.silu
    nn.selu nn.leakyrelu nn.softplus atan2 log_add_exp mean variance std nn.softmax nn.log_softmax nn.prelu nn.layer_norm nn.rms_norm
    nn.group_norm nn.instance_norm nn.batch_norm     
        nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d
    nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.attention nn.attention_bias nn.attention_var_len
    nn.cross_entropy_with_logits nn.nll_loss image.affine_grid rx.rope rx.rotate rx.attention rx.dense_attention rx.moe_route
    rx.causal_conv1d quantize multinomial_from_uniform vision.get_valid_counts
    vision.non_max_suppression vision.all_class_non_max_suppression vision.roi_align vision.roi_pool vision.multibox_transform_loc""")


draws(NUMBERS[8:] + NUMBERS[4:8] + ["bool"], "bitwise_and bitwise_or bitwise_xor bitwise_not")
draws(NUMBERS[4:], "left_shift right_shift one_hot")
draws(["int8", "uint8", "int16", "uint16", "int32", "uint32"], "dequantize")
draws(["bool"] + NUMBERS, "logical_and logical_or logical_xor logical_not")
draws(["float32", "float16", "bfloat16"], "image.resize3d image.grid_sample")
draws(["float32", "float16", "bfloat16"] + NUMBERS[4:], "image.resize2d image.resize2d_tf")
draws(["float32"], "image.resize2d_cubic")


def draw(name, make, lines, most=96):
    """One case: the extents of its operands and results, and its line. None where there is none, or it is long."""
    with np.errstate(all="ignore"):
        case = make(name)
    if case is None or sum(np.asarray(o).size for o in case[2]) > most or sum(o.array.size for o in case[0]) > 2000:
        return None
    operands, call, outs = case
    named = " ".join(f"{n}={o.spec}" for n, o in zip("abcdefgh", operands))
    line = f"{named} | {call} | {' ; '.join(result(o, call) for o in outs)}"
    found = {d for o in operands for d in o.array.shape} | {d for o in outs for d in np.asarray(o).shape}
    return None if line in lines else (found, line)


def draw_wide(name, make, lines, size):
    """A case that has one extent of this size, whatever the generator draws; None where none was found."""
    for _ in range(80):
        WIDE.update(size=size, used=False)
        try:
            drawn = draw(name, make, lines, 400)
        except Exception:  # a size that something of the case does not go with
            continue
        finally:
            WIDE["size"] = None
        if drawn and size in drawn[0]:
            return drawn
    return None


def record(name, make, count, lines):
    """So many cases, and one more for each size of the list that none of them has."""
    rnd.seed(zlib.crc32(name.encode()))
    types = TYPES.get(name, [None])
    count, done, seen = max(count, 2 * len(types) if len(types) > 4 else 0), 0, set()
    for _ in range(20 * count):
        CASE["dtype"] = types[done % len(types)]
        drawn = draw(name, make, lines)
        if drawn:
            lines.append(drawn[1])
            seen |= drawn[0]
            done += 1
        if done == count:
            break
    for size in sorted(set(SIZES) - seen):
        CASE["dtype"] = types[0]
        drawn = draw_wide(name, make, lines, size)
        if drawn:
            lines.append(drawn[1])
        else:
            print(f"{name}: nothing of size {size}")


def main():
    lines = []
    for name in sorted(OPS):
        record(name, *OPS[name], lines)
    with open(sys.argv[1], "w") as out:
        out.write("# What NumPy, SciPy, ONNX Runtime and TVM compute: operands | call | results. Made by tools/record_ops.py.\n")
        out.write("\n".join(lines) + "\n")
    print(f"{len(lines)} cases of {len(OPS)} operators")


if __name__ == "__main__":
    sys.modules["record_ops"] = sys.modules["__main__"]
    import record_ops_more  # noqa: F401 adds its operators

    main()
