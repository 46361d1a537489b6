#!/usr/bin/env python3
"""A call of ten kernels on (1, 8) tensors, one thread: ours beside those peers that this Python has.

usage: PYTHON bench/vm_peers.py [--rounds 7] [--bench build/bench/bench_vm]

Ten additions in a row that nobody fuses: ours by hand-made bytecode (bench_vm), TVM's virtual machine without FuseOps,
ONNX Runtime without graph optimisation and with its session bound to its tensors, PyTorch's eager calls into given
results. They take turns; a round's value is the mean of many calls, the table has the median of the rounds and its ratio
to ours.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
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


def ours(bench):
    """bench_vm's calls by number, in microseconds."""
    said = subprocess.run([bench], capture_output=True, text=True, check=True).stdout
    found = re.search(r"by number +(\d+) ns per call", said)
    return int(found.group(1)) / 1e3 if found else sys.exit(f"{bench} printed no time")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--bench", default=os.path.join(ROOT, "build/bench/bench_vm"))
    options = parser.parse_args()
    calls = {"relax": None}
    for name, make in (("TVM", tvm_call), ("ONNX Runtime", onnxruntime_call), ("PyTorch", torch_call)):
        try:
            calls[name] = make()
        except ImportError as missing:
            print(f"{name}: not here ({missing})")
    times = {name: [] for name in calls}
    for _ in range(options.rounds):
        for name, call in calls.items():
            times[name].append(per_call(call) if call else ours(options.bench))
    base = statistics.median(times["relax"])
    for name, list_ in times.items():
        print(f"{name:14} {statistics.median(list_):8.2f} us {statistics.median(list_) / base:7.1f}")


if __name__ == "__main__":
    main()
