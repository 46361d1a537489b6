"""Proves the claims that `bench_prove --emit N` prints with TVM's arithmetic analyzer: how many, how fast.

    build/bench/bench_prove --emit 10000 >claims.txt
    build/bench/bench_prove --claims claims.txt
    python bench/prove_tvm.py claims.txt
"""
import sys
import time

import tvm
from tvm import arith

try:
    from tvm import tirx as tir  # its name since 0.25
except ImportError:
    from tvm import tir


class T:
    min = staticmethod(tir.min)
    max = staticmethod(tir.max)


NAMES = {name: tir.Var(name, "int64") for name in "nmkijt"}
SCOPE = {**NAMES, "T": T, "min": tir.min, "max": tir.max}


def read(text):
    value = eval(text, {"__builtins__": {}}, SCOPE)  # the text comes from our own generator
    return tir.IntImm("bool", int(value)) if isinstance(value, bool) else value


def compare(text):
    """A comparison as an expression: == of PrimExpr is structural in Python until it is asked for."""
    for op, make in (("==", tir.EQ), ("!=", tir.NE), ("<=", tir.LE), (">=", tir.GE), ("<", tir.LT), (">", tir.GT)):
        if f" {op} " in text:
            left, right = (tir.convert(read(side.strip())) for side in text.split(f" {op} ", 1))
            return make(cast(left), cast(right))
    raise ValueError(text)


def cast(e):
    return tir.IntImm("int64", int(e)) if isinstance(e, tir.IntImm) else e


def main(path):
    claims = []
    for line in open(path):
        condition, given = line.rstrip("\n").split(";")
        claims.append((compare(condition), [compare(g) for g in given.split(",") if g.strip()]))
    analyzer = arith.Analyzer()
    proved, slowest, start = 0, 0.0, time.process_time()
    answers = []
    for condition, given in claims:
        begin = time.process_time()
        fresh = arith.Analyzer()
        scopes = [fresh.constraint_scope(g) for g in given]
        for s in scopes:
            s.__enter__()
        answers.append(fresh.can_prove(condition, arith.ProofStrength.SYMBOLIC_BOUND))
        for s in reversed(scopes):
            s.__exit__(None, None, None)
        slowest = max(slowest, time.process_time() - begin)
    spent = time.process_time() - start
    print(f"tvm {tvm.__version__}")
    print(f"prove     {sum(answers)} of {len(claims)} claims, {len(claims) / spent:.0f} a second, slowest {slowest * 1e3:.1f} ms")
    start = time.process_time()
    for condition, _ in claims:
        analyzer.simplify(condition.a)
    spent = time.process_time() - start
    print(f"simplify  {len(claims) / spent:.0f} a second (without the given conditions)")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as out:
            out.writelines("1\n" if a else "0\n" for a in answers)


main(sys.argv[1])
