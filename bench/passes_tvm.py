#!/usr/bin/env python3
"""TVM's processor times for passes on a module, for bench_passes: prints "NAME SECONDS", the least of the runs, one a line.

usage: PYTHON_WITH_TVM bench/passes_tvm.py FILE.py RUNS NAME...

Names without a pass in TVM are left out. Each pass works on what the one before left, as ours do.
"""
import re
import sys
import time

import tvm
from tvm import relax
from tvm.script.parser.core.entry import parse


def find(name):
    return getattr(relax.transform, name)() if hasattr(relax.transform, name) else None


def main(path, runs, names):
    text = re.sub(r"(?m)^(from|import) .*$", "", open(path).read())
    module = parse(text, check_well_formed=False)
    least = {}
    with tvm.target.Target("llvm"), tvm.transform.PassContext(opt_level=2):
        for _ in range(runs):
            now = module
            for place, name in enumerate(names):
                step = find(name)
                if step is None:
                    continue
                start = time.process_time()
                now = step(now)
                seconds = time.process_time() - start
                least[place] = min(seconds, least.get(place, seconds))
    print("version", tvm.__version__)
    for place, seconds in least.items():
        print(place, f"{seconds:.6f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
