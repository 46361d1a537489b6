#!/usr/bin/env python3
"""Records what TVM 0.25 deduces for calls of every operator, for tests that replay them without TVM.

usage: python tools/record_infer.py tests/data/infer/calls.txt
needs: apache-tvm==0.25.0.post1 apache-tvm-ffi==0.1.12

Each line is `operands | call | result`. The result is the annotation, or `refused`. Calls are drawn by one generator
per operator: known shapes, then operands with less known about them (rank alone, nothing, no dtype), dims of 0 and 1,
symbolic dims, and calls that are wrong. The draw is seeded by the operator's name, so that a new row changes no other.
"""
import json
import os
import random
import re
import sys
import types
import zlib

import tvm
from tvm import relax, tirx
from tvm.script import relax as R
from tvm.script import tirx as T

F, H, I, L, B = "float32", "float16", "int32", "int64", "bool"
SYMBOLS = {s: tirx.Var(s, "int64") for s in "nmk"}
rnd = random.Random()


def pick(*of):
    return rnd.choice(of)


def dim():
    return pick("n", "n", "m", "n + 1", "n * 2", "1", "2", "3", "4", "8", "0")


def dims(rank=None):
    return [dim() for _ in range(pick(0, 1, 2, 2, 3, 4) if rank is None else rank)]


def tensor(shape, dtype=F, degrade=True):
    """The text of a tensor's annotation, sometimes with less known than the shape says."""
    chance = rnd.random()
    if degrade and chance < 0.07:
        return f'R.Tensor(dtype="{dtype}")'
    if degrade and chance < 0.17:
        return f'R.Tensor(dtype="{dtype}", ndim={len(shape)})' if shape else f'R.Tensor((), dtype="{dtype}")'
    if degrade and chance < 0.22:
        return f"R.Tensor(({', '.join(shape)}{',' if len(shape) == 1 else ''}))"
    if degrade and chance < 0.24:
        return "R.Tensor"
    return f'R.Tensor(({", ".join(shape)}{"," if len(shape) == 1 else ""}), dtype="{dtype}")'


def spoil(shape, chance=0.12):
    """Now and then a wrong dim or rank."""
    shape = list(shape)
    if rnd.random() < chance:
        if shape and rnd.random() < 0.6:
            shape[rnd.randrange(len(shape))] = pick("5", "7", "m")
        else:
            shape = shape + ["2"] if rnd.random() < 0.5 else shape[:-1]
    return shape


def tup(values):
    values = [str(v) for v in values]
    return "(" + ", ".join(values) + ("," if len(values) == 1 else "") + ")"


def axis_of(rank):
    return pick(*range(-rank, rank)) if rank and rnd.random() < 0.9 else pick(rank, -rank - 1)


def axes_of(rank):
    if rnd.random() < 0.2:
        return None
    if rnd.random() < 0.5 and rank:
        return axis_of(rank)
    some = rnd.sample(range(rank), rnd.randint(0, rank))
    if rnd.random() < 0.08:
        some = some + [rank]
    if rnd.random() < 0.05 and some:
        some = some + [some[0]]
    return [a - rank if rnd.random() < 0.3 else a for a in some]


OPS = {}


def op(*names, count=16):
    def add(make):
        for name in names:
            OPS[name] = (make, count)
        return make

    return add


# --- Elementwise.
@op("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "floor", "isfinite",
    "isinf", "isnan", "log", "negative", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan",
    "tanh", "trunc", "bitwise_not", "logical_not", "nn.relu", "nn.gelu", "nn.gelu_tanh", "nn.silu", "nn.selu", count=10)
def unary(name):
    return [tensor(dims(), pick(F, F, F, H, "float64", I, "int8", B))], f"R.{name}(a)"


@op("add", "atan2", "divide", "floor_divide", "floor_mod", "log_add_exp", "mod", "multiply", "power", "subtract",
    "maximum", "minimum", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and",
    "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", count=16)
def binary(name):
    bits = name.startswith("bitwise") or name.endswith("shift") or name.startswith("logical")
    dtype = pick(I, L, "uint8", B, F) if bits else pick(F, F, H, I, L, B)
    a = dims()
    b = [("1" if rnd.random() < 0.3 else d) if rnd.random() < 0.85 else dim() for d in a[rnd.randint(0, len(a)):]]
    if rnd.random() < 0.4:
        a, b = b, a
    other = dtype if rnd.random() < 0.9 else pick(F, I)
    return [tensor(a, dtype), tensor(b, other)], f"R.{name}(a, b)"


@op("where")
def where(name):
    a = dims()
    return [tensor(a, pick(B, B, B, F)), tensor(spoil(a), F), tensor(a[1:], pick(F, F, F, I))], "R.where(a, b, c)"


@op("ewise_fma")
def fma(name):
    a = dims()
    return [tensor(a), tensor(spoil(a)), tensor(a, pick(F, F, F, I))], "R.ewise_fma(a, b, c)"


@op("clip")
def clip(name):
    return [tensor(dims(), pick(F, I))], f"R.clip(a, R.prim_value({pick(0, -1)}), R.prim_value({pick(6, 1)}))"


@op("astype", "wrap_param")
def astype(name):
    return [tensor(dims(), pick(F, I))], f'R.{name}(a, dtype="{pick(F, H, I, B)}")'


@op("nn.leakyrelu", "nn.softplus")
def leaky(name):
    return [tensor(dims(), pick(F, F, F, I))], f"R.{name}(a)"


@op("nn.prelu")
def prelu(name):
    r = pick(1, 2, 3)
    a = dims(r)
    ax = axis_of(r)
    return [tensor(a), tensor([a[ax]] if -r <= ax < r else ["3"])], f"R.nn.prelu(a, b, axis={ax})"


