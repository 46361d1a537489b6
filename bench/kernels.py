#!/usr/bin/env python3
"""Kernels of ours and of peers, in one process and in turn: products, products with few rows, softmax, norms, attention.

usage: RELAX_INCLUDE=include RELAX_LIBRARIES=build PYTHONPATH=python PYTHON_WITH_PEERS bench/kernels.py
           [--size 4096] [--threads 1] [--only SUBSTRING] [--rows 1,7,32] [--rounds 7] [--target cpu:host]
       (bench/kernels_peers.sh makes a Python with the peers: onnxruntime, openvino, onnx, numpy, torch where it is asked for;
        absent ones are left out)

A row prints ours, the best peer, ours as a multiple of it, and the share of what the machine can do: multiply-adds for
products of several rows, a plain read for the rest, measured between the rounds. With one thread it is processor time,
so that a busy machine does not decide; each figure is the median of the rounds, each ratio the median of the ratios
within a round: what runs beside us on the core slows all of them.
"""
import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import threading
import time

import numpy as np
import relax_c

FOLDER = os.path.dirname(os.path.abspath(__file__))

MODULE = """
@I.ir_module
class Module:
    @R.function
    def main({params}) -> R.Tensor(({out}), "float32"):
        n = T.int64()
        R.func_attr({{"num_input": {inputs}}})
        with R.dataflow():
{body}
            R.output(y)
        return y
"""


def dim(d):
    return f'"{d}"' if isinstance(d, str) else str(d)


class Work:
    """name; shapes of the inputs ("n": rows); lines of our module; ONNX nodes; PyTorch's call of it, given torch and the
    inputs; FLOP per row (0: bandwidth)

    Inputs from number `known` on are weights that come with the model: they may be laid out ahead. Those that `half`
    names are float16 with us."""

    def __init__(self, name, inputs, lines, nodes, torch, flops=0, out=None, known=None, half=()):
        self.name, self.inputs, self.lines, self.nodes, self.torch, self.flops = name, inputs, lines, nodes, torch, flops
        self.out, self.known, self.half = out or inputs[0], len(inputs) if known is None else known, half

    def module(self):
        params = ", ".join(f'x{i}: R.Tensor(({", ".join(map(dim, s))},), "float{16 if i in self.half else 32}")'
                           for i, s in enumerate(self.inputs))
        body = "\n".join("            " + line for line in self.lines)
        return MODULE.format(params=params, out=", ".join(map(dim, self.out)), body=body, inputs=self.known)

    def bytes(self, n):
        """what must be read and written"""
        return sum((2 if i in self.half else 4) * int(np.prod(shape(s, n)))
                   for i, s in enumerate([*self.inputs, self.out]))


def shape(dims, n):
    return tuple(n if d == "n" else d for d in dims)


