#!/usr/bin/env python3
"""Writes tests/data/models: small decoders with random weights and what they say, computed here with NumPy in double.

usage: record_models.py [DIR]     (default tests/data/models beside this script)

mixed.gguf has a tensor of every kind of storage that the test is about: Q4_0, Q4_1, Q8_0, F16, BF16 and F32, biases,
grouped heads, stretched frequencies and tied logits. experts.gguf has quantised experts. sharded/ is a folder of bfloat16 shards with a window and untied
logits, yarn.expected what it says with YaRN's rotary embedding. Random block bytes are decoded by the formulas of GGUF's formats, so no quantiser is needed.
"""
import json
import os
import struct
import sys

import numpy as np

EXPERTS, USED = 4, 2
HIDDEN, INNER, LAYERS, HEADS, KV, SIZE, VOCAB = 32, 64, 2, 4, 2, 8, 96
EPSILON, BASE = 1e-5, 10000.0
PROMPT = [5, 17, 90, 2, 2, 61, 33, 8, 71, 40, 19]
STEPS = 6
rng = np.random.default_rng(20261201)


def halves(x):
    return np.asarray(x, np.float16)


def to_bf16(x):
    return (np.asarray(x, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


# --- Storage: random bytes of a kind and the values they stand for, spread so that activations stay near 1.

def q4(shape, offset):
    """Blocks of 32: a scale, with `offset` a minimum, then bytes of two quants: low nibbles are the first 16."""
    rows, blocks = shape[0], shape[1] // 32
    quants = rng.integers(0, 256, (rows, blocks, 16), np.uint8)
    scale = halves(rng.uniform(0.02, 0.05, (rows, blocks, 1)))
    low = halves(-scale.astype(np.float64) * 7.5 * rng.uniform(0.9, 1.1, scale.shape))
    q = np.concatenate([quants & 15, quants >> 4], axis=2).astype(np.float64)
    value = scale.astype(np.float64) * q + low.astype(np.float64) if offset else scale.astype(np.float64) * (q - 8)
    parts = [scale.view(np.uint8), low.view(np.uint8), quants] if offset else [scale.view(np.uint8), quants]
    return np.concatenate(parts, axis=2).tobytes(), value.reshape(shape)


def q8(shape):
    rows, blocks = shape[0], shape[1] // 32
    quants = rng.integers(-127, 128, (rows, blocks, 32), np.int8)
    scale = halves(rng.uniform(0.001, 0.003, (rows, blocks, 1)))
    value = scale.astype(np.float64) * quants
    return np.concatenate([scale.view(np.uint8), quants.view(np.uint8)], axis=2).tobytes(), value.reshape(shape)


def plain(shape, kind, spread=None, middle=0.0):
    x = rng.standard_normal(shape) * (spread or 1.4 / np.sqrt(shape[-1])) + middle
    if kind == "F16":
        return halves(x).tobytes(), halves(x).astype(np.float64)
    if kind == "BF16":
        return to_bf16(x).tobytes(), from_bf16(to_bf16(x)).astype(np.float64)
    return np.asarray(x, np.float32).tobytes(), np.asarray(x, np.float32).astype(np.float64)


def stored(shape, kind, **how):
    return {"Q4_0": lambda: q4(shape, False), "Q4_1": lambda: q4(shape, True), "Q8_0": lambda: q8(shape)}.get(
        kind, lambda: plain(shape, kind, **how))()


# --- The model, in double.

def norm(x, w):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * w


def yarn(factor, original, fast, slow):
    """What frequencies are divided by, and the amplitude: the YaRN paper's formulas, as Transformers has them."""
    pair = lambda turns: SIZE * np.log(original / (turns * 2 * np.pi)) / (2 * np.log(BASE))
    low, high = max(np.floor(pair(fast)), 0), min(np.ceil(pair(slow)), SIZE - 1)
    kept = 1 - np.clip((np.arange(SIZE // 2) - low) / (high - low), 0, 1)
    frequency = BASE ** (-2.0 * np.arange(SIZE // 2) / SIZE)
    blended = frequency / factor * (1 - kept) + frequency * kept
    return frequency / blended, 0.1 * np.log(factor) + 1


def rotate(x, factors, interleaved, amplitude):
    t, _, size = x.shape
    angle = np.arange(t)[:, None] * BASE ** (-2.0 * np.arange(size // 2) / size) / factors
    cos, sin = np.cos(angle)[:, None] * amplitude, np.sin(angle)[:, None] * amplitude
    out = np.empty_like(x)
    a, b = (slice(0, None, 2), slice(1, None, 2)) if interleaved else (slice(0, size // 2), slice(size // 2, None))
    out[..., a], out[..., b] = x[..., a] * cos - x[..., b] * sin, x[..., b] * cos + x[..., a] * sin
    return out


PARTS = ("gate", "up", "down")


def mlp(x, gate, up, down):
    g = x @ gate.T
    return (g / (1 + np.exp(-g)) * (x @ up.T)) @ down.T


def experts(w, p, x):
    """The two most probable experts of each token, their weights normalised."""
    s = x @ w[p + "ffn_gate_inp.weight"].T
    s = np.exp(s - s.max(-1, keepdims=True))
    y = np.zeros_like(x)
    for t, row in enumerate(s):
        best = np.argsort(-row)[:USED]
        for e in best:
            y[t] += row[e] / row[best].sum() * mlp(x[t], *(w[f"{p}ffn_{k}_exps.weight"][e] for k in PARTS))
    return y


def run(w, tokens, interleaved, window):
    """Logits and hidden states of all tokens; w has names of GGUF."""
    x, t = w["token_embd.weight"][tokens], len(tokens)
    hidden = [x]
    at = np.arange(t)
    seen = (at[None] <= at[:, None]) & ((at[:, None] - at[None] < window) if window else True)
    linear = lambda x, name: x @ w[name + ".weight"].T + w.get(name + ".bias", 0.0)
    for i in range(LAYERS):
        p = f"blk.{i}."
        n = norm(x, w[p + "attn_norm.weight"])
        factors, amplitude = w.get("rope_freqs.weight", 1.0), w.get("rope amplitude", 1.0)
        q = rotate(linear(n, p + "attn_q").reshape(t, HEADS, SIZE), factors, interleaved, amplitude)
        k = rotate(linear(n, p + "attn_k").reshape(t, KV, SIZE), factors, interleaved, amplitude)
        v = linear(n, p + "attn_v").reshape(t, KV, SIZE)
        k, v = np.repeat(k, HEADS // KV, 1), np.repeat(v, HEADS // KV, 1)
        s = np.where(seen[None], np.einsum("ihd,jhd->hij", q, k) / np.sqrt(SIZE), -np.inf)
        s = np.exp(s - s.max(-1, keepdims=True))
        a = np.einsum("hij,jhd->ihd", s / s.sum(-1, keepdims=True), v).reshape(t, HEADS * SIZE)
        x = x + linear(a, p + "attn_output")
        n = norm(x, w[p + "ffn_norm.weight"])
        x = x + (experts(w, p, n) if p + "ffn_gate_inp.weight" in w else mlp(n, *(w[f"{p}ffn_{k}.weight"] for k in PARTS)))
        hidden.append(x)
    hidden[-1] = x = norm(x, w["output_norm.weight"])
    return x @ w.get("output.weight", w["token_embd.weight"]).T, hidden


# --- Files.

def write_safetensors(path, tensors):
    """tensors: name -> (dtype, shape, bytes)."""
    head, at = {}, 0
    for name, (kind, shape, data) in tensors.items():
        head[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(d for _, _, d in tensors.values()))


def write_expected(path, w, interleaved, window):
    logits, hidden = run(w, PROMPT, interleaved, window)
    tokens, decoded, margin = list(PROMPT), [], np.inf
    last = logits[-1]
    for _ in range(STEPS):
        top = np.sort(last)
        margin = min(margin, top[-1] - top[-2])
        tokens.append(int(last.argmax()))
        last = run(w, tokens, interleaved, window)[0][-1]
        decoded.append(last)
    print(f"{path}: largest logit {abs(logits).max():.3f}, least margin of a greedy token {margin:.4f}")
    assert margin > 0.01
    floats = lambda x: ("F32", x.shape, np.asarray(x, np.float32).tobytes())
    ints = lambda x: ("I32", (len(x),), np.asarray(x, np.int32).tobytes())
    out = {"input_ids": ints(PROMPT), "prefill_logits": floats(logits)}
    out |= {f"hidden.{i}": floats(h) for i, h in enumerate(hidden)}
    write_safetensors(path, out | {"decode_tokens": ints(tokens[len(PROMPT):]), "decode_logits": floats(np.array(decoded))})


GGUF_TYPE = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8, "BF16": 30}


def text(s):
    return struct.pack("<Q", len(s)) + s.encode()


def write_gguf(path, keys, tensors):
    """keys: name -> str, int or float; tensors: name -> (kind, shape, bytes)."""
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for name, value in keys.items():
        kind, data = ((8, text(value)) if isinstance(value, str) else (4, struct.pack("<I", value))
                      if isinstance(value, int) else (6, struct.pack("<f", value)))
        out += text(name) + struct.pack("<I", kind) + data
    at = 0
    for name, (kind, shape, data) in tensors.items():
        out += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *reversed(shape))
        out += struct.pack("<IQ", GGUF_TYPE[kind], at)
        at += len(data) + -len(data) % 32
    out += b"\0" * (-len(out) % 32)
    for _, _, data in tensors.values():
        out += data + b"\0" * (-len(data) % 32)
    with open(path, "wb") as f:
        f.write(out)


def shapes(tied):
    yield "token_embd.weight", (VOCAB, HIDDEN)
    for i in range(LAYERS):
        for name, shape in (("attn_q", (HEADS * SIZE, HIDDEN)), ("attn_k", (KV * SIZE, HIDDEN)),
                            ("attn_v", (KV * SIZE, HIDDEN)), ("attn_output", (HIDDEN, HEADS * SIZE)),
                            ("ffn_gate", (INNER, HIDDEN)), ("ffn_up", (INNER, HIDDEN)), ("ffn_down", (HIDDEN, INNER)),
                            ("attn_norm", (HIDDEN,)), ("ffn_norm", (HIDDEN,))):
            yield f"blk.{i}.{name}.weight", shape
    yield "output_norm.weight", (HIDDEN,)
    if not tied:
        yield "output.weight", (VOCAB, HIDDEN)


def keys(name):
    return {"general.architecture": "llama", "general.name": name, "llama.block_count": LAYERS,
            "llama.context_length": 128, "llama.embedding_length": HIDDEN, "llama.feed_forward_length": INNER,
            "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": KV, "llama.rope.freq_base": BASE,
            "llama.rope.dimension_count": SIZE, "llama.attention.layer_norm_rms_epsilon": EPSILON,
            "llama.vocab_size": VOCAB, "tokenizer.ggml.model": "none"}


def mixed(folder):
    kinds = {"token_embd": "Q8_0", "attn_q": "Q4_0", "attn_k": "F16", "attn_v": "BF16", "attn_output": "Q4_1",
             "ffn_gate": "Q4_1", "ffn_up": "Q8_0", "ffn_down": "Q4_0"}
    files, w = {}, {}

    def add(name, shape, kind, **how):
        data, w[name] = stored(shape, kind, **how)
        files[name] = (kind, shape, data)

    for name, shape in shapes(True):
        if len(shape) == 1:
            add(name, shape, "F32", spread=0.2, middle=1.0)
        else:
            add(name, shape, kinds[name.split(".")[-2]])
    for i in range(LAYERS):
        for name, rows in (("attn_q", HEADS * SIZE), ("attn_k", KV * SIZE), ("attn_v", KV * SIZE)):
            add(f"blk.{i}.{name}.bias", (rows,), "F32", spread=0.3)
    add("rope_freqs.weight", (SIZE // 2,), "F32", spread=0.5, middle=2.0)
    write_gguf(f"{folder}/mixed.gguf", keys("mixed"), files)
    write_expected(f"{folder}/mixed.expected.safetensors", w, True, 0)


def expert_model(folder):
    kinds = {"ffn_gate_exps": "Q4_0", "ffn_up_exps": "Q4_1", "ffn_down_exps": "Q8_0", "token_embd": "F16"}
    files, w = {}, {}

    def add(name, shape, kind, **how):
        flat = (int(np.prod(shape[:-1])), shape[-1])
        data, value = stored(flat if len(shape) > 1 else shape, kind, **how)
        w[name], files[name] = value.reshape(shape), (kind, shape, data)

    for name, shape in shapes(True):
        part = name.split(".")[-2]
        if part in ("ffn_gate", "ffn_up", "ffn_down"):
            add(name.replace(part, part + "_exps"), (EXPERTS, *shape), kinds[part + "_exps"])
        elif len(shape) == 1:
            add(name, shape, "F32", spread=0.2, middle=1.0)
        else:
            add(name, shape, kinds.get(part, "F32"))
    for i in range(LAYERS):
        add(f"blk.{i}.ffn_gate_inp.weight", (EXPERTS, HIDDEN), "F32", spread=0.5)
    write_gguf(f"{folder}/experts.gguf",
               keys("experts") | {"llama.expert_count": EXPERTS, "llama.expert_used_count": USED}, files)
    write_expected(f"{folder}/experts.expected.safetensors", w, True, 0)


NAMES = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head",
         "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
         "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "ffn_norm": "post_attention_layernorm",
         "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}


def hub_name(name):
    parts = name.split(".")
    layer = f"model.layers.{parts[1]}." if parts[0] == "blk" else ""
    return f"{layer}{NAMES[parts[-2]]}.{parts[-1]}"


def sharded(folder):
    os.makedirs(f"{folder}/sharded", exist_ok=True)
    files, w, window = {}, {}, 5
    for name, shape in shapes(False):
        how = {"spread": 0.2, "middle": 1.0} if len(shape) == 1 else {}
        data, w[name] = stored(shape, "BF16", **how)
        files[hub_name(name)] = ("BF16", shape, data)
    names = list(files)
    place = {}
    for number, part in enumerate((names[:9], names[9:]), 1):
        shard = f"model-{number:05}-of-00002.safetensors"
        write_safetensors(f"{folder}/sharded/{shard}", {name: files[name] for name in part})
        place |= {name: shard for name in part}
    with open(f"{folder}/sharded/model.safetensors.index.json", "w") as f:
        json.dump({"metadata": {}, "weight_map": place}, f, indent=1)
        f.write("\n")
    # In the words of transformers 5.
    config = {"architectures": ["MistralForCausalLM"], "model_type": "mistral", "dtype": "bfloat16", "hidden_act": "silu",
              "head_dim": SIZE, "hidden_size": HIDDEN, "intermediate_size": INNER, "max_position_embeddings": 128,
              "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "num_key_value_heads": KV,
              "rms_norm_eps": EPSILON, "rope_parameters": {"rope_theta": BASE, "rope_type": "default"},
              "sliding_window": window, "tie_word_embeddings": False, "vocab_size": VOCAB}
    with open(f"{folder}/sharded/config.json", "w") as f:
        json.dump(config, f, indent=1)
        f.write("\n")
    write_expected(f"{folder}/sharded.expected.safetensors", w, False, window)
    # The same with stretched positions (tests/cli/verify_model.sh changes the configuration).
    w["rope_freqs.weight"], w["rope amplitude"] = yarn(4.0, 6.0, 0.9, 0.01)
    write_expected(f"{folder}/yarn.expected.safetensors", w, False, window)


if __name__ == "__main__":
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../tests/data/models")
    os.makedirs(out, exist_ok=True)
    mixed(out)
    sharded(out)
    expert_model(out)