@op("nn.softmax", "nn.log_softmax")
def softmax(name):
    a = dims()
    return [tensor(a, pick(F, F, H, I))], f"R.{name}(a, axis={axis_of(len(a))})"


@op("nn.dropout")
def dropout(name):
    return [tensor(dims())], "R.nn.dropout(a, rate=0.5)"


# --- Linear algebra.
@op("matmul", count=60)
def matmul(name):
    i, k, j = dim(), dim(), dim()
    batch = dims(pick(0, 0, 1, 2))
    a, b = batch + [i, k], batch[rnd.randint(0, len(batch)):] + [k, j]
    if rnd.random() < 0.15:
        a = [k]
    if rnd.random() < 0.15:
        b = [k]
    dtype = pick(F, F, H, "int8")
    out = pick("", "", f', out_dtype="{pick(F, I)}"')
    return [tensor(spoil(a, 0.2), dtype), tensor(spoil(b, 0.15), dtype if rnd.random() < 0.93 else F)], f"R.matmul(a, b{out})"


@op("outer")
def outer(name):
    return [tensor(dims(pick(1, 1, 1, 2))), tensor(dims(1))], "R.outer(a, b)"


@op("einsum", count=24)
def einsum(name):
    i, j, k = dim(), dim(), dim()
    eq, shapes = pick(("ij,jk->ik", [[i, j], [j, k]]), ("ij->ji", [[i, j]]), ("ij,ij->", [[i, j], [i, j]]),
                      ("i,j->ij", [[i], [j]]), ("bij,bjk->bik", [["2", i, j], ["2", j, k]]), ("ii->i", [[i, i]]),
                      ("ij,j", [[i, j], [j]]), ("ij->i", [[i, j]]), ("...ij->...ji", [["2", i, j]]))
    return [tensor(spoil(s), F) for s in shapes], f"R.einsum({tup('abc'[:len(shapes)])}, subscripts=\"{eq}\")"


# --- Reductions.
@op("sum", "prod", "max", "min", "mean", "std", "variance")
def reduction(name):
    a = dims()
    return [tensor(a, pick(F, H, I))], f"R.{name}(a, axis={axes_of(len(a))}, keepdims={pick(True, False)})"


@op("argmax", "argmin")
def argreduce(name):
    a = dims()
    return [tensor(a, pick(F, I))], f"R.{name}(a, axis={pick(None, axis_of(len(a)))}, keepdims={pick(True, False)})"


@op("median")
def median(name):
    a = dims()
    return [tensor(a)], f"R.median(a, axis={axes_of(len(a))}, keepdims={pick(True, False)})"


@op("cumsum", "cumprod")
def scan(name):
    a = dims()
    dtype = pick("", ', dtype="int64"')
    return [tensor(a, pick(F, I))], f"R.{name}(a, axis={pick(None, axis_of(len(a)))}{dtype}, exclusive={pick(True, False)})"


# --- Manipulation.
@op("reshape", count=40)
def reshape(name):
    a, s = pick((["n", "4"], "n * 4"), (["n", "4"], "2, n, 2"), (["n", "4"], "-1"), (["n", "4"], "n, -1"),
                (["2", "3"], "6"), (["2", "3"], "-1, 2"), (["2", "3"], "7"), (["n", "m"], "m, n"), (["n", "m"], "m * n"),
                (["n", "m"], "-1, m"), (["4", "0"], "0, 4"), ([], "1, 1"), (["n", "4"], "n, 5"), (["2", "3"], "0, 3"),
                (["n", "4"], "-1, -1"), (["n + 1", "2"], "n * 2 + 2"), (["n * 2"], "n, 2"), (["n"], "m"), (["8"], "-1, 3"))
    s = f"R.shape([{s}])" if "-1" not in s else f"({s},)"
    return [tensor(a)], f"R.reshape(a, {s})"


@op("flatten", "nn.batch_flatten")
def flatten(name):
    return [tensor(dims())], f"R.{name}(a)"


@op("permute_dims")
def permute(name):
    a = dims()
    axes = list(range(len(a)))
    rnd.shuffle(axes)
    axes = [x - len(a) if rnd.random() < 0.2 else x for x in axes]
    if rnd.random() < 0.1:
        axes = axes[:-1]
    if rnd.random() < 0.1:
        axes = axes + [0]
    return [tensor(a)], f"R.permute_dims(a, axes={pick(None, axes, axes)})"


@op("expand_dims")
def expand(name):
    a = dims()
    r = len(a) + 2
    return [tensor(a)], f"R.expand_dims(a, axis={pick(0, -1, [0, 1], [0, -1], [1], [r], [0, 0])})"


@op("squeeze", count=20)
def squeeze(name):
    a = [d if rnd.random() < 0.5 else "1" for d in dims(pick(1, 2, 3))]
    return [tensor(a)], f"R.squeeze(a, axis={pick(None, axes_of(len(a)))})"


@op("concat", count=40)
def concat(name):
    a = dims(pick(1, 2, 3))
    ax = axis_of(len(a))
    shapes = []
    for _ in range(pick(1, 2, 2, 3)):
        s = list(a)
        if -len(a) <= ax < len(a):
            s[ax] = dim()
        shapes.append(spoil(s))
    dtype = pick(F, I)
    return [tensor(s, dtype if rnd.random() < 0.95 else H) for s in shapes], f"R.concat({tup('abc'[:len(shapes)])}, axis={pick(ax, ax, ax, None)})"


@op("stack", count=20)
def stack(name):
    a = dims(pick(1, 2))
    count = pick(1, 2, 3)
    return [tensor(spoil(a)) for _ in range(count)], f"R.stack({tup('abc'[:count])}, axis={axis_of(len(a) + 1)})"


