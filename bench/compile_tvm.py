#!/usr/bin/env python3
"""How long TVM takes to read and build the same modules: medians, for bench/bench_compile.c.

usage: PYTHON_WITH_TVM bench/compile_tvm.py [-n RUNS] FILE.py...
"""
import re
import statistics
import sys
import time

import tvm
from tvm import relax
from tvm.script.parser.core.entry import parse


def measure(work, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def main(arguments):
    runs = 5
    if arguments[:1] == ["-n"]:
        runs, arguments = int(arguments[1]), arguments[2:]
    for path in arguments:
        text = re.sub(r"(?m)^(from|import) .*$", "", open(path).read())
        module = parse(text, check_well_formed=True)
        print(f"{path}, TVM {tvm.__version__}, median of {runs}")
        print(f"  parse        {measure(lambda: parse(text, check_well_formed=True), runs):9.3f} ms")
        print(f"  relax.build  {measure(lambda: relax.build(module, target='llvm'), runs):9.3f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
