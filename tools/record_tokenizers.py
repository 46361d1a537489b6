#!/usr/bin/env python3
"""record_tokenizers.py - the ids that Hugging Face's tokenizers gives for random texts, for tests/data/tokenizers.

usage: record_tokenizers.py DATA OUT    (pip install tokenizers; recorded with 0.23.3)

DATA/tokenizers holds the vocabularies as GGUF files. OUT/NAME.txt gets one line for each text: its UTF-8 bytes in
hexadecimal ("-" for none), then the ids. The tokenizers are put together from the vocabulary and the expressions that
the models' own tokenizer.json files give.
"""
import random
import struct
import sys

from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PRE = {
    "gpt-2": [GPT2],
    "gpt-neox": [GPT2],
    "starcoder": [r"\p{N}", GPT2],
    "llama-bpe": [LLAMA3 % "{1,3}"],
    "qwen2": [LLAMA3 % ""],
}
NUMBER = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
PIECES = (
    list(" \t\n\r\u00a0\u2003\u3000\u180e\u200b\x0b\x85\u2028'\"!?.,;:()[]{}<>|/\\@#$%^&*-_=+~`0123456789")
    + list("aAbBcCsStTmMdDlLrReEvVéÉñßſKİıǅ我在工作한국어日本語ひらがなカタカナнещоБългарскиعربيעבריתไทยខ្មែរहिन्दी")
    + list("🦙😁✅🚀\u200d\ufe0f½ⅷ²٣๓\u0301\u0308")
    + ["'s", "'LL", "'Ve", "  ", "   ", "\n\n", "\r\n", "hello", "world", " the", "ing", "123", "I'm"]
)


def read_metadata(path):
    data, at = open(path, "rb").read(), 8

    def take(code):
        nonlocal at
        value = struct.unpack_from("<" + code, data, at)[0]
        at += struct.calcsize("<" + code)
        return value

    def text():
        nonlocal at
        size = take("Q")
        at += size
        return data[at - size : at].decode("utf-8", "replace")

    def value(kind):
        if kind == 8:
            return text()
        if kind == 9:
            kind, count = take("I"), take("Q")
            return [value(kind) for _ in range(count)]
        return take(NUMBER[kind])

    take("Q")
    pairs = {}
    for _ in range(take("Q")):
        key, kind = text(), take("I")
        pairs[key] = value(kind)
    return pairs


def build(name, path):
    pairs = read_metadata(path)
    tokens, types = pairs["tokenizer.ggml.tokens"], pairs["tokenizer.ggml.token_type"]
    merges = [tuple(merge.split(" ")) for merge in pairs["tokenizer.ggml.merges"]]
    model = models.BPE(vocab={t: i for i, t in enumerate(tokens)}, merges=merges, ignore_merges=name == "llama-bpe")
    tokenizer = Tokenizer(model)
    splits = [pre_tokenizers.Split(Regex(e), "isolated") for e in PRE[name]]
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(splits + [bytes_])
    user = [t for t, kind in zip(tokens, types) if kind == 4 and not t.startswith("[PAD")]
    tokenizer.add_tokens([AddedToken(t, special=False, normalized=False) for t in user])
    return tokenizer


def random_text(rng):
    count = rng.choice([0, 1, 2, 3, 5, 8, 20, 40])
    if rng.random() < 0.2:
        ranges = [(1, 0xD800), (1, 0x250), (0x1F000, 0x1FFFF)]
        return "".join(chr(rng.randrange(*rng.choice(ranges))) for _ in range(count))
    return "".join(rng.choice(PIECES) for _ in range(count))


def main():
    data, out = sys.argv[1:]
    for name in PRE:
        rng = random.Random(name)
        tokenizer = build(name, f"{data}/tokenizers/ggml-vocab-{name}.gguf")
        with open(f"{out}/{name}.txt", "w") as f:
            for _ in range(200):
                text = random_text(rng)
                ids = tokenizer.encode(text, add_special_tokens=False).ids
                print(text.encode().hex() or "-", *ids, file=f)


main()