@op("split", count=40)
def split(name):
    a = dims(pick(1, 2, 3))
    ax = axis_of(len(a))
    return [tensor(a)], f"R.split(a, indices_or_sections={pick(1, 2, 3, 4, [1], [1, 3], [2, 2], [0, 4, 9])}, axis={ax})"


@op("broadcast_to", count=20)
def broadcast(name):
    a = dims(pick(1, 2))
    to = [dim()] * pick(0, 1) + [d if d != "1" else dim() for d in a]
    return [tensor(a)], f"R.broadcast_to(a, R.shape([{', '.join(spoil(to))}]))"


@op("tile")
def tile(name):
    return [tensor(dims())], f"R.tile(a, repeats={pick(2, [2], [1, 3], [2, 1, 2], [0])})"


@op("repeat")
def repeat(name):
    a = dims()
    return [tensor(a)], f"R.repeat(a, repeats={pick(1, 2, 3, 0)}, axis={pick(None, axis_of(len(a)))})"


@op("flip")
def flip(name):
    a = dims()
    return [tensor(a)], f"R.flip(a, axis={axis_of(len(a))})"


@op("gather_elements", count=20)
def gather_elements(name):
    a = dims(pick(1, 2, 3))
    return [tensor(a), tensor(spoil(dims(len(a))), pick(L, I, F))], f"R.gather_elements(a, b, axis={axis_of(len(a))})"


@op("gather_nd", count=24)
def gather_nd(name):
    a = dims(pick(2, 3))
    ix = [dim()] * pick(0, 1) + [pick("1", "2", "3", "4", "n")]
    return [tensor(a), tensor(ix, pick(L, L, F))], f"R.gather_nd(a, b, batch_dims={pick(0, 0, 0, 1)})"


@op("scatter_elements", count=20)
def scatter_elements(name):
    a = dims(pick(1, 2))
    u = spoil(a)
    return [tensor(a), tensor(spoil(u), pick(L, F)), tensor(u, pick(F, F, I))], \
        f"R.scatter_elements(a, b, c, axis={axis_of(len(a))}, reduction=\"{pick('update', 'add')}\")"


@op("scatter_nd", count=20)
def scatter_nd(name):
    a = [dim(), dim()]
    i = dim()
    return [tensor(a), tensor([i, pick("1", "2", "3")], pick(L, F)), tensor(spoil([i] + a[1:]), F)], \
        f"R.scatter_nd(a, b, c, reduction=\"{pick('update', 'add')}\")"


@op("slice_scatter", count=16)
def slice_scatter(name):
    return [tensor(["8", "4"]), tensor(spoil(["2", "4"]))], \
        f"R.slice_scatter(a, b, R.prim_value({pick(0, 2)}), R.prim_value({pick(2, 4)}), R.prim_value(1), axis={pick(0, -2, 3)})"


@op("take", count=30)
def take(name):
    a = dims(pick(1, 2, 3))
    ix = tensor(dims(pick(0, 1, 2)), pick(I, L, L, F))
    ax = pick(axis_of(len(a)), axis_of(len(a)), None)
    return [tensor(a), ix], f"R.take(a, b, axis={ax}, mode=\"{pick('fast', 'wrap', 'clip', 'nan')}\")"


@op("strided_slice", count=80)
def strided_slice(name):
    a = dims(pick(1, 2))
    axes = rnd.sample(range(len(a)), rnd.randint(1, len(a)))
    begin = [pick(0, 1, -1, -3, "n", 2) for _ in axes]
    end = [pick(2, 5, -1, 9223372036854775807, "n", "m", 0) for _ in axes]
    stride = [pick(1, 1, 2, -1, -2, 3) for _ in axes]
    s = f", {tup(stride)}" if rnd.random() < 0.6 else ""
    return [tensor(a)], f"R.strided_slice(a, {tup(axes)}, {tup(begin)}, {tup(end)}{s}, assume_inbound={pick(True, False)})"


@op("dynamic_strided_slice")
def dynamic_strided_slice(name):
    a = dims(2)
    return [tensor(a)] + [tensor(["2"], pick(L, L, L, I)) for _ in range(3)], "R.dynamic_strided_slice(a, b, c, d)"


@op("one_hot")
def one_hot(name):
    a = dims(pick(0, 1, 2))
    return [tensor(a, pick(L, I, F))], f"R.one_hot(a, R.prim_value(1), R.prim_value(0), depth={pick(3, 10)}, axis={axis_of(len(a) + 1)})"


@op("tril", "triu")
def tri(name):
    return [tensor(dims())], f"R.{name}(a, R.prim_value({pick(0, 1, -1)}))"


@op("nn.pad", count=20)
def pad(name):
    a = dims(pick(1, 2))
    w = [pick(0, 1, 2) for _ in range(2 * len(a))]
    if rnd.random() < 0.1:
        w = w + [1]
    return [tensor(a)], f"R.nn.pad(a, pad_width={w}, pad_value=0.0, pad_mode=\"{pick('constant', 'reflect', 'edge')}\")"


@op("nn.pixel_shuffle", count=16)
def pixel_shuffle(name):
    return [tensor(spoil([dim(), pick("4", "8", "12", "n * 4", "3"), "n", "m"]))], f"R.nn.pixel_shuffle(a, upscale_factor={pick(2, 2, 1, 0)})"


@op("layout_transform", count=8)
def layout_transform(name):
    return [tensor([dim(), pick("8", "n * 4")])], "R.layout_transform(a, index_map=lambda i, j: (j // 4, i, j % 4))"


@op("collapse_sum_like", count=16)
def collapse_like(name):
    a = dims(2)
    return [tensor(a), tensor(spoil(a[pick(0, 1):]))], "R.collapse_sum_like(a, b)"


@op("collapse_sum_to", count=16)
def collapse_to(name):
    a = dims(2)
    return [tensor(a)], f"R.collapse_sum_to(a, R.shape([{', '.join(spoil([pick(d, '1') for d in a[pick(0, 1):]]))}]))"


