#!/usr/bin/env python3
"""A call of ten kernels on (1, 8) tensors, one thread: ours beside those peers that there are.

usage: PYTHON bench/vm_peers.py [--rounds 7] [--bench build/bench/bench_vm] [--python PATH]...

Ten additions in a row that nobody fuses: ours by hand-made bytecode (bench_vm), ggml's graph computed by a loop in C,
TVM's virtual machine without FuseOps, ONNX Runtime without graph optimisation and with its session bound to its tensors,
PyTorch's eager calls into given results. Each peer runs in a process of its own, under the first Python that has it: this
one, those that --python names, the system's. They take turns; a round's value is the mean of many calls, the table has the
median of the rounds and its ratio to ours. `sh bench/vm_peers.sh` gets them.
"""
import argparse
import ctypes
import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = os.environ["TVM_NUM_THREADS"] = "1"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CALLS = 10000


def per_call(call):
    for _ in range(CALLS // 10):
        call()
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def tvm_call():
    import numpy
    import tvm
    from tvm import relax

    build = relax.BlockBuilder()
    x, y = (relax.Var(name, relax.TensorStructInfo((1, 8), "float32"))
            for name in "xy")
    with build.function("main", [x, y]):
        with build.dataflow():
            value = x
            for _ in range(10):
                value = build.emit(relax.op.add(value, y))
            result = build.emit_output(value)
        build.emit_func_output(result)
    machine = relax.VirtualMachine(relax.build(build.get(), target="llvm", relax_pipeline="default_build"), tvm.cpu())
    one, two = (tvm.runtime.tensor(numpy.ones((1, 8), "float32")) for _ in range(2))
    machine.set_input("main", one, two)
    return lambda: machine.invoke_stateful("main")


def onnxruntime_call():
    import numpy
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper

    nodes = [helper.make_node("Add", ["x" if i == 0 else f"v{i}", "y"], [f"v{i + 1}"]) for i in range(10)]
    tensor = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [tensor(n, TensorProto.FLOAT, (1, 8)) for n in "xy"],
                              [tensor("v10", TensorProto.FLOAT, (1, 8))])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name in "xy":
        binding.bind_cpu_input(name, numpy.ones((1, 8), "float32"))
    binding.bind_output("v10")
    return lambda: session.run_with_iobinding(binding)


def torch_call():
    import torch

    torch.set_num_threads(1)
    x, y, out = torch.ones(1, 8), torch.ones(1, 8), torch.empty(1, 8)

    def call():
        torch.add(x, y, out=out)
        for _ in range(9):
            torch.add(out, y, out=out)

    def guarded():
        with torch.inference_mode():
            call()

    return guarded


GGML = """
#include "ggml.h"
#include "ggml-backend.h"
#include "ggml-cpu.h"
static struct ggml_cgraph *graph;
static ggml_backend_t backend;
void make(void) {
    struct ggml_init_params p = {16 << 20, NULL, false};
    struct ggml_context *c = ggml_init(p);
    struct ggml_tensor *x = ggml_new_tensor_2d(c, GGML_TYPE_F32, 8, 1), *y = ggml_new_tensor_2d(c, GGML_TYPE_F32, 8, 1);
    for (int i = 0; i < 8; i++) ((float *)x->data)[i] = ((float *)y->data)[i] = 1;
    for (int i = 0; i < 10; i++) x = ggml_add(c, x, y);
    graph = ggml_new_graph(c);
    ggml_build_forward_expand(graph, x);
    backend = ggml_backend_cpu_init();
    ggml_backend_cpu_set_n_threads(backend, 1);
}
void run(int calls) { for (int i = 0; i < calls; i++) ggml_backend_graph_compute(backend, graph); }
"""


def ggml_call():
    """Calls its own loop: what a call from Python costs is no part of it."""
    package = importlib.util.find_spec("llama_cpp")
    if not package:
        raise ImportError("No module named 'llama_cpp'")
    folder = os.path.dirname(package.origin)
    library, made = os.path.join(folder, "lib"), tempfile.mkdtemp()
    with open(os.path.join(made, "g.c"), "w") as f:
        f.write(GGML)
    subprocess.run(["cc", "-O2", "-w", "-shared", "-fPIC", "-I", os.path.join(os.path.dirname(folder), "include"), "-o",
                    os.path.join(made, "g.so"), f.name, "-L" + library, "-lggml-cpu", "-lggml-base",
                    "-Wl,-rpath," + library], check=True)
    loop = ctypes.CDLL(os.path.join(made, "g.so"))
    loop.make()
    loop.run.inner = True
    return loop.run


def ours(bench):
    """bench_vm's calls by number, in microseconds."""
    said = subprocess.run([bench, str(CALLS)], capture_output=True, text=True, check=True).stdout
    found = re.search(r"by number +(\d+) ns per call", said)
    return int(found.group(1)) / 1e3 if found else sys.exit(f"{bench} printed no time")


PEERS = {"ggml": ggml_call, "TVM": tvm_call, "ONNX Runtime": onnxruntime_call, "PyTorch": torch_call}


def loop_of(run):
    run(CALLS // 10)
    start = time.perf_counter()
    run(CALLS)
    return (time.perf_counter() - start) / CALLS * 1e6


def serve(name):
    """One peer: says that it is ready, then a time for each line that is read."""
    try:
        call = PEERS[name]()
    except (ImportError, OSError, subprocess.CalledProcessError) as missing:
        sys.exit(str(missing))
    measure = loop_of if getattr(call, "inner", False) else per_call
    print("ready", flush=True)
    for _ in sys.stdin:
        print(measure(call), flush=True)


def start(name, pythons):
    """The peer's process, or None after saying why there is none."""
    for python in pythons:
        child = subprocess.Popen([python, os.path.abspath(__file__), "--peer", name], text=True, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if child.stdout.readline().strip() == "ready":
            return child
        why = child.communicate()[1].strip().splitlines()
    print(f"{name}: not here ({why[-1] if why else 'it ended'})")
    return None


def ask(child):
    child.stdin.write("again\n")
    child.stdin.flush()
    return float(child.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--bench", default=os.path.join(ROOT, "build/bench/bench_vm"))
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        return serve(options.peer)
    pythons = [p for p in [sys.executable, *options.python, "/usr/bin/python3"] if os.path.exists(p)]
    peers = {name: start(name, pythons) for name in PEERS}
    times = {"relax": [], **{name: [] for name, child in peers.items() if child}}
    for _ in range(options.rounds):
        for name, list_ in times.items():
            list_.append(ask(peers[name]) if name in peers else ours(options.bench))
    base = statistics.median(times["relax"])
    for name, list_ in times.items():
        print(f"{name:14} {statistics.median(list_):8.2f} us {statistics.median(list_) / base:7.1f}")
    for child in peers.values():
        if child:
            child.communicate()


if __name__ == "__main__":
    main()
