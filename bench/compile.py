#!/usr/bin/env python3
"""Compiling beside TVM: wall and processor time of the same modules, taking turns in one run.

usage: PYTHON_WITH_TVM bench/compile.py [--rounds 9] [--jobs 0] [--bench build/bench/bench_compile] [FILE.py...]

Both compile for one processor (x86-64-v3) in a process that is warm: TVM's relax.build makes a module in memory, ours
writes a file, linked by lld, to memory (/dev/shm where it is). A second line gives the default file of ours, which has
code for two processors. Without files: an mlp, attention, a decoder layer and 30 of them of SmolLM2's shapes.
Medians of the rounds; "ratio" is ours by TVM's, "export" what TVM's export_library takes after it.
"""
import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = "x86-64-v3"


def decoder(layers, width=576, heads=9, kv=3, hidden=1536):
    """A decoder of SmolLM2-135M's shapes in TVMScript: symbolic length, norms, grouped attention, gated mlp."""
    size = width // heads
    params = [f'x: R.Tensor((1, "t", {width}), "float32")']
    body = []

    def weight(name, *shape):
        params.append(f'{name}: R.Tensor({shape if len(shape) > 1 else f"({shape[0]},)"}, "float32")')
        return name

    def put(name, value):
        body.append(f"            {name} = {value}")
        return name

    now = "x"
    for i in range(layers):
        n1, n2 = weight(f"n1_{i}", width), weight(f"n2_{i}", width)
        wq, wo = weight(f"wq_{i}", width, width), weight(f"wo_{i}", width, width)
        wk, wv = weight(f"wk_{i}", width, kv * size), weight(f"wv_{i}", width, kv * size)
        wg, wu, wd = weight(f"wg_{i}", width, hidden), weight(f"wu_{i}", width, hidden), weight(f"wd_{i}", hidden, width)
        h = put(f"h{i}", f"R.nn.rms_norm({now}, {n1}, axes=[-1], epsilon=1e-5)")
        q = put(f"q{i}", f"R.permute_dims(R.reshape(R.matmul({h}, {wq}), R.shape([1, t, {heads}, {size}])), [0, 2, 1, 3])")
        group = heads // kv
        k, v = (put(f"{c}{i}", f"R.repeat(R.permute_dims(R.reshape(R.matmul({h}, {w}), R.shape([1, t, {kv}, {size}])), "
                    f"[0, 2, 1, 3]), repeats={group}, axis=1)") for c, w in (("k", wk), ("v", wv)))
        s = put(f"s{i}", f'R.divide(R.matmul({q}, R.permute_dims({k}, [0, 1, 3, 2])), R.const({size ** 0.5}, "float32"))')
        p = put(f"p{i}", f"R.nn.softmax({s}, axis=-1)")
        o = put(f"o{i}", f"R.reshape(R.permute_dims(R.matmul({p}, {v}), [0, 2, 1, 3]), R.shape([1, t, {width}]))")
        r = put(f"r{i}", f"R.add(R.matmul({o}, {wo}), {now})")
        n = put(f"n{i}", f"R.nn.rms_norm({r}, {n2}, axes=[-1], epsilon=1e-5)")
        m = put(f"m{i}", f"R.multiply(R.nn.silu(R.matmul({n}, {wg})), R.matmul({n}, {wu}))")
        now = put(f"y{i}", f"R.add(R.matmul({m}, {wd}), {r})")
    return ("@I.ir_module\nclass Module:\n    @R.function\n    def main(" + ", ".join(params) +
            f') -> R.Tensor((1, "t", {width}), "float32"):\n        t = T.int64()\n'
            '        R.func_attr({"num_input": 1})\n        with R.dataflow():\n' + "\n".join(body) +
            f"\n            R.output({now})\n        return {now}\n")