@op("meshgrid")
def meshgrid(name):
    count = pick(1, 2, 3)
    return [tensor(dims(pick(1, 1, 1, 1, 0, 2))) for _ in range(count)], f"R.meshgrid({tup('abc'[:count])}, indexing=\"{pick('ij', 'xy')}\")"


@op("index_tensor", count=20)
def index_tensor(name):
    count = pick(1, 2)
    return [tensor(dims(2))] + [tensor(pick(["n"], ["3"], ["2", "1"]), pick(L, L, F)) for _ in range(count)], \
        f"R.index_tensor(a, {tup('bc'[:count])})"


@op("index_put", count=16)
def index_put(name):
    return [tensor(dims(2)), tensor(["3"], pick(L, L, F)), tensor(["3"], pick(L, L, F)), tensor(["3"])], \
        f"R.index_put(a, (b, c), d, accumulate={pick(True, False)})"


# --- Creation.
@op("full")
def full(name):
    return [tensor([], F)], f"R.full(R.shape([{', '.join(dims())}]), a{pick('', ', dtype=' + repr(H))})"


@op("zeros", "ones")
def zeros(name):
    return [], f'R.{name}(R.shape([{", ".join(dims())}]), dtype="{pick(F, I)}")'


@op("zeros_like", "ones_like")
def zeros_like(name):
    return [tensor(dims(), pick(F, I))], f"R.{name}(a{pick('', ', dtype=' + repr(H))})"


@op("full_like")
def full_like(name):
    return [tensor(dims(), F), tensor(pick([], [], ["2"]), F)], f"R.full_like(a, b{pick('', ', dtype=' + repr(H))})"


@op("arange", count=24)
def arange(name):
    return [], f'R.arange({pick(0, 1, "n")}, {pick(10, "n", "n + 3", "m")}, {pick(1, 2, 3)}, dtype="{pick(L, F)}")'


@op("eye")
def eye(name):
    return [], f'R.eye({pick(3, "n")}, {pick(3, "m", "n")}, {pick(0, 1)}, dtype="{pick(F, I)}")'


@op("eye_like")
def eye_like(name):
    return [tensor(dims(pick(2, 2, 2, 3)))], f"R.eye_like(a, R.prim_value({pick(0, 1)}){pick('', ', dtype=' + repr(H))})"


@op("hamming_window", count=8)
def hamming(name):
    return [], f'R.hamming_window({pick(10, "n", 1)}, {pick(True, False)}, 0.54, 0.46, dtype="{pick(F, H, I)}")'


# --- Sorting, searching, sets.
@op("sort", "argsort")
def sort(name):
    a = dims()
    return [tensor(a)], f"R.{name}(a, axis={axis_of(len(a))}, descending={pick(True, False)})"


@op("topk", count=24)
def topk(name):
    a = dims(pick(1, 2, 3))
    return [tensor(a)], f"R.topk(a, k={pick(1, 2, 3)}, axis={axis_of(len(a))}, ret_type=\"{pick('both', 'values', 'indices')}\", largest={pick(True, False)}, dtype=\"{pick(I, L)}\")"


@op("unique", count=24)
def unique(name):
    a = dims(pick(1, 2))
    flags = [pick(True, False) for _ in range(4)]
    return [tensor(a)], f"R.unique(a, {flags[0]}, {flags[1]}, {flags[2]}, {flags[3]}, axis={pick(None, axis_of(len(a)))})"


@op("nonzero")
def nonzero(name):
    return [tensor(dims(), pick(F, B))], "R.nonzero(a)"


@op("bucketize")
def bucketize(name):
    return [tensor(dims()), tensor(dims(pick(1, 1, 1, 2)))], f"R.bucketize(a, b, out_int32={pick(True, False)}, right={pick(True, False)})"


@op("multinomial_from_uniform", count=20)
def multinomial(name):
    b, v, o = dim(), dim(), dim()
    return [tensor(spoil([b, v])), tensor(spoil([o, "1"])), tensor(spoil([o, "1"]), pick(L, L, F))], \
        f'R.multinomial_from_uniform(a, b, c, dtype="{pick(L, I)}")'


# --- Neural networks.
def layouts(rank):
    return {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}[rank]


def spatial(rank):
    return [pick("n", "m", "8", "7", "n + 2", "16") for _ in range(rank)]


def ints(rank, *of):
    return [pick(*of) for _ in range(rank)]


