#!/usr/bin/env python3
"""Records what TVM's schedules make of the programs of tests/golden/schedule, for tests/unit/schedule/t_tvm.c.

usage: PYTHON_WITH_TVM tools/record_schedules.py [tests/golden/schedule [tests/data/schedules]]

Each file's trace is run with TVM's s_tir.Schedule where all of its primitives are TVM's; what it gives is written under
the file's name, or "# refused" and TVM's message where it refuses.
"""
import pathlib
import re
import sys

import tvm
from tvm import s_tir
from tvm.script.parser.core.entry import parse

SIMPLE = ("fuse", "parallel", "vectorize", "unroll", "bind", "compute_at", "reverse_compute_at", "compute_inline",
          "reverse_compute_inline", "decompose_reduction", "set_scope", "storage_align", "blockize", "pad_einsum",
          "cache_read", "cache_write", "merge", "annotate")
KNOWN = SIMPLE + ("block", "loop", "split", "reorder", "rfactor", "transform_layout")


class Unknown(Exception):
    pass


def run_line(sch, names, line):
    results, _, call = line.rpartition(" = ") if re.match(r"[lb]\d+(, [lb]\d+)* = ", line) else ("", "", line)
    name, arguments = re.fullmatch(r"(\w+)\((.*)\)", call.strip(), re.S).groups()
    if name not in KNOWN:
        raise Unknown(name)
    scope = {**names, "_call": lambda *a, **k: (a, k)}
    args, named = eval(f"_call({arguments})", {}, scope)
    if name == "block":
        made = sch.get_sblock(*args)
    elif name == "loop":
        made = sch.get_loops(args[0])[args[1]]
    elif name == "split":
        made = sch.split(args[0], named["factors"])
    elif name == "reorder":
        made = sch.reorder(*args)
    elif name == "rfactor":
        made = sch.rfactor(args[1], args[2])
    elif name == "transform_layout":
        made = sch.transform_layout(args[0], ("write", args[1]), args[2])
    else:
        made = getattr(sch, name)(*args)
    targets = [t for t in results.split(", ") if t]
    made = list(made) if isinstance(made, (list, tuple)) or len(targets) > 1 else [made]
    names.update(zip(targets, made))


def record(path):
    text = path.read_text()
    trace = re.search(r"--do '(.*?)' %s", text)
    if not trace:
        raise Unknown("no trace")
    program = re.sub(r"(?m)^#.*\n", "", text.split("# WANT:")[0])
    names = {}
    lines = [line.strip() for line in trace.group(1).split(";")]
    for line in lines:
        called = re.search(r"(\w+)\(", line)
        if called and called.group(1) not in KNOWN:
            raise Unknown(called.group(1))
    header = f"# RUN: {trace.group(1)}\n"
    try:
        sch = s_tir.Schedule(parse(program, {"I": tvm.script.ir, "T": tvm.script.tirx, "R": tvm.script.relax}))
        for line in lines:
            run_line(sch, names, line)
    except Unknown:
        raise
    except Exception as error:
        first = next((line for line in str(error).split("\n") if "rror:" in line or "The " in line), str(error))
        return header + f"# refused: {first.strip()[:160]}\n"
    return header + sch.mod.script()


def main(arguments):
    source = pathlib.Path(arguments[0] if arguments else "tests/golden/schedule")
    to = pathlib.Path(arguments[1] if len(arguments) > 1 else "tests/data/schedules")
    to.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.py")):
        try:
            (to / path.name).write_text(record(path).rstrip("\n") + "\n")
        except Unknown as primitive:
            print(f"{path.name}: passed over: {primitive}")


if __name__ == "__main__":
    main(sys.argv[1:])