def works(k):
    x, w, v = ("n", k), (k, k), (k,)
    matmul, gemm = [("MatMul", ["x0", "x1"], {})], [("Gemm", ["x0", "x1"], {"transB": 1})]
    linear = 'y = R.einsum((x0, x1), subscripts="ay,zy->az")'
    # A window of 3 x 3 that moves by 2 over images of as many elements as rows have, at least 64 a side.
    side = max(64, int(k ** 0.5))
    image, half_image = ("n", max(1, k // side**2), side, side), ("n", max(1, k // side**2), side // 2, side // 2)
    window = "pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1]"
    onnx_window = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    times, rows_times = (lambda t, x: x[0] @ x[1]), (lambda t, x: t.nn.functional.linear(*x))
    return [
        Work("matmul B[k, n]", (x, w), ["y = R.matmul(x0, x1)"], matmul, times, 2 * k * k),
        Work("linear W[n, k]", (x, w), [linear], gemm, rows_times, 2 * k * k),
        Work("matmul, weight", (x, w), ["y = R.matmul(x0, x1)"], matmul, times, 2 * k * k, known=1),
        Work("linear, weight", (x, w), [linear], gemm, rows_times, 2 * k * k, known=1),
        Work("linear, f16", (x, w), ['w = R.astype(x1, "float32")', 'y = R.einsum((x0, w), subscripts="ay,zy->az")'],
             gemm, rows_times, 2 * k * k, known=1, half=(1,)),
        Work("softmax", (x,), ["y = R.nn.softmax(x0)"], [("Softmax", ["x0"], {"axis": -1})],
             lambda t, x: t.softmax(x[0], -1)),
        Work("rms_norm", (x, v), ["y = R.nn.rms_norm(x0, x1, axes=[-1])"],
             [("RMSNormalization", ["x0", "x1"], {"axis": -1})],
             lambda t, x: t.nn.functional.rms_norm(x[0], (k,), x[1])),
        Work("layer_norm", (x, v, v), ["y = R.nn.layer_norm(x0, x1, x2, axes=[-1])"],
             [("LayerNormalization", ["x0", "x1", "x2"], {"axis": -1})],
             lambda t, x: t.nn.functional.layer_norm(x[0], (k,), x[1], x[2])),
        Work("gelu", (x,), ["y = R.nn.gelu(x0)"], [("Gelu", ["x0"], {})], lambda t, x: t.nn.functional.gelu(x[0])),
        Work("transpose", (x,), ["y = R.permute_dims(x0)"], [("Transpose", ["x0"], {"perm": [1, 0]})],
             lambda t, x: x[0].t().contiguous(), out=(k, "n")),
        Work("cumsum", (x,), ["y = R.cumsum(x0, axis=1)"], [("CumSum", ["x0", "axis"], {})], lambda t, x: t.cumsum(x[0], 1)),
        Work("max_pool", (image,), [f"y = R.nn.max_pool2d(x0, {window})"], [("MaxPool", ["x0"], onnx_window)],
             lambda t, x: t.nn.functional.max_pool2d(x[0], 3, 2, 1), out=half_image),
        Work("avg_pool", (image,), [f"y = R.nn.avg_pool2d(x0, {window}, count_include_pad=True)"],
             [("AveragePool", ["x0"], {**onnx_window, "count_include_pad": 1})],
             lambda t, x: t.nn.functional.avg_pool2d(x[0], 3, 2, 1), out=half_image),
    ]


# --- Ours and peers: each gives a function that runs the work once.

def ours(work, data, threads, target):
    data = [d.astype(np.float16) if i in work.half else d for i, d in enumerate(data)]
    with tempfile.TemporaryDirectory() as folder:
        path, file = os.path.join(folder, "weights.npz"), os.path.join(folder, "work.rlx")
        np.savez(path, **{f"x{i}": d for i, d in enumerate(data) if i >= work.known})
        known = {"weights": path} if work.known < len(data) else {}
        relax_c.compile(work.module(), path=file, targets=[target], **known)
        main = relax_c.Context(file, threads=threads)["main"]  # weights of a file lie in large pages
    values = [relax_c.tensor(d) for d in data[:work.known]]
    return lambda: main(*values)


def onnx_model(work, data):
    from onnx import TensorProto, helper, numpy_helper
    made = [helper.make_node(op, names, ["y"], **attributes) for op, names, attributes in work.nodes]
    values = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, s)
              for i, s in enumerate(work.inputs[:work.known])]
    weights = [numpy_helper.from_array(d, f"x{i}") for i, d in enumerate(data) if i >= work.known]
    weights.append(numpy_helper.from_array(np.array(1), "axis"))
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, work.out)
    graph = helper.make_graph(made, "kernel", values, [result], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=9).SerializeToString()


def with_onnxruntime(model, data, threads, names=None):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 4
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feed = {names[i] if names else f"x{i}": d for i, d in enumerate(data)}
    return lambda: session.run(None, feed)


