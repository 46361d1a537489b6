"""compare_int8.py F32.rlx INT8.rlx MODEL.gguf - what rounding activations to int8 changes, beside llama.cpp.

For prompts from the pages of docs/ and some short ones: the ten best logits of the last token, by how much they are apart
from those of exact arithmetic (F32.rlx, compiled with --activations f32) but for a common offset. Wants PyPI's
llama-cpp-python and `relax` in PATH.
"""
import json
import pathlib
import statistics
import subprocess
import sys

import llama_cpp
import numpy

exact, rounded, model = sys.argv[1:4]
docs = pathlib.Path(__file__).parent.parent / "docs"
words = " ".join((docs / f"{n}.md").read_text() for n in ("numerics", "dynamic-shapes", "architecture")).split()
prompts = [" ".join(words[i : i + 40]) for i in range(0, len(words) - 40, len(words) // 40)][:40]
prompts += ["What is 2+2?", "The capital of France is", "Once upon a time", "def fib(n):", "I am", "Water boils at",
            "Hello, my name is", "The opposite of hot is"]
peer = llama_cpp.Llama(model, n_ctx=512, logits_all=True, verbose=False)


def ours(file, ids):
    command = ["relax", "generate", file, "--ids", " ".join(map(str, ids)), "-n", "1", "--json", "--logprobs", "32",
               "--ignore-end"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {t["id"]: t["logprob"] for t in answer["tokens"][0]["top"]}


def theirs(ids):
    peer.reset()
    peer.eval(ids)
    x = numpy.array(peer.scores[len(ids) - 1], dtype=numpy.float64)
    return dict(enumerate(x - x.max() - numpy.log(numpy.exp(x - x.max()).sum())))


apart, same = {"relax": [], "llama.cpp": []}, {"relax": 0, "llama.cpp": 0}
for prompt in prompts:
    ids = peer.tokenize(prompt.encode(), add_bos=False)
    want = ours(exact, ids)
    ten = sorted(want, key=want.get, reverse=True)[:10]
    for name, got in (("relax", ours(rounded, ids)), ("llama.cpp", theirs(ids))):
        d = numpy.array([got[i] - want[i] for i in ten if i in got])
        apart[name].append(abs(d - d.mean()).max())
        same[name] += max(got, key=got.get) == ten[0]
for name, values in apart.items():
    values.sort()
    print(f"{name}: median {statistics.median(values):.3f}, 90 % within {values[int(0.9 * len(values))]:.3f}, "
          f"at most {values[-1]:.3f}; the best token is the same in {same[name]} of {len(prompts)}")