ATTENTION = """@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n", 768), "float32"), wq: R.Tensor((768, 768), "float32"), wk: R.Tensor((768, 768), "float32"), wv: R.Tensor((768, 768), "float32"), wo: R.Tensor((768, 768), "float32")) -> R.Tensor((1, "n", 768), "float32"):
        n = T.int64()
        with R.dataflow():
            q = R.permute_dims(R.reshape(R.matmul(x, wq), R.shape([1, n, 12, 64])), [0, 2, 1, 3])
            k = R.permute_dims(R.reshape(R.matmul(x, wk), R.shape([1, n, 12, 64])), [0, 2, 3, 1])
            v = R.permute_dims(R.reshape(R.matmul(x, wv), R.shape([1, n, 12, 64])), [0, 2, 1, 3])
            p = R.nn.softmax(R.divide(R.matmul(q, k), R.const(8.0, "float32")), axis=-1)
            o = R.reshape(R.permute_dims(R.matmul(p, v), [0, 2, 1, 3]), R.shape([1, n, 768]))
            y = R.matmul(o, wo)
            R.output(y)
        return y
"""


class Ours:
    def __init__(self, bench, path, jobs, targets):
        output = tempfile.mktemp(suffix=".rlx", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        command = [bench, "-i", "-j", str(jobs), "-o", output]
        for target in targets:
            command += ["-t", "cpu:" + target]
        environment = dict(os.environ)
        if os.path.isdir("/dev/shm"):
            environment["TMPDIR"] = "/dev/shm"
        self.process = subprocess.Popen(command + [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)

    def run(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().split()
        if len(line) != 2:
            sys.exit("bench_compile ended")
        return float(line[0]), float(line[1])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def used():
    """Processor time of this process and of those it waited for, in ms."""
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF,
                                                                         resource.RUSAGE_CHILDREN))) * 1e3


def timed(work):
    wall, processor = time.perf_counter(), used()
    result = work()
    return ((time.perf_counter() - wall) * 1e3, used() - processor), result


def middle(pairs):
    return tuple(statistics.median(p[i] for p in pairs) for i in (0, 1))


def compare(path, options):
    import tvm
    from tvm import relax
    from tvm.script.parser.core.entry import parse

    text = re.sub(r"(?m)^(from|import) .*$", "", open(path).read())
    module = parse(text, check_well_formed=True)
    target = tvm.target.Target({"kind": "llvm", "mcpu": TARGET})
    one = Ours(options.bench, path, options.jobs, [TARGET])
    both = Ours(options.bench, path, options.jobs, [])
    rows = {"tvm": [], "one": [], "both": [], "export": []}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.rounds + 1):  # the first one warms up
            build, result = timed(lambda: relax.build(module, target=target))
            export, _ = timed(lambda: result.export_library(os.path.join(folder, "module.so")))
            taken = {"tvm": build, "one": one.run(), "both": both.run(), "export": export}
            if i:
                for name, pair in taken.items():
                    rows[name].append(pair)
    one.close()
    both.close()
    t, a, b, e = (middle(rows[name]) for name in ("tvm", "one", "both", "export"))
    name = os.path.splitext(os.path.basename(path))[0]
    for kind, i in (("wall", 0), ("processor", 1)):
        print(f"{name:16} {kind:10} {t[i]:9.1f} {e[i]:9.1f} {a[i]:9.1f} {a[i] / t[i]:6.2f} {b[i]:9.1f} {b[i] / t[i]:6.2f}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--jobs", type=int, default=0, help="threads of ours; 0: as many as the machine grants")
    parser.add_argument("--bench", default=os.path.join(ROOT, "build/bench/bench_compile"))
    options = parser.parse_args()
    print(f"one processor: {TARGET}; ours on {options.jobs or len(os.sched_getaffinity(0))} threads, no cache of code; "
          f"ms, medians of {options.rounds}")
    print(f"{'module':16} {'':10} {'TVM build':>9} {'export':>9} {'ours':>9} {'ratio':>6} {'ours, 2':>9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        files = options.files
        if not files:
            texts = {"attention": ATTENTION, "layer": decoder(1), "layers30": decoder(30)}
            files = [os.path.join(ROOT, "examples/mlp.py")]
            for name, text in texts.items():
                files.append(os.path.join(folder, name + ".py"))
                with open(files[-1], "w") as out:
                    out.write(text)
        for path in files:
            compare(path, options)


if __name__ == "__main__":
    main()
