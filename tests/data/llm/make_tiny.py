"""make_tiny.py OUT.gguf [fault [seed]] - writes a small Llama with a tokenizer and a chat template: random weights, no training.

Vocabulary: the 256 bytes, a few merges, <|im_start|> and <|im_end|>. The same bytes on every machine. A fault makes the
file one that must be refused: architecture, missing, shape, tokenizer, vocabulary, template, silent, type. With "steering" its name has control characters, with "nan" the last norm holds a NaN, with "split" the model lies in two
files, OUT ending in -00001-of-00002.gguf; with "dense" it says that it has 0 experts.

"blocks=q4_k" makes it 256 wide with matrices of random blocks in that format, "blocks=q4_0,qwen2" one of architecture qwen2,
with biases, "blocks=q4_0,qwen3moe" one with 8 experts, of which a token meets 2.
"""
import math
import struct
import sys

HIDDEN, LAYERS, HEADS, KV_HEADS, INNER, CONTEXT = 32, 2, 4, 2, 64, 128
fault = sys.argv[2] if len(sys.argv) > 2 else ""
# Of each format: GGUF's number, elements and bytes of a block, places of float16 scales, of float16 minima, and what an
# element is at most beside the scale and a minimum beside it.
FORMATS = {
    "q4_0": (2, 32, 18, [0], [], 8, 0), "q4_1": (3, 32, 20, [0], [2], 15, -7.5),
    "q5_0": (6, 32, 22, [0], [], 16, 0), "q5_1": (7, 32, 24, [0], [2], 31, -15.5), "q8_0": (8, 32, 34, [0], [], 128, 0),
    "q2_k": (10, 256, 84, [80], [82], 45, 1.5), "q3_k": (11, 256, 110, [108], [], 128, 0),
    "q4_k": (12, 256, 144, [0], [2], 945, 7.5), "q5_k": (13, 256, 176, [0], [2], 1953, 15.5),
    "q6_k": (14, 256, 210, [208], [], 4096, 0), "iq2_xxs": (16, 256, 66, [0], [], 167, 0),
    "iq2_xs": (17, 256, 74, [0], [], 167, 0), "iq3_xxs": (18, 256, 98, [0], [], 480, 0),
    "iq1_s": (19, 256, 50, [0], [], 17, 0), "iq4_nl": (20, 32, 18, [0], [], 127, 0), "iq3_s": (21, 256, 110, [0], [], 465, 0),
    "iq2_s": (22, 256, 82, [0], [], 167, 0), "iq4_xs": (23, 256, 136, [0], [], 4064, 0), "iq1_m": (29, 256, 56, [], [], 17, 0),
    "tq1_0": (34, 256, 54, [52], [], 1, 0), "tq2_0": (35, 256, 66, [64], [], 2, 0), "mxfp4": (39, 32, 17, [], [], 0, 0),
    "nvfp4": (40, 64, 36, [], [], 0, 0),
}
EXPERTS, USED = 8, 2
blocks, family = None, "llama"
if fault.startswith("blocks="):
    blocks, _, other = fault[len("blocks="):].partition(",")
    HIDDEN, LAYERS, INNER, family = 256, 1, 256, other or family


def text(s):
    return struct.pack("<Q", len(s.encode())) + s.encode()


def array(kind, items):
    return struct.pack("<IQ", kind, len(items)) + b"".join(items)


def u32(n):
    return struct.pack("<I", n)


