"""A language model's prompt and generation speed, ours beside llama.cpp's, in one run.

usage: bench/llm.py MODEL.gguf [--relax build/relax] [--threads 1,2] [--prompt 512] [--generate 64] [--rounds 3]

Both read the same file and do the same: the prompt at once into an empty cache, then tokens one after the other. Rounds
alternate between the two, and the middle one counts. llama.cpp is what `bench/llm_peers.sh` builds natively from PyPI's
llama-cpp-python, driven by its low-level calls; its own greedy choice and sampling are left out, as ours are by
`relax bench`.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import time

import llama_cpp


class Peer:
    """One context of llama.cpp with the batch size that lets a prompt go in at once."""

    def __init__(self, path, threads, tokens):
        llama_cpp.llama_log_set(_silent, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), llama_cpp.llama_model_default_params())
        options = llama_cpp.llama_context_default_params()
        options.n_ctx = tokens
        options.n_batch = options.n_ubatch = 512
        options.n_threads = options.n_threads_batch = threads
        self.context = llama_cpp.llama_init_from_model(self.model, options)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))

    def decode(self, ids):
        array = (llama_cpp.llama_token * len(ids))(*ids)
        if llama_cpp.llama_decode(self.context, llama_cpp.llama_batch_get_one(array, len(ids))) != 0:
            raise RuntimeError("llama_decode failed")
        llama_cpp.llama_get_logits(self.context)

    def measure(self, prompt, generate):
        """Tokens per second of both."""
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)
        ids = [(7 * i + 11) % self.vocabulary for i in range(prompt + generate)]
        start = time.perf_counter()
        self.decode(ids[:prompt])
        middle = time.perf_counter()
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)
        between = time.perf_counter()
        for token in ids[prompt:]:
            self.decode([token])
        end = time.perf_counter()
        return prompt / (middle - start), generate / (end - between)

    def close(self):
        llama_cpp.llama_free(self.context)
        llama_cpp.llama_model_free(self.model)


@llama_cpp.llama_log_callback
def _silent(_level, _text, _user):
    pass


def measure_ours(relax, compiled, threads, prompt, generate):
    command = [relax, "bench", compiled, "-p", prompt, "-n", generate, "-r", 1, "-t", threads, "--json"]
    rows = json.loads(subprocess.run([str(c) for c in command], check=True, capture_output=True).stdout)
    return rows[0]["tokens_per_second"], rows[1]["tokens_per_second"]


def main():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("model")
    read.add_argument("--relax", default="build/relax")
    read.add_argument("--threads", default="1,2")
    read.add_argument("--prompt", type=int, default=512)
    read.add_argument("--generate", type=int, default=64)
    read.add_argument("--rounds", type=int, default=3)
    a = read.parse_args()
    compiled = "build/bench-llm.rlx"
    start = time.perf_counter()
    subprocess.run([a.relax, "compile", a.model, "-o", compiled, "--target", "cpu:host"], check=True, capture_output=True)
    print(f"compiled in {time.perf_counter() - start:.1f} s; llama.cpp: llama-cpp-python {llama_cpp.__version__}")
    print(f"{'threads':>7} {'test':>7} {'ours':>9} {'llama.cpp':>9} {'ratio':>6}   tokens/s, the middle of {a.rounds}")
    for threads in (int(t) for t in a.threads.split(",")):
        peer = Peer(a.model, threads, a.prompt + a.generate + 8)
        peer.measure(16, 4)
        pairs = []
        for _ in range(a.rounds):
            pairs.append((measure_ours(a.relax, compiled, threads, a.prompt, a.generate), peer.measure(a.prompt, a.generate)))
        peer.close()
        for i, test in enumerate((f"pp{a.prompt}", f"tg{a.generate}")):
            ours = statistics.median(p[0][i] for p in pairs)
            theirs = statistics.median(p[1][i] for p in pairs)
            print(f"{threads:>7} {test:>7} {ours:>9.1f} {theirs:>9.1f} {ours / theirs:>6.2f}")


if __name__ == "__main__":
    main()
