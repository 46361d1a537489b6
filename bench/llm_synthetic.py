"""Writes a GGUF file with the shapes of Llama-3.2-1B and random weights: for speed and memory, not for sense.

usage: bench/llm_synthetic.py KIND OUT.gguf [--layers 16]      KIND: q4_0, q4_k_m, q8_0, f16

Types are those that llama.cpp's quantisation gives each tensor: q4_0 and q4_k_m have a Q6_K embedding, which is the head
too, and q4_k_m Q6_K values and down projections in half of the layers. Scales are such that weights are about 0.02 in size.
Needs numpy.
"""

import argparse
import struct

import numpy

HIDDEN, INNER, HEADS, KV_HEADS, HEAD_SIZE, VOCABULARY = 2048, 8192, 32, 8, 64, 128256
ALIGNMENT = 32
# name: GGUF's number, elements and bytes of a block, float16 fields (place, value), bytes (from, to) kept in a range
TYPES = {
    "f32": (0, 1, 4, [], None),
    "f16": (1, 1, 2, [], None),
    "q4_0": (2, 32, 18, [(0, 0.0043)], None),
    "q8_0": (8, 32, 34, [(0, 0.00027)], None),
    "q4_k": (12, 256, 144, [(0, 0.00014), (2, 0.001)], None),
    "q6_k": (14, 256, 210, [(208, 0.000011)], (192, 208)),
}
REPEAT = 4 << 20  # random bytes are made once and repeated


class Weights:
    """Random blocks of a type, as many as asked for."""

    def __init__(self):
        self.random = numpy.random.default_rng(15)
        self.made = {}

    def pattern(self, kind):
        if kind in self.made:
            return self.made[kind]
        _, elements, size, halves, ranged = TYPES[kind]
        if kind == "f16":
            block = (self.random.standard_normal(REPEAT // 2) * 0.02).astype("<f2").view(numpy.uint8)
        else:
            block = self.random.integers(0, 256, (REPEAT // size, size), dtype=numpy.uint8)
            for at, value in halves:
                block[:, at : at + 2] = numpy.frombuffer(numpy.float16(value).tobytes(), numpy.uint8)
            if ranged:
                block[:, ranged[0] : ranged[1]] = block[:, ranged[0] : ranged[1]] % 64 + 64
            block = block.reshape(-1)
        self.made[kind] = block.tobytes()
        return self.made[kind]

    def write(self, out, kind, count):
        _, elements, size, _, _ = TYPES[kind]
        left = count // elements * size
        if kind == "f32":
            out.write(numpy.ones(count, "<f4").tobytes())
            return
        block = self.pattern(kind)
        while left:
            part = min(left, len(block))
            out.write(block[:part])
            left -= part


def tensors(kind, layers):
    """(name, dims as GGUF writes them, type)"""
    plain = {"q4_k_m": "q4_k"}.get(kind, kind)
    best = plain if kind in ("q8_0", "f16") else "q6_k"
    kv = KV_HEADS * HEAD_SIZE
    yield "token_embd.weight", (HIDDEN, VOCABULARY), best
    yield "output_norm.weight", (HIDDEN,), "f32"
    for i in range(layers):
        more = best if kind == "q4_k_m" and i % 2 == 0 else plain
        for name, dims, of in (
            ("attn_norm", (HIDDEN,), "f32"),
            ("attn_q", (HIDDEN, HIDDEN), plain),
            ("attn_k", (HIDDEN, kv), plain),
            ("attn_v", (HIDDEN, kv), more),
            ("attn_output", (HIDDEN, HIDDEN), plain),
            ("ffn_norm", (HIDDEN,), "f32"),
            ("ffn_gate", (HIDDEN, INNER), plain),
            ("ffn_up", (HIDDEN, INNER), plain),
            ("ffn_down", (INNER, HIDDEN), more),
        ):
            yield f"blk.{i}.{name}.weight", dims, of


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def value(what):
    """A value with its type: int, float, str, or a list of strs or ints."""
    if isinstance(what, str):
        return struct.pack("<I", 8) + string(what)
    if isinstance(what, float):
        return struct.pack("<If", 6, what)
    if isinstance(what, int):
        return struct.pack("<II", 4, what)
    if isinstance(what[0], str):
        return struct.pack("<IIQ", 9, 8, len(what)) + b"".join(string(s) for s in what)
    return struct.pack("<IIQ", 9, 5, len(what)) + numpy.array(what, "<i4").tobytes()


def byte_letters():
    """The letters that stand for bytes in GPT-2's vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in plain]
    return [chr(b) for b in plain] + [chr(256 + i) for i in range(len(rest))]


def metadata(layers):
    tokens = byte_letters()
    tokens.append("t1")  # what the only merge makes
    tokens += [f"t{i}" for i in range(len(tokens), VOCABULARY)]
    return {
        "general.architecture": "llama",
        "general.name": "synthetic 1B",
        "llama.block_count": layers,
        "llama.context_length": 4096,
        "llama.embedding_length": HIDDEN,
        "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KV_HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.freq_base": 500000.0,
        "llama.rope.dimension_count": HEAD_SIZE,
        "llama.vocab_size": VOCABULARY,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [1] * VOCABULARY,
        "tokenizer.ggml.merges": ["t 1"],
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 1,
    }


def write(kind, path, layers):
    pairs, listed = metadata(layers), list(tensors(kind, layers))
    with open(path, "wb") as out:
        out.write(b"GGUF" + struct.pack("<IQQ", 3, len(listed), len(pairs)))
        for key, what in pairs.items():
            out.write(string(key) + value(what))
        offset = 0
        for name, dims, of in listed:
            number, elements, size, _, _ = TYPES[of]
            out.write(string(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, number, offset))
            bytes_of = int(numpy.prod(dims)) // elements * size
            offset += (bytes_of + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        weights = Weights()
        for _, dims, of in listed:
            out.write(b"\0" * (-out.tell() % ALIGNMENT))
            weights.write(out, of, int(numpy.prod(dims)))
        out.write(b"\0" * (-out.tell() % ALIGNMENT))


def main():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("kind", choices=["q4_0", "q4_k_m", "q8_0", "f16"])
    read.add_argument("out")
    read.add_argument("--layers", type=int, default=16)
    a = read.parse_args()
    write(a.kind, a.out, a.layers)


if __name__ == "__main__":
    main()
