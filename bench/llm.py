"""Language models' prompt and generation speed and memory, ours beside llama.cpp's, in one run.

usage: bench/llm.py MODEL.gguf... [--relax build/relax] [--threads 1,2] [--prompt 512] [--generate 64] [--rounds 3]
                    [--batches 4,16] [--text FILE] [--processor-time] [--compiled FILE] [--torch PYTHON]

Both read the same file and do the same: the prompt at once into an empty cache, then tokens one after the other, of one
sequence and of several at once. Rounds alternate between the programs, and the middle one counts. llama.cpp is what
`bench/llm_peers.sh` builds natively from PyPI's llama-cpp-python, driven by its low-level calls, once with its weights
repacked for the processor and once as they are: its better one counts. Its greedy choice and sampling are left out, as ours
are by `relax bench`. Each runs in a process of its own, whose largest resident memory is printed. With --text, the
perplexity of both on a file's tokens. --compiled names what the model was compiled to before. --torch names a
Python with torch, transformers, gguf and accelerate: PyTorch in float32 is measured, too. With --processor-time, what a thread took of a processor counts, not what passed:
for machines with other work, and one thread.
"""

import argparse
import ctypes
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time



class Peer:
    """One context of llama.cpp with the batch size that lets a prompt go in at once."""

    def __init__(self, path, threads, tokens, repack, sequences, processor=False):
        import llama_cpp

        self.api = llama_cpp
        self.clock = time.process_time if processor else time.perf_counter
        self.silent = llama_cpp.llama_log_callback(lambda level, text, user: None)
        llama_cpp.llama_log_set(self.silent, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        how = llama_cpp.llama_model_default_params()
        how.use_extra_bufts = repack
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), how)
        options = llama_cpp.llama_context_default_params()
        options.n_ctx = tokens
        options.n_batch = options.n_ubatch = 512
        options.n_seq_max = sequences
        options.kv_unified = True
        options.n_threads = options.n_threads_batch = threads
        self.context = llama_cpp.llama_init_from_model(self.model, options)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))
        self.batch = llama_cpp.llama_batch_init(512, 0, 1)

    def clear(self):
        self.api.llama_memory_clear(self.api.llama_get_memory(self.context), True)

    def decode(self, rows):
        """rows: (token, place, sequence, whether logits are wanted)."""
        b = self.batch
        b.n_tokens = len(rows)
        for i, (token, place, sequence, wanted) in enumerate(rows):
            b.token[i], b.pos[i], b.n_seq_id[i], b.logits[i] = token, place, 1, wanted
            b.seq_id[i][0] = sequence
        if self.api.llama_decode(self.context, b) != 0:
            raise RuntimeError("llama_decode failed")
        self.api.llama_get_logits(self.context)

    def token(self, i):
        return (7 * i + 11) % self.vocabulary

    def prompt(self, count):
        self.clear()
        rows = [(self.token(i), i, 0, i + 1 == count) for i in range(count)]
        start = self.clock()
        self.decode(rows)
        return count / (self.clock() - start)

    def steps(self, count, sequences):
        self.clear()
        start = self.clock()
        for i in range(count):
            self.decode([(self.token(i), i, s, True) for s in range(sequences)])
        return count * sequences / (self.clock() - start)

    def perplexity(self, ids, window):
        """As `relax perplexity` does: of each window the tokens behind its middle one are scored."""
        import numpy

        total, scored = 0.0, 0
        for first in range(0, len(ids) - window + 1, window):
            part = ids[first : first + window]
            self.clear()
            self.decode([(t, i, 0, True) for i, t in enumerate(part)])
            logits = numpy.ctypeslib.as_array(self.api.llama_get_logits(self.context), (window, self.vocabulary))
            for i in range(window // 2, window - 1):
                row = logits[i].astype(numpy.float64)
                row -= row.max()
                total += math.log(numpy.exp(row).sum()) - row[part[i + 1]]
                scored += 1
        return math.exp(total / scored) if scored else float("nan")


class TorchPeer:
    """PyTorch, eager, float32, with the weights decoded when the file is read."""

    def __init__(self, path, threads, processor=False, **how):
        sys.path.remove(os.path.dirname(os.path.abspath(__file__)))  # transformers has another module kernels in mind
        import torch
        import transformers

        transformers.utils.logging.set_verbosity_error()
        torch.set_num_threads(threads)
        self.torch = torch
        self.clock = time.process_time if processor else time.perf_counter
        folder, name = os.path.split(os.path.abspath(path))
        load = transformers.AutoModelForCausalLM.from_pretrained
        self.model = load(folder, gguf_file=name, dtype=torch.float32).eval()

    def run(self, rows, past=None):
        with self.torch.inference_mode():
            return self.model(self.torch.tensor(rows), past_key_values=past, use_cache=True, logits_to_keep=1)

    def token(self, i):
        return (7 * i + 11) % self.model.config.vocab_size

    def prompt(self, count):
        start = self.clock()
        self.run([[self.token(i) for i in range(count)]])
        return count / (self.clock() - start)

    def steps(self, count, sequences):
        past, start = None, self.clock()
        for i in range(count):
            past = self.run([[self.token(i)]] * sequences, past).past_key_values
        return count * sequences / (self.clock() - start)


def serve():
    """A peer's process: a line in, a line out."""
    peer = None
    for line in sys.stdin:
        what = json.loads(line)
        if "open" in what:
            peer, answer = (TorchPeer if what["torch"] else Peer)(**what["open"]), peer is None
        elif "prompt" in what:
            answer = peer.prompt(what["prompt"])
        elif "steps" in what:
            answer = peer.steps(what["steps"], what["sequences"])
        elif "ids" in what:
            answer = peer.perplexity(what["ids"], what["window"])
        else:
            answer = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps(answer), flush=True)


