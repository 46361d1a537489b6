#!/usr/bin/env python3
"""Kernels of ours and of peers in one run: matrix products, products with one row, softmax, norms, GELU.

usage: PYTHON_WITH_PEERS bench/kernels.py [--relax build/relax] [--size 2048] [--target cpu:host]
       (bench/kernels_peers.sh makes a Python with them: onnxruntime, openvino, onnx, numpy; absent ones are left out)

One thread each, weights as inputs that stay where they are. What is printed is processor time, so that a busy machine does
not decide: best of three rounds. Matrix products in GFLOP/s, the others in GB/s of what must be read and written.
"""
import argparse
import os
import subprocess
import tempfile
import time

import numpy as np

ROWS = (1, 7, 32, 128, 512)

MODULE = """
@I.ir_module
class Module:
    @R.function
    def main({params}) -> R.Tensor(({out}), "float32"):
        n = T.int64()
        R.func_attr({{"num_input": {count}}})
        with R.dataflow():
{body}
            R.output(y)
        return y
"""


def module(inputs, out, lines):
    params = ", ".join(f'x{i}: R.Tensor(({", ".join(map(dim, s))},), "float32")' for i, s in enumerate(inputs))
    body = "\n".join("            " + line for line in lines)
    return MODULE.format(params=params, out=", ".join(map(dim, out)), count=len(inputs), body=body)


def dim(d):
    return f'"{d}"' if isinstance(d, str) else str(d)


def works(k):
    """name, shapes of the inputs ("n": rows), lines of our module, ONNX nodes, work per row in FLOP (0: bandwidth)"""
    x, w, v = ("n", k), (k, k), (k,)
    return [
        ("matmul B[k, n]", (x, w), ["y = R.matmul(x0, x1)"], [("MatMul", ["x0", "x1"], {})], 2 * k * k),
        ("linear W[n, k]", (x, w), ['y = R.einsum((x0, x1), subscripts="ay,zy->az")'],
         [("Gemm", ["x0", "x1"], {"transB": 1})], 2 * k * k),
        ("softmax", (x,), ["y = R.nn.softmax(x0)"], [("Softmax", ["x0"], {"axis": -1})], 0),
        ("layer_norm", (x, v, v), ["y = R.nn.layer_norm(x0, x1, x2, axes=[-1])"],
         [("LayerNormalization", ["x0", "x1", "x2"], {"axis": -1})], 0),
        ("gelu", (x,), ["y = R.nn.gelu(x0)"], [("Gelu", ["x0"], {})], 0),
    ]


def shape(dims, n):
    return tuple(n if d == "n" else d for d in dims)


# --- Ours: `relax run` in a process of its own; two lengths of run, so that loading does not count.

def processor_seconds(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_utime


def ours(relax, target, folder, inputs, lines):
    path = os.path.join(folder, "kernel")
    with open(path + ".py", "w") as f:
        f.write(module(inputs, inputs[0], lines))
    subprocess.run([relax, "compile", path + ".py", "-o", path + ".rlx", "--target", target], check=True)

    def measure(n, repeat):
        values = [f"x{i}=f32[{','.join(map(str, shape(s, n)))}]" for i, s in enumerate(inputs)]
        command = [relax, "run", path + ".rlx", "--threads", "1"] + [a for v in values for a in ("-i", v)]
        short = processor_seconds(command + ["--repeat", "1"])
        return (processor_seconds(command + ["--repeat", str(1 + repeat)]) - short) / repeat

    return measure


# --- Peers: the same as an ONNX model.

def onnx_model(inputs, nodes):
    from onnx import TensorProto, helper
    made = [helper.make_node(op, names, ["y"], **attributes) for op, names, attributes in nodes]
    values = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, s) for i, s in enumerate(inputs)]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, inputs[0])
    graph = helper.make_graph(made, "kernel", values, [result])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def repeated(call):
    def measure(repeat):
        call()
        start = time.process_time()
        for _ in range(repeat):
            call()
        return (time.process_time() - start) / repeat

    return measure


def with_onnxruntime(model, data):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return repeated(lambda: session.run(None, {f"x{i}": d for i, d in enumerate(data)}))


def with_openvino(model, data):
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU",
                                  {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    for i, d in enumerate(data):
        request.set_input_tensor(i, openvino.Tensor(d, shared_memory=True))
    return repeated(request.infer)


PEERS = {"onnxruntime": with_onnxruntime, "openvino": with_openvino}


def peers(inputs, nodes, n, repeat):
    times = {}
    data = [np.random.default_rng(0).standard_normal(shape(s, n), dtype=np.float32) for s in inputs]
    for name, make in PEERS.items():
        try:
            measure = make(onnx_model(inputs, nodes), data)
        except ImportError:
            continue
        times[name] = min(measure(repeat) for _ in range(3))
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--relax", default="build/relax")
    parser.add_argument("--target", default="cpu:host")
    parser.add_argument("--size", type=int, default=2048)
    options = parser.parse_args()
    print(f"{'work':16} {'n':>4} {'ours':>10}  {'best peer':>24} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name, inputs, lines, nodes, flops in works(options.size):
            measure = ours(options.relax, options.target, folder, inputs, lines)
            for n in ROWS:
                amount = n * flops if flops else 2 * 4 * n * options.size
                repeat = max(3, int((2e9 if flops else 3e9) / amount))
                mine = min(measure(n, repeat) for _ in range(3))
                times = peers(inputs, nodes, n, repeat)
                best = min(times, key=times.get) if times else None
                unit = "GFLOP/s" if flops else "GB/s"
                peer = f"{best} {amount / times[best] / 1e9:.1f}" if best else "-"
                ratio = f"{times[best] / mine:.2f}" if best else "-"
                print(f"{name:16} {n:4} {amount / mine / 1e9:10.1f}  {peer:>24} {ratio:>6}  {unit}", flush=True)


if __name__ == "__main__":
    main()
