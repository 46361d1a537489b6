# strange_gguf.py FILE - writes a GGUF file that is legal but of little use: tensors of an unknown and of an unusual type,
# a vocabulary of a kind that is not known.
import struct
import sys


def text(s):
    return struct.pack("<Q", len(s)) + s.encode()


def pair(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def info(name, dims, kind, offset):
    return text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, kind, offset)


pairs = [
    pair("general.architecture", 8, text("llama")),
    pair("general.name", 8, text("strange")),
    pair("tokenizer.ggml.model", 8, text("runes")),
    pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 1) + text("a")),
    pair("tokenizer.chat_template", 8, text("{% block a %}")),
]
tensors = [info("plain", [4, 2], 0, 0), info("coded", [256], 16, 32), info("unknown", [7], 99, 0)]
head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs)) + b"".join(pairs) + b"".join(tensors)
with open(sys.argv[1], "wb") as f:
    f.write(head + bytes(-len(head) % 32) + bytes(32 + 66))
