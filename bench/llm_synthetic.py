"""Writes a GGUF file with the shapes of a language model and random weights: for speed and memory, not for sense.

usage: bench/llm_synthetic.py KIND OUT.gguf [--shape 1b] [--layers N]      KIND: q4_0, q4_k_m, q8_0, f16; SHAPE: 1b, moe

1b is Llama-3.2-1B, moe a small Qwen3 MoE: 32 experts a layer, of which a token meets 4. Types are those that llama.cpp's
quantisation gives each tensor: q4_0 and q4_k_m have a Q6_K embedding, which is the head too, and q4_k_m Q6_K values and
down projections in half of the layers. Scales are such that weights are about 0.02 in size. Needs numpy.
"""

import argparse
import struct

import numpy

SHAPES = {
    "1b": {"hidden": 2048, "inner": 8192, "heads": 32, "kv_heads": 8, "vocabulary": 128256, "layers": 16},
    "moe": {"hidden": 1024, "inner": 512, "heads": 16, "kv_heads": 4, "vocabulary": 32768, "layers": 12}
    | {"experts": 32, "used": 4},
}
HEAD_SIZE = 64
ALIGNMENT = 32
# name: GGUF's number, elements and bytes of a block, float16 fields (place, value), bytes (from, to) kept in a range
TYPES = {
    "f32": (0, 1, 4, [], None),  # ones: norms
    "f32random": (0, 1, 4, [], None),
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
        if kind == "f32random":
            out.write((self.random.standard_normal(count) * 0.02).astype("<f4").tobytes())
            return
        block = self.pattern(kind)
        while left:
            part = min(left, len(block))
            out.write(block[:part])
            left -= part


def feed_forward(shape, plain, more):
    """(name, dims, type) of a layer's MLP, or of its experts and what chooses among them."""
    hidden, inner = shape["hidden"], shape["inner"]
    each, of = ((shape["experts"],), "_exps") if "experts" in shape else ((), "")
    if each:
        yield "ffn_gate_inp", (hidden, *each), "f32random"
    yield f"ffn_gate{of}", (hidden, inner, *each), plain
    yield f"ffn_up{of}", (hidden, inner, *each), plain
    yield f"ffn_down{of}", (inner, hidden, *each), more


def tensors(kind, shape):
    """(name, dims as GGUF writes them, type)"""
    plain = {"q4_k_m": "q4_k"}.get(kind, kind)
    best = plain if kind in ("q8_0", "f16") else "q6_k"
    hidden, wide, kv = shape["hidden"], shape["heads"] * HEAD_SIZE, shape["kv_heads"] * HEAD_SIZE
    norms = ["attn_q_norm", "attn_k_norm"] if "experts" in shape else []
    yield "token_embd.weight", (hidden, shape["vocabulary"]), best
    yield "output_norm.weight", (hidden,), "f32"
    for i in range(shape["layers"]):
        more = best if kind == "q4_k_m" and i % 2 == 0 else plain
        for name, dims, of in (
            ("attn_norm", (hidden,), "f32"),
            *((norm, (HEAD_SIZE,), "f32") for norm in norms),
            ("attn_q", (hidden, wide), plain),
            ("attn_k", (hidden, kv), plain),
            ("attn_v", (hidden, kv), more),
            ("attn_output", (wide, hidden), plain),
            ("ffn_norm", (hidden,), "f32"),
            *feed_forward(shape, plain, more),
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


def metadata(shape):
    tokens, vocabulary = byte_letters(), shape["vocabulary"]
    tokens.append("t1")  # what the only merge makes
    tokens += [f"t{i}" for i in range(len(tokens), vocabulary)]
    name = "qwen3moe" if "experts" in shape else "llama"
    keys = {
        "block_count": shape["layers"],
        "context_length": 4096,
        "embedding_length": shape["hidden"],
        "feed_forward_length": shape["inner"],
        "attention.head_count": shape["heads"],
        "attention.head_count_kv": shape["kv_heads"],
        "attention.key_length": HEAD_SIZE,
        "attention.value_length": HEAD_SIZE,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "rope.freq_base": 500000.0,
        "rope.dimension_count": HEAD_SIZE,
        "vocab_size": vocabulary,
    }
    if "experts" in shape:
        keys |= {"expert_count": shape["experts"], "expert_used_count": shape["used"]}
        keys["expert_feed_forward_length"] = shape["inner"]
    return {
        "general.architecture": name,
        "general.name": "synthetic",
        **{f"{name}.{key}": what for key, what in keys.items()},
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [1] * vocabulary,
        "tokenizer.ggml.merges": ["t 1"],
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 1,
    }


def write(kind, path, shape):
    pairs, listed = metadata(shape), list(tensors(kind, shape))
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
    read.add_argument("--shape", choices=SHAPES, default="1b")
    read.add_argument("--layers", type=int)
    a = read.parse_args()
    write(a.kind, a.out, SHAPES[a.shape] | ({"layers": a.layers} if a.layers else {}))


if __name__ == "__main__":
    main()