def conv(name):
    r = int(name[7])
    groups = pick(1, 1, 1, 2)
    ci, co = pick(4, 8), pick(4, 8)
    nc = rnd.random() < 0.75
    x = ["n", str(ci)] + spatial(r) if nc else ["n"] + spatial(r) + [str(ci)]
    kernel = ints(r, "1", "3", "2")
    transpose = name.endswith("transpose")
    first, second = (ci, co // groups) if transpose else (co, ci // groups)
    w = [str(first), str(second)] + kernel
    layout = layouts(r)[0 if nc else 1]
    pads = pick(0, 1, ints(r, 0, 1), ints(2 * r, 0, 1, 2), ints(3, 1))
    extra = f", output_padding={ints(r, 0, 0, 1)}" if transpose else ""
    out = pick("", "", f', out_dtype="{F}"')
    dtype = pick(F, F, H)
    return [tensor(spoil(x, 0.1), dtype), tensor(spoil(w, 0.1), dtype)], \
        f'R.{name}(a, b, strides={pick(1, 2, ints(r, 1, 2))}, padding={pads}, dilation={pick(1, ints(r, 1, 2))}{extra}, groups={groups}, data_layout="{layout}"{out})'


for rank in (1, 2, 3):
    op(f"nn.conv{rank}d", count=40)(conv)
    op(f"nn.conv{rank}d_transpose", count=24)(conv)


def pool(name):
    r = int(name[-2])
    nc = rnd.random() < 0.75
    x = ["n", "3"] + spatial(r) if nc else ["n"] + spatial(r) + ["3"]
    pads = pick(0, 1, ints(r, 0, 1), ints(2 * r, 0, 1))
    return [tensor(spoil(x, 0.1))], \
        f'R.{name}(a, pool_size={pick(2, 3, ints(r, 1, 2, 3))}, strides={pick(1, 2, ints(r, 1, 2))}, padding={pads}, dilation={pick(1, ints(r, 1, 2))}, ceil_mode={pick(True, False)}, layout="{layouts(r)[0 if nc else 1]}")'


for rank in (1, 2, 3):
    for kind in ("max", "avg"):
        op(f"nn.{kind}_pool{rank}d", count=24)(pool)


def adaptive(name):
    r = int(name[-2])
    nc = rnd.random() < 0.75
    x = ["n", "3"] + spatial(r) if nc else ["n"] + spatial(r) + ["3"]
    return [tensor(spoil(x, 0.1))], f'R.{name}(a, output_size={pick(None, 1, ints(r, 1, 2, 3))}, layout="{layouts(r)[0 if nc else 1]}")'


for rank in (1, 2, 3):
    op(f"nn.adaptive_avg_pool{rank}d")(adaptive)


@op("nn.batch_norm", count=16)
def batch_norm(name):
    a = dims(pick(2, 4))
    c = pick(a[1], a[1], "5")
    return [tensor(a, pick(F, F, I))] + [tensor([c]) for _ in range(4)], f"R.nn.batch_norm(a, b, c, d, e, axis={pick(1, 1, -1, 9)})"


@op("nn.layer_norm", "nn.instance_norm", count=16)
def layer_norm(name):
    a = dims(3)
    ax = pick([-1], [1, 2], [-2, -1], [3])
    s = [a[i] for i in ax] if ax != [3] else ["3"]
    if name == "nn.instance_norm":
        return [tensor(a), tensor([a[1]]), tensor(spoil([a[1]]))], f"R.{name}(a, b, c, channel_axis=1, axes=[2])"
    return [tensor(a), tensor(spoil(s)), tensor(s)], f"R.{name}(a, b, c, axes={ax})"


@op("nn.group_norm", count=20)
def group_norm(name):
    c = pick("4", "6", "n * 2", "n")
    return [tensor(["n", c, "8", "m"]), tensor(spoil([c])), tensor([c])], \
        f"R.nn.group_norm(a, b, c, num_groups={pick(2, 3)}, channel_axis={pick(1, -3)}, axes={pick([2, 3], [-2, -1], [4])})"


@op("nn.rms_norm", count=16)
def rms_norm(name):
    a = dims(pick(2, 3))
    return [tensor(a, pick(F, H, I)), tensor(spoil([a[-1]]), F)], f"R.nn.rms_norm(a, b, axes={pick(-1, [-1], [7])})"


@op("nn.attention", "nn.attention_bias", count=24)
def attention(name):
    b, s, h, d, t = "n", "m", "4", "8", pick("m", "k", "16")
    q, kv = [b, s, h, d], [b, t, h, d]
    v = [b, t, h, pick("8", "16")]
    bias = pick([b, h, s, t], [b, "1", s, t], ["1", h, s, t], [b, t], [h, s, t])
    args = [tensor(spoil(q, 0.1)), tensor(spoil(kv, 0.1)), tensor(spoil(v, 0.1))]
    if name.endswith("bias"):
        return args + [tensor(bias)], "R.nn.attention_bias(a, b, c, d)"
    return args, f"R.nn.attention(a, b, c{pick('', ', causal_mask=' + chr(34) + 'TopLeft' + chr(34))})"


@op("nn.cross_entropy_with_logits", count=16)
def cross_entropy(name):
    a = dims(pick(1, 2))
    return [tensor(a), tensor(spoil(a), pick(F, F, F, I))], "R.nn.cross_entropy_with_logits(a, b)"


@op("nn.nll_loss", count=30)
def nll_loss(name):
    a = ["n", "10"] + pick([], ["8"], ["m", "8"])
    args = [tensor(spoil(a)), tensor(spoil([a[0]] + a[2:]), pick(L, L, F))]
    if rnd.random() < 0.5:
        return args + [tensor(["10"])], f"R.nn.nll_loss(a, b, c, reduction=\"{pick('mean', 'sum', 'none')}\")"
    return args, f"R.nn.nll_loss(a, b, reduction=\"{pick('mean', 'sum', 'none')}\")"


# --- Quantisation.
@op("quantize", count=20)
def quantize(name):
    a = dims(pick(1, 2))
    c = pick([], [a[-1]])
    return [tensor(a, pick(F, H, I)), tensor(spoil(c), F), tensor(c, pick("int8", "int8", F))], \
        f'R.quantize(a, b, c, axis={pick(-1, len(a) - 1, 5)}, out_dtype="{pick("int8", "uint8", F)}")'


@op("dequantize", count=20)
def dequantize(name):
    a = dims(pick(1, 2))
    c = pick([], [a[-1]])
    return [tensor(a, pick("int8", "uint8", F)), tensor(spoil(c), F), tensor(c, pick("int8", "int8", F))], \
        f'R.dequantize(a, b, c, axis={pick(-1, len(a) - 1, 5)}, out_dtype="{pick(F, H, I)}")'


# --- Images and vision.
@op("image.resize2d", count=20)
def resize2d(name):
    nc = rnd.random() < 0.7
    x = ["n", "3", "m", "8"] if nc else ["n", "m", "8", "3"]
    return [tensor(spoil(x))], f'R.image.resize2d(a, {pick("(10, 20)", "(m, 16)", "R.shape([5, 5])", "(7,)")}, layout="{"NCHW" if nc else "NHWC"}", method="{pick("linear", "cubic", "nearest_neighbor")}"{pick("", ", out_dtype=" + repr(H))})'


@op("image.resize3d")
def resize3d(name):
    return [tensor(spoil(["n", "3", "m", "8", "4"]))], f'R.image.resize3d(a, {pick("(10, 20, 5)", "(m, 16, 2)")}, layout="NCDHW")'


@op("image.grid_sample", count=16)
def grid_sample(name):
    return [tensor(spoil(["n", "3", "m", "8"])), tensor(spoil(["n", "2", "5", "6"]))], 'R.image.grid_sample(a, b, layout="NCHW")'


@op("image.affine_grid")
def affine_grid(name):
    return [tensor(spoil(["n", "2", "3"]))], f'R.image.affine_grid(a, {pick("(8, 8)", "(m, 4)")})'


@op("vision.roi_align", count=16)
def roi_align(name):
    return [tensor(spoil(["n", "3", "m", "8"])), tensor(spoil(["k", "5"]))], f'R.vision.roi_align(a, b, {pick("(7, 7)", "3")}, 0.5, layout="NCHW")'


@op("vision.roi_pool")
def roi_pool(name):
    return [tensor(spoil(["n", "3", "m", "8"])), tensor(spoil(["k", "5"]))], 'R.vision.roi_pool(a, b, (7, 7), 0.5, layout="NCHW")'


@op("vision.get_valid_counts")
def valid_counts(name):
    return [tensor(spoil(["n", "m", "6"]))], "R.vision.get_valid_counts(a, 0.5)"


@op("vision.multibox_transform_loc")
def multibox(name):
    return [tensor(spoil(["n", "5", "8"])), tensor(spoil(["n", "32"])), tensor(spoil(["1", "8", "4"]))], "R.vision.multibox_transform_loc(a, b, c)"


@op("vision.non_max_suppression")
def nms(name):
    return [tensor(spoil(["n", "m", "6"])), tensor(["n"], I), tensor(["n", "m"], I)], f"R.vision.non_max_suppression(a, b, c, return_indices={pick(True, False)})"


@op("vision.all_class_non_max_suppression")
def all_nms(name):
    return [tensor(spoil(["n", "m", "4"])), tensor(spoil(["n", "3", "m"])), tensor([], L), tensor([]), tensor([])], \
        f'R.vision.all_class_non_max_suppression(a, b, c, d, e, output_format="{pick("onnx", "tensorflow")}")'


# --- Shapes, devices, collectives, memory.
@op("shape_of", "size", count=8)
def shape_of(name):
    return [tensor(dims())], f"R.{name}(a)"


@op("tensor_to_shape", count=10)
def tensor_to_shape(name):
    return [tensor(pick(["3"], ["1"], ["n"], ["2", "2"]), pick(L, L, I, F))], "R.tensor_to_shape(a)"


@op("shape_to_tensor", count=6)
def shape_to_tensor(name):
    return [f"R.Shape([{', '.join(dims())}])" if rnd.random() < 0.7 else f"R.Shape(ndim={pick(0, 2)})"], "R.shape_to_tensor(a)"


@op("ccl.allreduce", "ccl.broadcast_from_worker0", count=8)
def allreduce(name):
    return [tensor(dims())], f"R.{name}(a)"


@op("ccl.allgather", "ccl.scatter_from_worker0", count=12)
def allgather(name):
    return [tensor([pick("4", "n", "n * 2", "3")] + dims(1))], f"R.{name}(a, num_workers=2)"


@op("memory.view", count=24)
def view(name):
    shape = pick("R.shape([n * 4])", "R.shape([4, n])", "R.shape([2])", "None")
    dtype = pick("None", repr("float32"), repr("float16"), repr("int32"))
    return [tensor(["n", "4"], F)], f"R.memory.view(a, {shape}, {dtype}, {pick('None', '0', '16')})"


@op("memory.ensure_zero_offset", count=6)
def zero_offset(name):
    return [tensor(dims())], "R.memory.ensure_zero_offset(a)"


# --- What has no function in R, by its parts: operands, and the call made from the operator's name.
def call(name, *args):
    args = ", ".join(args)
    return f'relax.Call(tvm.ir.Op.get("relax.{name}"), [{args}])'


@op("inspect.tensor_ndim", "inspect.tensor_dtype_bits", "inspect.tensor_dtype_code", "inspect.tensor_dtype_lanes",
    "inspect.tensor_byte_offset", "inspect.tensor_elem_offset", count=4)
def inspect_one(name):
    return [tensor(dims())], call(name, "a")


@op("inspect.tensor_shape_i", "inspect.tensor_stride_i", count=10)
def inspect_dim(name):
    return [tensor(dims(2))], call(name, "a", f"R.prim_value({pick(0, 1, 1, 2, -1)})")


@op("builtin.alloc_tensor", count=4)
def alloc_tensor(name):
    return [], f'relax.op.{name}(R.shape([{", ".join(dims())}]), R.dtype("{pick(F, I)}"), R.prim_value(0), R.str("global"))'


@op("memory.alloc_storage", "vm.alloc_storage", count=3)
def alloc_storage(name):
    shape = f"R.shape([{dim()}])"
    return [], f'relax.op.{name}({shape}, 0, "global", "uint8")' if name[0] == "m" else f'relax.op.{name}({shape}, 0, "uint8", "global")'


@op("memory.alloc_tensor", "vm.alloc_tensor", count=4)
def tensor_in_storage(name):
    return ["R.Object"], f'relax.op.{name}(a, 0, R.shape([{", ".join(dims())}]), "{pick(F, H)}")'


@op("memory.kill_storage", "vm.kill_object", count=1)
def kill(name):
    return ["R.Object"], f"relax.op.{name}(a)"


@op("memory.kill_tensor", "builtin.stop_lift_params", "grad.no_grad", "grad.start_checkpoint", "grad.end_checkpoint", count=3)
def same(name):
    return [tensor(dims())], f"relax.op.{name}(a)"


@op("null_value", count=1)
def null_value(name):
    return [], "R.null_value()"


@op("print", count=3)
def print_op(name):
    return [tensor(dims()), "R.Shape([n])"], f"R.print(a, b, format='{pick('', '{} {}')}')"


@op("assert_op", count=6)
def assert_op(name):
    return [tensor(pick([], [], ["2"]), pick(B, B, F)), tensor(dims())], "R.assert_op(a, b, format='bad {}')"


@op("nn.attention_var_len", count=8)
def attention_var_len(name):
    q = tensor(spoil(["1", "n", "4", "8"], 0.2), degrade=False)
    return [q, tensor(["1", "m", "4", "8"], degrade=False), tensor(["1", "m", "4", "16"], degrade=False), tensor(["3"], I, False),
            tensor([], I, False)], "R.nn.attention_var_len(a, b, c, d, e)"


@op("grad.take_backward", count=4)
def take_backward(name):
    return [tensor(dims(2)), tensor(dims(2)), tensor(dims(1), L)], "relax.op.grad.take_backward(a, b, c, axis=0)"


@op("grad.max_pool2d_backward", "grad.avg_pool2d_backward", count=4)
def pool_backward(name):
    return [tensor(["n", "3", "4", "4"]), tensor(["n", "3", "8", "8"])], f"relax.op.{name}(a, b, pool_size=[2, 2], strides=[2, 2])"


@op("grad.nll_loss_backward", count=4)
def nll_backward(name):
    return [tensor([]), tensor(["n", "10"]), tensor(["n"], L), tensor(["10"])], "relax.op.grad.nll_loss_backward(a, b, c, d)"


# --- Calls that say themselves what they give. `cls.f` is a loop program, `cls.g` a function; the test has both.
def annotations():
    some = [tensor(dims()) for _ in range(pick(1, 1, 1, 2))]
    if rnd.random() < 0.1:
        some = [pick("R.Object", "R.Shape([n, 4])", 'R.Prim("int64")')]
    return some


def out_of(some):
    return some[0] if len(some) == 1 and rnd.random() < 0.8 else f"[{', '.join(some)}]"


def operands_of(count):
    return [tensor(dims()) for _ in range(count)], tup("abc"[:count])


@op("call_tir", "call_tir_with_grad", count=20)
def call_tir(name):
    a = [dim(), "4"]
    operand, out = tensor(a), annotations() if rnd.random() < 0.15 else [tensor(spoil(a, 0.1))]
    scalars = ", tir_vars=R.shape([n, m + 1])" if rnd.random() < 0.05 else ""
    grad = ', te_grad_name="grad_of_f"' if name.endswith("grad") else ""
    return [operand], f"R.{name}(cls.f, {pick('(a,)', '(a,)', 'a')}, out_sinfo={out_of(out)}{grad}{scalars})"


@op("call_tir_inplace", count=24)
def call_tir_inplace(name):
    a = [dim(), "4"]
    operands = [tensor(a), tensor(a, degrade=rnd.random() < 0.3)]
    if rnd.random() < 0.3:
        return operands[1:], f"R.{name}(cls.f, (a,), inplace_indices=[{pick(0, -1, 1)}], out_sinfo={operands[1]})"
    out = tensor(spoil(a, 0.3), degrade=False)
    return operands, f"R.{name}(cls.f, (a, b), inplace_indices=[{pick(0, 1, 1, 1, 3, -2)}], out_sinfo={out})"


@op("call_dps_packed", count=20)
def call_dps_packed(name):
    operands, args = operands_of(pick(0, 1, 2))
    return operands, f'R.{name}("lib.f", {args}, out_sinfo={out_of(annotations())})'


@op("call_packed", "call_pure_packed", count=16)
def call_packed(name):
    operands, args = operands_of(pick(1, 2))
    return operands, f'R.{name}("lib.f", {args.strip("(),")}, sinfo_args={pick("R.Object", "[" + tensor(dims()) + "]")})'


@op("call_inplace_packed", count=20)
def call_inplace_packed(name):
    operands, args = operands_of(pick(1, 2))
    place = pick(0, 0, len(operands) - 1, 3, -1)
    out = operands[place] if place < len(operands) and rnd.random() < 0.8 else tensor(dims())
    return operands, f'R.{name}("lib.f", {args.strip("(),")}, inplace_indices=[{place}], sinfo_args=[{out}])'


@op("call_builtin_with_ctx", count=12)
def call_builtin(name):
    operands, args = operands_of(pick(0, 1, 2))
    return operands, f'R.{name}("vm.builtin.some", {args}, sinfo_args=[{pick("R.Object", tensor(dims()))}])'


@op("invoke_closure", "invoke_pure_closure", count=12)
def invoke_closure(name):
    callee = pick("R.Object", "R.Object", tensor(dims()))
    return [callee] + [tensor(dims()) for _ in range(2)], f"R.{name}(a, {pick('(b,)', '(b, c)')}, sinfo_args=[{pick('R.Object', tensor(dims()))}])"


@op("make_closure", count=6)
def make_closure(name):
    operands, args = operands_of(pick(0, 1, 2))
    return operands, f"R.{name}(cls.g, {args})"


@op("vm.call_tir_dyn", count=6)
def call_tir_dyn(name):
    operands, _ = operands_of(pick(1, 2))
    args = ", ".join("abc"[:len(operands)] + pick("", "s"))
    args = args.replace("s", "R.shape([n, m + 1])")
    return operands, call(name, "cls.f", f"relax.Tuple([{args}])")


@op("hint_on_device", count=8)
def hint_on_device(name):
    return [pick(tensor(dims()), tensor(dims()), "R.Object")], f"R.{name}(a, tvm.{pick('cpu()', 'cuda(0)', 'cuda(1)')})"


@op("to_vdevice", count=8)
def to_vdevice(name):
    return [pick(tensor(dims()), tensor(dims()), "R.Object")], f'R.{name}(a, tvm.ir.VDevice("{pick("llvm", "opencl")}"))'


@op("dist.redistribute_replica_to_shard", count=12)
def replica_to_shard(name):
    a = dims(pick(1, 2))
    return [tensor(a)], f"relax.op.distributed.redistribute_replica_to_shard(a, {pick(1, 2, 4)}, {pick(0, len(a) - 1, 2)})"


@op("dist.annotate_sharding", "dist.redistribute", count=6)
def annotate_sharding(name):
    mesh, placement = "relax.distributed.DeviceMesh((2,), [0, 1])", 'relax.distributed.Placement.from_text("S[0]")'
    return [tensor(dims(2))], f"relax.op.distributed.{name[5:]}(a, {mesh}, {placement})"


@op("dist.call_tir_local_view", count=8)
def call_tir_local_view(name):
    a = [dim(), "4"]
    placed = f'relax.distributed.DTensorStructInfo({tensor(a, degrade=False)}, relax.distributed.DeviceMesh((2,), [0, 1]), ' \
        'relax.distributed.Placement.from_text("S[0]"))'
    return [tensor(a)], f"R.dist.call_tir_local_view(cls.f, (a,), out_sinfo={pick(placed, placed, tensor(a))})"


def declared(name, result):
    """A function of the module, as calls see it."""
    known = relax.TensorStructInfo((SYMBOLS["n"], 4), F)
    var = relax.GlobalVar(name)
    relax.expr._update_struct_info(var, relax.FuncStructInfo([known, known], result or known))
    return var


def functions():
    """What call texts may name beyond the script's R."""
    cls = types.SimpleNamespace(f=declared("f", relax.TupleStructInfo([])), g=declared("g", None))
    return {"R": R, "T": T, "relax": relax, "tvm": tvm, "cls": cls, **SYMBOLS}


def spelled(call):
    """A call in the text form; functions and meshes of the module as they stand in a module."""
    text = re.sub(r"^(R\.[\w.]+)\(([fg]), ", r"\1(cls.\2, ", " ".join(call.script().split()))
    return in_module(text)


def in_module(text):
    return re.sub(r'(R\.DTensor\(.*), R\.device_mesh\(\(2,\), \[0, 1\]\)', r'\1, "mesh[0]"', text)


def frame_is_ours(error):
    """An error that Python raised in our own text or in a wrapper's argument handling is no refusal of TVM's."""
    last = None
    for frame in iter_frames(error):
        last = frame
    return last is None or (last.endswith(".py") and isinstance(error, (AttributeError, NameError, SyntaxError)))


def iter_frames(error):
    at = error.__traceback__
    while at:
        yield at.tb_frame.f_code.co_filename
        at = at.tb_next


def deduce(operands, text):
    env = functions()
    named = []
    for name, annotation in zip("abcdef", operands):
        info = eval(annotation, env)
        info = info() if callable(info) and not hasattr(info, "dtype") else info
        env[name] = relax.Var(name, info)
        named.append(env[name])
    call = None
    try:
        call = eval(re.sub(r"R\.(Tensor|Object)(?![\w(])", r"R.\1()", text), env)
        made = relax.BlockBuilder().normalize(call)
    except BaseException as error:  # TVM raises many kinds
        if frame_is_ours(error):
            raise
        in_parts = call is not None and (not text.startswith("R.") or "tvm." in text)  # What is no call in the text form.
        return spelled(call) if in_parts else text, "refused"
    if isinstance(made, relax.Call) and made.op == call.op:  # Else it became its value.
        call = made
    return spelled(call), in_module(" ".join(made.struct_info.script().split()))


def deduce_apart(draws):
    """Deduces in a child process: some calls crash TVM, and those are left out."""
    done, start = [], 0
    while start < len(draws):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(write, "w") as out:
                for operands, text in draws[start:]:
                    try:
                        row = deduce(operands, text)
                    except BaseException as error:
                        row = ("skipped", f"{text}: {type(error).__name__}: {' '.join(str(error).split())[-150:]}")
                    out.write(json.dumps(row) + "\n")
                    out.flush()
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as rows:
            got = [json.loads(row) for row in rows]
        os.waitpid(child, 0)
        done += got
        start += len(got)
        if start < len(draws):
            done.append(("skipped", f"{draws[start][1]}: crashed"))
            start += 1
    return done


def main():
    lines, skipped = [], []
    for name in sorted(OPS):
        make, count = OPS[name]
        rnd.seed(zlib.crc32(name.encode()))
        draws = [make(name) for _ in range(count * 2)]
        rows = []
        for (operands, _), (call, result) in zip(draws, deduce_apart(draws)):
            named = "; ".join(f"{v}: {a}" for v, a in zip("abcdef", operands))
            row = f"{named} | {call} | {result}"
            if call == "skipped":
                skipped.append(result)
            elif row not in rows:
                rows.append(row)
        lines += rows[:count]
    with open(sys.argv[1], "w") as out:
        out.write("# What TVM 0.25.0.post1 deduces: operands | call | result. Made by tools/record_infer.py.\n")
        out.write("\n".join(lines) + "\n")
    refused = sum(line.endswith("refused") for line in lines)
    print(f"{len(lines)} calls of {len(OPS)} operators, {refused} refused, {len(skipped)} left out")
    for line in skipped:
        print("left out:", line, file=sys.stderr)


if __name__ == "__main__":
    main()
