#!/usr/bin/env python3
"""A decoder layer and attention, ours and peers', in one process and in turn.

usage: RELAX_INCLUDE=include RELAX_LIBRARIES=build PYTHONPATH=python PYTHON_WITH_PEERS bench/layers.py
           [--threads 1] [--only SUBSTRING] [--rows 1,7,128,512] [--rounds 5] [--target cpu:host]
       (bench/kernels_peers.sh makes a Python with the peers; absent ones are left out)

layer PRESET   one layer of tools/decoder's in float32, n tokens attending to each other, weights that come with the model
prompt, step   attention alone, 32 heads on 8 of the cache, 64 elements each: n tokens among themselves, and one token
               over n; ours over pages of a cache in float32 and float16, peers over tensors in float32, llama.cpp's
               library in both, with flash attention and without (--llama FOLDER: where llama_cpp/lib and include
               are, of a llama-cpp-python built for this machine; bench/vm_peers.sh gets one)

Peers get the layer twice, attention as single operators and as one (Attention, RotaryEmbedding of opset 23), and count
with the better. Figures are medians of the rounds, ratios medians of the ratios within a round; with one thread it is
processor time.
"""
import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import relax_c
from kernels import PEERS, QUIET, with_torch

FOLDER = os.path.dirname(os.path.abspath(__file__))
LAYERS = {"smollm2-135m": (576, 9, 3, 64, 1536, 100000.0), "llama-1b": (2048, 32, 8, 64, 8192, 500000.0)}
VOCABULARY = 64  # small: the layer is what counts


# --- The layer, as a graph of ONNX.

