#!/usr/bin/env python3
"""Records what TVM 0.25 makes of the modules in tests/data/pass, for tests/unit/pass/t_reference.c.

usage: PYTHON_WITH_TVM tools/record_pass.py [--check] [FILE...]

tests/data/pass/NAME/case.py holds comments, a module, and behind a line `# TVM VERSION:` TVM's answer to the pass
NAME. Lines before the module steer it:
  # PASS: NAME:option=value;…   another list of passes than the folder's name
  # DIFFERS: why                we mean to differ from TVM here, and do
  # OTHER ARGUMENTS             functions take other arguments afterwards
  # NUMBERS                     equal in numbers, not in structure
%S in options is the folder of the module.
--check writes nothing and says which answers are out of date.
"""
import ast
import glob
import os
import re
import sys

import numpy
import tvm
from tvm import relax
from tvm.script.parser.core.entry import parse

MARK = re.compile(r"^# TVM .*:\n", re.M)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "pass")


def value(text):
    """An option's value in our spelling: [a, b], {n: 4}, true, 3, word."""
    if text.startswith("["):
        return [value(v.strip()) for v in text[1:-1].split(",") if v.strip()]
    if text.startswith("{"):
        pairs = (v.rsplit(":", 1) for v in text[1:-1].split(",") if v.strip())
        return {k.strip(): value(v.strip()) for k, v in pairs}
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def make_pass(spelling, place):
    name, _, options = spelling.partition(":")
    named = dict(o.split("=", 1) for o in options.split(";") if o)
    named = with_files({k: value(v) for k, v in named.items()}, place)
    config = {"relax.backend.use_cuda_graph": True}
    if name == "FuseOps" and "max_depth" in named:
        config["relax.FuseOps.max_depth"] = named.pop("max_depth")
    return getattr(relax.transform, name)(**named), config


def split_list(text):
    """Commas outside of brackets separate passes."""
    return re.findall(r"(?:[^,\[{]|\[[^]]*\]|\{[^}]*\})+", text)


def with_files(named, place):
    """%S is the folder of the module; parameters of BindParams are files there."""
    if "params" in named:
        named["params"] = {k: numpy.load(v.replace("%S", place)) for k, v in named["params"].items()}
    return named


def answer(head, folder, place):
    steps = re.search(r"^# PASS: (.*)$", head, re.M)
    head = re.sub(r"(?m)^(from|import) .*$", "", head)
    # What TVM prints of alloc_tensor, it can't read.
    head = re.sub(r"(R\.builtin\.alloc_tensor\(.*), sinfo_args=\(.*\)\)$", r"\1)", head, flags=re.M)
    module = parse(head, check_well_formed=False)
    for step in split_list(steps[1] if steps else folder):
        made, config = make_pass(step.strip(), place)
        with tvm.transform.PassContext(opt_level=2, config=config):
            module = made(module)
    text = module.script()
    if "metadata[" in text:
        text = module.script(show_meta=True)
    return "\n".join(l for l in text.split("\n") if not re.match(r"\s*# from tvm", l)).strip() + "\n"


def record(path, check):
    text = open(path).read()
    head = MARK.split(text)[0].rstrip("\n") + "\n"
    folder = os.path.basename(os.path.dirname(path))
    fresh = f"{head}# TVM {tvm.__version__}:\n{answer(head, folder, os.path.dirname(os.path.abspath(path)))}"
    if fresh == text:
        return True
    if check:
        print(f"{path}: out of date")
        return False
    with open(path, "w") as f:
        f.write(fresh)
    print(f"recorded {path}")
    return True


def main(arguments):
    check = "--check" in arguments
    files = [a for a in arguments if a != "--check"] or sorted(glob.glob(os.path.join(ROOT, "*", "*.py")))
    fine = True
    for path in files:
        try:
            fine &= record(path, check)
        except Exception as e:  # TVM's errors have many types
            print(f"{path}: {type(e).__name__}: {str(e)[-600:]}")
            fine = False
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