class PeerProcess:
    def __init__(self, torch=None, **how):
        self.process = subprocess.Popen(
            [torch or sys.executable, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if torch else None,
            text=True,
        )
        self.ask(open=how, torch=bool(torch))

    def ask(self, **what):
        print(json.dumps(what), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def run_measured(command):
    """What a command prints, its largest resident memory in bytes, and the processor time it took."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} {command[1]}: exit code {process.returncode}")
    return out, used.ru_maxrss * 1024, used.ru_utime + used.ru_stime


def ours(a, threads, prompt, generate, sequences=1):
    """Tokens per second of `relax bench`, and memory."""
    how = ["-t", threads, "-p", prompt, "-n", generate, "--sequences", sequences]
    command = [a.relax, "bench", a.compiled, "--json", *how]
    out, memory, once = run_measured([*command, "-r", 1])
    if not a.processor_time:
        return json.loads(out)[0]["tokens_per_second"], memory
    _, _, more = run_measured([*command, "-r", 3])
    return 2 * (prompt + generate * sequences) / (more - once), memory


def one_round(a, threads, peers):
    """Test -> tokens per second of ours, then of each peer; our memory."""
    row, most = {}, 0
    if a.prompt:
        speed, most = ours(a, threads, a.prompt, 0)
        row[f"pp{a.prompt}"] = [speed] + [p.ask(prompt=a.prompt) for p in peers]
    for n in (1, *a.batches):
        speed, memory = ours(a, threads, 0, a.generate, n)
        most = max(most, memory)
        row[f"tg{a.generate}x{n}" if n > 1 else f"tg{a.generate}"] = [speed] + [
            p.ask(steps=a.generate, sequences=n) for p in peers
        ]
    return row, most


def compare(a, threads, path):
    most = max([a.prompt] + [a.generate * n for n in (1, *a.batches)]) + 64
    how = {"path": path, "threads": threads, "tokens": most, "sequences": max([1, *a.batches])}
    how["processor"] = a.processor_time
    peers = [PeerProcess(**how, repack=True), PeerProcess(**how, repack=False)]
    if a.torch:
        peers.append(PeerProcess(a.torch, **how))
    for p in peers:
        p.ask(steps=4, sequences=1)
    rounds = [one_round(a, threads, peers) for _ in range(a.rounds)]
    memory = [max(m for _, m in rounds)] + [p.ask(memory=1) for p in peers]
    for p in peers:
        p.close()
    for test in rounds[0][0]:
        middle = [statistics.median(r[test][i] for r, _ in rounds) for i in range(1 + len(peers))]
        best = max(middle[1:])
        speeds = " ".join(f"{m:>9.1f}" for m in middle)
        print(f"{threads:>7} {test:>8} {speeds} {middle[0] / best:>6.2f}")
    megabytes = " ".join(f"{m / 2**20:>9.0f}" for m in memory)
    print(f"{threads:>7} {'MiB':>8} {megabytes}   largest resident memory", flush=True)


def perplexities(a, path):
    tokens = json.loads(run_measured([a.relax, "tokenize", path, "--json", open(a.text).read()])[0])
    out = json.loads(run_measured([a.relax, "perplexity", a.compiled, a.text, "--json"])[0])
    window = 512
    peer = PeerProcess(path=path, threads=max(a.threads), tokens=window, repack=False, sequences=1)
    theirs = peer.ask(ids=[t["id"] for t in tokens], window=window)
    peer.close()
    print(f"perplexity: {out['perplexity']:.4f}, llama.cpp {theirs:.4f}, {100 * (out['perplexity'] / theirs - 1):+.2f} %")


def compile_model(a, path):
    start = time.perf_counter()
    _, memory, busy = run_measured([a.relax, "compile", path, "-o", a.compiled, "--target", "cpu:host"])
    size = os.path.getsize(path) / 2**20
    took = time.perf_counter() - start
    resident = memory / 2**20
    print(f"{path}: {size:.0f} MiB, compiled in {took:.1f} s ({busy:.1f} of processors), {resident:.0f} MiB resident")


def main():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(t) for t in text.split(",") if t]
    read.add_argument("models", nargs="+")
    read.add_argument("--relax", default="build/relax")
    read.add_argument("--threads", type=numbers, default=[1, 2])
    read.add_argument("--batches", type=numbers, default=[4, 16])
    read.add_argument("--prompt", type=int, default=512)
    read.add_argument("--generate", type=int, default=64)
    read.add_argument("--rounds", type=int, default=3)
    read.add_argument("--text")
    read.add_argument("--processor-time", action="store_true")
    read.add_argument("--compiled")
    read.add_argument("--torch")
    a = read.parse_args()
    compiled, a.compiled = a.compiled, a.compiled or "build/bench-llm.rlx"
    for path in a.models:
        if not compiled:
            compile_model(a, path)
        head = f"threads     test      ours  repacked  as it is {'  PyTorch ' if a.torch else ''} ratio"
        print(f"{head}   tokens/s, the middle of {a.rounds}")
        for threads in a.threads:
            compare(a, threads, path)
        if a.text:
            perplexities(a, path)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()