class Graph:
    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def op(self, kind, *inputs, outputs=1, **attributes):
        from onnx import helper
        names = [f"t{self.count + i}" for i in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def const(self, value, dtype=np.float32):
        from onnx import numpy_helper
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def model(self, inputs, result, dims):
        from onnx import TensorProto, helper
        values = [helper.make_tensor_value_info(n, getattr(TensorProto, t), d) for n, t, d in inputs]
        out = helper.make_tensor_value_info(result, TensorProto.FLOAT, dims)
        graph = helper.make_graph(self.nodes, "layer", values, [out], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10).SerializeToString()


def rotate(g, x, cos, sin, size):
    left, right = g.op("Split", x, g.const([size // 2] * 2, np.int64), outputs=2, axis=-1)
    turned = g.op("Concat", g.op("Neg", right), left, axis=-1)
    return g.op("Add", g.op("Mul", x, cos), g.op("Mul", turned, sin))


def attend(g, q, k, v, mask, groups, size):
    """q: (1, heads, n, size), k and v with fewer heads; the causal mask is added"""
    def repeated(x):
        x = g.op("Unsqueeze", x, g.const([2], np.int64))
        x = g.op("Tile", x, g.const([1, 1, groups, 1, 1], np.int64))
        return g.op("Reshape", x, g.const([0, -1, g.length, size], np.int64))
    dots = g.op("MatMul", q, g.op("Transpose", repeated(k), perm=[0, 1, 3, 2]))
    scaled = g.op("Add", g.op("Mul", dots, g.const(size ** -0.5)), mask)
    return g.op("MatMul", g.op("Softmax", scaled, axis=-1), repeated(v))


def layer_onnx(preset, weights, n, fused):
    hidden, heads, kv_heads, size, _, theta = LAYERS[preset]
    g = Graph()
    g.length = n
    w = {name: g.const(value) for name, value in weights.items()}
    angles = np.arange(n)[:, None] * theta ** (-2.0 * np.arange(size // 2) / size)[None, :]
    half_cos, half_sin = np.cos(angles), np.sin(angles)
    cos, sin = (g.const(np.concatenate([a, a], 1)) for a in (half_cos, half_sin))
    mask = g.const(np.triu(np.full((n, n), -3e38), 1))

    def norm(x, name):
        return g.op("RMSNormalization", x, w[name], axis=-1, epsilon=1e-5)

    def split(x, count):
        x = g.op("Reshape", x, g.const([1, n, count, size], np.int64))
        return g.op("Transpose", x, perm=[0, 2, 1, 3])

    h = g.op("Reshape", g.op("Gather", w["embed_weight"], "tokens"), g.const([1, n, hidden], np.int64))
    x = norm(h, "layers_0_norm1_weight")
    q, k, v = (g.op("MatMul", x, w[f"layers_0_{c}_weight"]) for c in "qkv")
    if fused:
        caches = [g.const(a[None]) for a in (half_cos, half_sin)]
        q, k, v = split(q, heads), split(k, kv_heads), split(v, kv_heads)
        q, k = (g.op("RotaryEmbedding", a, *caches) for a in (q, k))
        y = g.op("Attention", q, k, v, is_causal=1)
    else:
        q, k = rotate(g, split(q, heads), cos, sin, size), rotate(g, split(k, kv_heads), cos, sin, size)
        y = attend(g, q, k, split(v, kv_heads), mask, heads // kv_heads, size)
    y = g.op("Reshape", g.op("Transpose", y, perm=[0, 2, 1, 3]), g.const([1, n, heads * size], np.int64))
    h = g.op("Add", h, g.op("MatMul", y, w["layers_0_o_weight"]))
    x = norm(h, "layers_0_norm2_weight")
    gate, up = (g.op("MatMul", x, w[f"layers_0_{c}_weight"]) for c in ("gate", "up"))
    act = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), up)
    h = g.op("Add", h, g.op("MatMul", act, w["layers_0_down_weight"]))
    y = g.op("MatMul", norm(h, "norm_weight"), w["head_weight"])
    return g.model([("tokens", "INT32", [1, n])], y, [1, n, VOCABULARY])


def layer_weights(preset):
    hidden, heads, kv_heads, size, inner, _ = LAYERS[preset]
    rng = np.random.default_rng(0)
    dims = {"embed_weight": (VOCABULARY, hidden), "head_weight": (hidden, VOCABULARY), "norm_weight": (hidden,)}
    for name, d in {"q": (hidden, heads * size), "k": (hidden, kv_heads * size), "v": (hidden, kv_heads * size),
                    "o": (heads * size, hidden), "gate": (hidden, inner), "up": (hidden, inner),
                    "down": (inner, hidden), "norm1": (hidden,), "norm2": (hidden,)}.items():
        dims[f"layers_0_{name}_weight"] = d
    return {name: (rng.standard_normal(d) / (d[0] ** 0.5 if len(d) > 1 else 1)).astype(np.float32)
            for name, d in dims.items()}


class Layer:
    def __init__(self, preset, options):
        text = subprocess.run([sys.executable, os.path.join(FOLDER, "../tools/decoder"), "--preset", preset, "--layers", "1",
                               "--batch", "1", "--vocab", str(VOCABULARY), "--no-tied"],
                              capture_output=True, text=True, check=True).stdout
        self.name, self.preset, self.weights, self.options = f"layer {preset}", preset, layer_weights(preset), options
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.npz")
            np.savez(path, **self.weights)
            file = os.path.join(folder, "layer.rlx")
            relax_c.compile(text, path=file, targets=[options.target], weights=path)
            self.executable = relax_c.Executable(file)  # weights of a file lie in large pages

    def calls(self, n):
        tokens = np.arange(n, dtype=np.int32)[None] % VOCABULARY
        main = relax_c.Context(self.executable, threads=self.options.threads)["main"]
        value = relax_c.tensor(tokens)
        yield "ours", lambda: np.asarray(main(value).numpy())
        for fused in (False, True):
            model = layer_onnx(self.preset, self.weights, n, fused)
            for name, make in PEERS.items():
                yield name + (", fused" if fused else ""), lambda m=make, o=model: m(o, [tokens], self.options.threads,
                                                                                      ["tokens"])


# --- Attention alone.

HEADS, KV_HEADS, SIZE, PAGE = 32, 8, 64, 16

ATTENTION = """
@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor(("t", {heads}, {size}), "float32"), k: R.Tensor(("g", {page}, {kv}, {size}), "{dtype}"),
             v: R.Tensor(("g", {page}, {kv}, {size}), "{dtype}"), p: R.Tensor(("t",), "int32"),
             s: R.Tensor(("b",), "int32"), g: R.Tensor(("b - 1", "m"), "int32")):
        with R.dataflow():
            y = R.rx.attention(q, k, v, p, s, g, scale={scale})
            R.output(y)
        return y
"""


class Attention:
    def __init__(self, kind, dtype, options):
        self.name, self.step, self.dtype, self.options = f"{kind} {dtype}", kind == "step", dtype, options
        text = ATTENTION.format(heads=HEADS, kv=KV_HEADS, size=SIZE, page=PAGE, dtype=dtype, scale=SIZE ** -0.5)
        self.executable = relax_c.compile(text, targets=[options.target])

    def calls(self, n):
        rng = np.random.default_rng(0)
        n = max(n, PAGE) if self.step else n
        pages, t = -(-n // PAGE), 1 if self.step else n
        q = rng.standard_normal((t, HEADS, SIZE), dtype=np.float32)
        k, v = (rng.standard_normal((pages * PAGE, KV_HEADS, SIZE), dtype=np.float32) for _ in range(2))
        cache = [a.astype(self.dtype).reshape(pages, PAGE, KV_HEADS, SIZE) for a in (k, v)]
        places = np.arange(n - t, n, dtype=np.int32)
        data = [q, *cache, places, np.array([0, t], np.int32), np.arange(pages, dtype=np.int32)[None]]
        main = relax_c.Context(self.executable, threads=self.options.threads)["main"]
        values = [relax_c.tensor(d) for d in data]
        yield "ours", lambda: np.asarray(main(*values).numpy())
        heads_first = [np.ascontiguousarray(a[None].transpose(0, 2, 1, 3)) for a in (q, k[:n], v[:n])]
        yield "torch", lambda: with_torch(lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
            *x, is_causal=t > 1, enable_gqa=True).transpose(1, 2), heads_first, self.options.threads)
        for fused in (False, True) if self.options.llama else ():
            q1, *kv = (a[0] for a in heads_first)
            kv = [a.astype(self.dtype) for a in kv]
            yield "llama.cpp" + (", fused" if fused else ""), lambda f=fused: with_ggml(
                self.options.llama, q1, *kv, f, self.options.threads)
        for fused in (False, True):
            model = attention_onnx(t, n, fused)
            for name, make in PEERS.items():
                yield name + (", fused" if fused else ""), lambda m=make, o=model: m(o, heads_first,
                                                                                      self.options.threads, list("qkv"))


# Attention by llama.cpp's library, built beside its headers and libraries.
GGML = """
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml.h"
#include <stdint.h>
#include <string.h>

typedef struct work {
    int64_t tokens, places, heads, kv_heads, size;
    float scale;
    int half, fused, threads;
    const void *q, *k, *v, *mask; // heads before tokens, floats (k, v: halves if `half`); mask: halves
} work;

static struct ggml_cgraph *graph;
static ggml_backend_t backend;
static struct ggml_tensor *result;

static struct ggml_tensor *filled(struct ggml_context *c, enum ggml_type type, int64_t a, int64_t b, int64_t n,
                                  const void *data) {
    struct ggml_tensor *t = ggml_new_tensor_3d(c, type, a, b, n);
    memcpy(t->data, data, ggml_nbytes(t));
    return t;
}

// As llama.cpp builds it without and with flash attention; without, values lie transposed in its cache.
static struct ggml_tensor *attention(struct ggml_context *c, const work *w) {
    enum ggml_type cache = w->half ? GGML_TYPE_F16 : GGML_TYPE_F32;
    struct ggml_tensor *q = filled(c, GGML_TYPE_F32, w->size, w->tokens, w->heads, w->q);
    struct ggml_tensor *k = filled(c, cache, w->size, w->places, w->kv_heads, w->k);
    struct ggml_tensor *mask = filled(c, GGML_TYPE_F16, w->places, w->tokens, 1, w->mask);
    if (w->fused) {
        struct ggml_tensor *v = filled(c, cache, w->size, w->places, w->kv_heads, w->v);
        return ggml_flash_attn_ext(c, q, k, v, mask, w->scale, 0, 0);
    }
    struct ggml_tensor *v = filled(c, cache, w->places, w->size, w->kv_heads, w->v);
    struct ggml_tensor *scores = ggml_soft_max_ext(c, ggml_mul_mat(c, k, q), mask, w->scale, 0);
    return ggml_cont(c, ggml_permute(c, ggml_mul_mat(c, v, scores), 0, 2, 1, 3));
}

// The result's floats, [tokens, heads, size], written by each run.
const float *ggml_attention_make(const work *w) {
    struct ggml_init_params p = {(size_t)1 << 30, NULL, false};
    struct ggml_context *c = ggml_init(p);
    result = attention(c, w);
    graph = ggml_new_graph(c);
    ggml_build_forward_expand(graph, result);
    backend = ggml_backend_cpu_init();
    ggml_backend_cpu_set_n_threads(backend, w->threads);
    return result->data;
}

void ggml_attention_run(void) { ggml_backend_graph_compute(backend, graph); }
"""


class GgmlWork(ctypes.Structure):
    _fields_ = [(f, ctypes.c_int64) for f in ("tokens", "places", "heads", "kv_heads", "size")] + [
        ("scale", ctypes.c_float)] + [(f, ctypes.c_int) for f in ("half", "fused", "threads")] + [
        (f, ctypes.c_void_p) for f in ("q", "k", "v", "mask")]


def with_ggml(folder, q, k, v, fused, threads):
    """q, k, v: heads first"""
    library, made = os.path.join(folder, "llama_cpp", "lib"), tempfile.mkdtemp()
    source, path = os.path.join(made, "attention.c"), os.path.join(made, "attention.so")
    with open(source, "w") as f:
        f.write(GGML)
    subprocess.run(["cc", "-O2", "-w", "-shared", "-fPIC", "-I", os.path.join(folder, "include"), "-o", path, source,
                    "-L" + library, "-lggml-cpu", "-lggml-base",
                    "-Wl,-rpath," + library], check=True)
    loop = ctypes.CDLL(path)
    heads, t, size = q.shape
    places = k.shape[1]
    mask = np.triu(np.full((t, places), -np.inf, np.float16), 1 + places - t)
    v = v if fused else np.ascontiguousarray(v.transpose(0, 2, 1))
    work = GgmlWork(t, places, heads, k.shape[0], size, size ** -0.5, k.dtype == np.float16, fused, threads,
                    *(a.ctypes.data for a in (q, k, v, mask)))
    loop.ggml_attention_make.restype = ctypes.POINTER(ctypes.c_float)
    result = loop.ggml_attention_make(ctypes.byref(work))
    values = np.ctypeslib.as_array(result, (t * heads * size,))

    def call():
        loop.ggml_attention_run()
        return values

    return call


def attention_onnx(t, n, fused):
    g = Graph()
    g.length = n
    if fused:
        y = g.op("Attention", "q", "k", "v", is_causal=int(t > 1))
    else:
        y = attend(g, "q", "k", "v", g.const(np.triu(np.full((t, n), -3e38), 1 + n - t)), HEADS // KV_HEADS, SIZE)
    y = g.op("Transpose", y, perm=[0, 2, 1, 3])
    sizes = [("q", "FLOAT", [1, HEADS, t, SIZE]), *((a, "FLOAT", [1, KV_HEADS, n, SIZE]) for a in "kv")]
    return g.model(sizes, y, [1, t, HEADS, SIZE])


# --- Measuring.

def measure(work, n, options):
    clock = time.process_time if options.threads == 1 else time.perf_counter
    ready, times = {}, {}
    want = None
    for name, make in work.calls(n):
        try:
            call = make if name == "ours" else make()
            got = call()
            got = np.asarray(got[0] if isinstance(got, (list, tuple)) else got).reshape(-1)
        except Exception as error:  # absent, or without this operator
            if name == "ours":
                raise
            if os.environ.get("VERBOSE"):
                print(name, str(error)[:300])
            continue
        want = got if want is None else want
        if got.shape == want.shape and np.abs(got - want).max() > 2e-2 * np.abs(want).max():
            print(f"{name}: differs from ours by {np.abs(got - want).max():.3g} of {np.abs(want).max():.3g}")
        ready[name], times[name] = call, []
    start = clock()
    ready["ours"]()
    repeat = max(1, int(0.1 / max(clock() - start, 1e-6)))
    for _ in range(options.rounds):
        for name, call in ready.items():
            if options.threads > 1:
                time.sleep(QUIET)
                call()
            start = clock()
            for _ in range(repeat):
                call()
            times[name].append((clock() - start) / repeat)
    mine = times.pop("ours")
    best = min(times, key=lambda name: statistics.median(times[name])) if times else None
    ratio = statistics.median(b / m for b, m in zip(times[best], mine)) if best else None
    return statistics.median(mine), best, statistics.median(times[best]) if best else None, ratio


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="cpu:host")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", default="1,7,128,512")
    parser.add_argument("--places", default="4096", help="of the cache, for a step")
    parser.add_argument("--only", default="")
    parser.add_argument("--llama", help="where llama_cpp/lib and include are: a site-packages folder")
    options = parser.parse_args()
    makers = [(f"layer {p}", lambda p=p: Layer(p, options)) for p in LAYERS]
    makers += [(f"{kind} {dtype}", lambda k=kind, d=dtype: Attention(k, d, options))
               for kind in ("prompt", "step") for dtype in ("float32", "float16")]
    print(f"{options.threads} thread(s)")
    print(f"{'work':20} {'n':>5} {'ours':>10} {'best peer':>30} {'ratio':>6}")
    for name, make in makers:
        if options.only not in name:
            continue
        work = make()
        for n in [int(r) for r in (options.places if name.startswith("step") else options.rows).split(",")]:
            mine, best, peer, ratio = measure(work, n, options)
            other = f"{best} {peer * 1e6:.0f}us" if best else "-"
            factor = f"{ratio:.2f}" if best else "-"
            print(f"{name:20} {n:5} {mine * 1e6:8.0f}us {other:>30} {factor:>6}", flush=True)


if __name__ == "__main__":
    main()