def byte_tokens():
    """GPT-2's printable code point of each byte."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    point = {b: b for b in printable} | {b: 256 + i for i, b in enumerate(others)}
    return [chr(point[b]) for b in range(256)]


class Random:
    """64-bit linear congruential numbers (Knuth's MMIX constants)."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 40) / 2**24 * 2 - 1


tokens = byte_tokens() + ["he", "ll", "hell", "hello", "<|im_start|>", "<|im_end|>"]
merges = ["h e", "l l", "he ll", "hell o"]
types = [1] * (len(tokens) - 2) + [3, 3]
template = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
if fault == "template":
    template = "{% block x %}"
if fault == "silent":
    template = "{% if false %}no{% endif %}"
vocab = len(tokens) + (1 if fault == "vocabulary" else 0)
arch = "mamba" if fault == "architecture" else family
pairs = [
    ("general.architecture", 8, text(arch)),
    ("general.name", 8, text("Ti\x1b[31mny\u202e" if fault == "steering" else "Tiny")),
    (arch + ".block_count", 4, u32(LAYERS)),
    (arch + ".context_length", 4, u32(CONTEXT)),
    (arch + ".embedding_length", 4, u32(HIDDEN)),
    (arch + ".feed_forward_length", 4, u32(INNER)),
    (arch + ".attention.head_count", 4, u32(HEADS)),
    (arch + ".attention.head_count_kv", 4, u32(KV_HEADS)),
    (arch + ".attention.layer_norm_rms_epsilon", 6, struct.pack("<f", 1e-5)),
    (arch + ".rope.dimension_count", 4, u32(HIDDEN // HEADS)),
    (arch + ".rope.freq_base", 6, struct.pack("<f", 10000)),
    (arch + ".vocab_size", 4, u32(len(tokens))),
    ("tokenizer.ggml.model", 8, text("runes" if fault == "tokenizer" else "gpt2")),
    ("tokenizer.ggml.pre", 8, text("gpt-2")),
    ("tokenizer.ggml.tokens", 9, array(8, [text(t) for t in tokens + ["extra"] * (vocab - len(tokens))])),
    ("tokenizer.ggml.token_type", 9, array(5, [u32(t) for t in types + [1] * (vocab - len(tokens))])),
    ("tokenizer.ggml.merges", 9, array(8, [text(m) for m in merges])),
    ("tokenizer.ggml.eos_token_id", 4, u32(tokens.index("<|im_end|>"))),
    ("tokenizer.chat_template", 8, text(template)),
]

if family == "qwen3moe":
    numbers = {"expert_count": EXPERTS, "expert_used_count": USED, "expert_feed_forward_length": INNER}
    numbers |= {"attention.key_length": HIDDEN // HEADS, "attention.value_length": HIDDEN // HEADS}
    pairs += [(f"{arch}.{key}", 4, u32(n)) for key, n in numbers.items()]

head = HIDDEN // HEADS
shapes = {"token_embd.weight": [HIDDEN, len(tokens)], "output_norm.weight": [HIDDEN]}
for i in range(LAYERS):
    block = f"blk.{i}."
    shapes |= {
        block + "attn_norm.weight": [HIDDEN],
        block + "attn_q.weight": [HIDDEN, HEADS * head],
        block + "attn_k.weight": [HIDDEN, KV_HEADS * head],
        block + "attn_v.weight": [HIDDEN, KV_HEADS * head],
        block + "attn_output.weight": [HEADS * head, HIDDEN],
        block + "ffn_norm.weight": [HIDDEN],
        block + "ffn_gate.weight": [HIDDEN, INNER],
        block + "ffn_up.weight": [HIDDEN, INNER],
        block + "ffn_down.weight": [INNER, HIDDEN],
    }
    if family == "qwen2":
        shapes |= {block + "attn_q.bias": [HIDDEN], block + "attn_k.bias": [KV_HEADS * head], block + "attn_v.bias": [KV_HEADS * head]}
    if family == "qwen3moe":
        for name in "gate", "up", "down":
            shapes[block + f"ffn_{name}_exps.weight"] = shapes.pop(block + f"ffn_{name}.weight") + [EXPERTS]
        shapes |= {block + "ffn_gate_inp.weight": [HIDDEN, EXPERTS]}
        shapes |= {block + "attn_q_norm.weight": [head], block + "attn_k_norm.weight": [head]}
if fault == "missing":
    del shapes["blk.1.ffn_up.weight"]
if fault == "shape":
    shapes["blk.1.ffn_up.weight"] = [HIDDEN, INNER + 1]

def random_block(random):
    """Elements up to 0.3 in size."""
    _, _, size, scales, minima, most, least = FORMATS[blocks]
    block = bytearray(int(random.uniform() * 128 + 128) for _ in range(size))
    if most:
        scale = 0.3 / most * (0.75 + random.uniform() / 4)
    for at in scales:
        block[at : at + 2] = struct.pack("<e", scale)
    for at in minima:
        block[at : at + 2] = struct.pack("<e", scale * least)
    if blocks == "iq1_m":  # four bits of the scale at the top of each of the last four uint16
        bits = struct.unpack("<H", struct.pack("<e", scale))[0]
        for i in range(4):
            block[49 + 2 * i] = block[49 + 2 * i] & 15 | (bits >> 4 * i & 15) << 4
    if blocks == "mxfp4":
        block[0] = 122
    if blocks == "nvfp4":
        block[:4] = bytes([0x18, 0x1a, 0x10, 0x14])
    return bytes(block)


random = Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
infos, data = [], b""
starts = []  # of each tensor's data
for name, shape in shapes.items():
    count = math.prod(shape)
    packed = blocks and len(shape) > 1 and "_inp." not in name
    kind = 9 if fault == "type" and name == "token_embd.weight" else FORMATS[blocks][0] if packed else 0
    infos.append(text(name) + struct.pack(f"<I{len(shape)}QI", len(shape), *shape, kind))
    starts.append(len(data))
    # Large enough that one token is clearly the most likely.
    if packed:
        data += b"".join(random_block(random) for _ in range(count // FORMATS[blocks][1]))
        data += bytes(-len(data) % 32)
        continue
    scale = 0.05 if len(shape) == 1 else 2 / shape[0] ** 0.5
    values = [(1 if len(shape) == 1 else 0) + scale * random.uniform() for _ in range(count)]
    if fault == "nan" and name == "output_norm.weight":
        values[0] = float("nan")
    data += struct.pack(f"<{count}f", *values)
    data += bytes(-len(data) % 32)


def write(path, keys, first, end):
    """A file with the tensors of these numbers."""
    begin, stop = starts[first], starts[end] if end < len(starts) else len(data)
    start = b"GGUF" + struct.pack("<IQQ", 3, end - first, len(keys))
    start += b"".join(text(k) + u32(t) + v for k, t, v in keys)
    start += b"".join(infos[i] + struct.pack("<Q", starts[i] - begin) for i in range(first, end))
    with open(path, "wb") as f:
        f.write(start + bytes(-len(start) % 32) + data[begin:stop])


def part(number):
    """Keys as llama.cpp's gguf-split writes them."""
    return [("split.no", 2, struct.pack("<H", number)), ("split.count", 2, struct.pack("<H", 2))]


out = sys.argv[1]
if fault == "dense":
    pairs.append((arch + ".expert_count", 4, u32(0)))
if fault == "split":
    tensors = [("split.tensors.count", 5, u32(len(infos)))]
    write(out, pairs + part(0) + tensors, 0, 5)
    write(out.replace("-00001-", "-00002-"), part(1), 5, len(infos))
else:
    write(out, pairs, 0, len(infos))