def with_openvino(model, data, threads, names=None):
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model), "CPU",
                                  {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    for i, d in enumerate(data):
        request.set_input_tensor(i, openvino.Tensor(d, shared_memory=True))

    def call():
        request.infer()
        return request.get_output_tensor(0).data

    return call


PEERS = {"onnxruntime": with_onnxruntime, "openvino": with_openvino}


def with_torch(call, data, threads):
    """call(torch, inputs as tensors), without gradients"""
    import torch
    torch.set_num_threads(threads)
    inputs = [torch.from_numpy(d) for d in data]

    def run():
        with torch.inference_mode():
            return call(torch, inputs)

    return run


def peers(work, data, threads):
    made = {}
    makers = {name: lambda make=make: make(onnx_model(work, data), data[:work.known], threads)
              for name, make in PEERS.items()}
    makers["torch"] = lambda: with_torch(work.torch, data, threads)
    for name, make in makers.items():
        try:
            made[name] = make()
            made[name]()
        except Exception as error:  # absent, or without this operator
            if not isinstance(error, ImportError) and os.environ.get("VERBOSE"):
                print(name, str(error)[:200])
            made.pop(name, None)
    return made


# --- The machine.

QUIET = 0.2  # seconds: threads of whoever ran last wait for more work by turning, and take a core from the next


class Machine:
    def __init__(self, folder, threads):
        path = os.path.join(folder, "limits.so")
        subprocess.run(["cc", "-O2", "-march=native", "-shared", "-fPIC", os.path.join(FOLDER, "limits.c"), "-o", path],
                       check=True)
        self.library, self.threads = ctypes.CDLL(path), threads
        self.library.limit_multiply_add.argtypes = [ctypes.c_int64]
        self.library.limit_read.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
        self.library.limit_multiply_add.restype = self.library.limit_read.restype = ctypes.c_double
        self.clock = time.process_time if threads == 1 else time.perf_counter

    def in_threads(self, call):
        """seconds of call(i) for each of the threads, at once"""
        others = [threading.Thread(target=call, args=(i,)) for i in range(1, self.threads)]
        start = self.clock()
        for t in others:
            t.start()
        call(0)
        for t in others:
            t.join()
        return self.clock() - start

    def operations(self):
        """floating-point operations a second"""
        done = []
        seconds = self.in_threads(lambda i: done.append(self.library.limit_multiply_add(2_000_000)))
        return sum(done) / seconds

    def read(self, arrays, repeat):
        """bytes a second of reading these arrays"""
        count = self.threads
        parts = [(a.ctypes.data + i * (a.nbytes // count), a.nbytes // count // 1024 * 1024)
                 for i in range(count) for a in arrays]
        each = len(arrays)

        def one(i):
            for at, size in parts[i * each:(i + 1) * each]:
                self.library.limit_read(at, size, repeat)

        return repeat * sum(size for _, size in parts) / self.in_threads(one)

    def seconds(self, call, repeat):
        if self.threads > 1:
            time.sleep(QUIET)
            call()
        start = self.clock()
        for _ in range(repeat):
            call()
        return (self.clock() - start) / repeat


def measure(machine, work, n, options):
    rng = np.random.default_rng(0)
    data = [rng.standard_normal(shape(s, n), dtype=np.float32) for s in work.inputs]
    calls = {"ours": ours(work, data, options.threads, options.target), **peers(work, data, options.threads)}
    amount = n * work.flops if work.flops and n > 1 else work.bytes(n)
    computes = bool(work.flops) and n > 1
    repeat = max(1, int((1.5e9 if computes else 4e8) * options.threads / amount))
    times, limits = {name: [] for name in calls}, []
    for call in calls.values():
        call()
    for _ in range(options.rounds):
        if options.threads > 1:
            time.sleep(QUIET)
        limits.append(machine.operations() if computes else machine.read(data, repeat))
        for name, call in calls.items():
            times[name].append(machine.seconds(call, repeat))
    mine = times.pop("ours")
    row = [amount / statistics.median(mine) / 1e9, "GFLOP/s" if computes else "GB/s", None, 0.0, 0.0,
           statistics.median(amount / t / l for t, l in zip(mine, limits))]
    if times:
        best = min(times, key=lambda name: statistics.median(times[name]))
        row[2:5] = [best, amount / statistics.median(times[best]) / 1e9,
                    statistics.median(b / m for b, m in zip(times[best], mine))]
    return row, statistics.median(mine)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="cpu:host")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rows", default="1,7,32,128,512")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(f"{options.threads} thread(s), size {options.size}")
    print(f"{'work':15} {'n':>4} {'time':>10} {'ours':>16} {'best peer':>22} {'ratio':>6} {'of limit':>9}")
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(folder, options.threads)
        for work in works(options.size):
            for n in [int(r) for r in options.rows.split(",")] if options.only in work.name else []:
                (rate, unit, best, peer, ratio, share), seconds = measure(machine, work, n, options)
                other = f"{best} {peer:.1f}" if best else "-"
                factor = f"{ratio:.2f}" if best else "-"
                print(f"{work.name:15} {n:4} {seconds * 1e6:8.0f}us {rate:8.1f} {unit:7} {other:>22} {factor:>6} "
                      f"{100 * share:8.0f}%", flush=True)


if __name__ == "__main__":
    main()
