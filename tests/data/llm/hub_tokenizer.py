"""hub_tokenizer.py VOCABULARY.gguf FOLDER [fault] - what a GGUF file says about its tokenizer in Hugging Face's files.

Writes tokenizer.json and tokenizer_config.json (and chat_template.jinja, if the vocabulary has a template) as the
tokenizers library and Transformers would: GPT-2, StarCoder, Llama 3, Qwen2 (BPE over bytes) or Llama 2 (BPE over
characters, whose merges follow from the scores). A fault makes tokenizer.json one that must be refused.
"""
import json
import os
import struct
import sys

path, folder = sys.argv[1:3]
fault = sys.argv[3] if len(sys.argv) > 3 else ""
SIZE = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, ARRAY = 8, 9


class Keys:
    """The keys of a GGUF file."""

    def __init__(self, data):
        self.data, self.at = data, 8
        tensors, pairs = self.take("QQ")
        self.all = {}
        for _ in range(pairs):
            key = self.value(TEXT)
            self.all[key] = self.value(self.take("I")[0])

    def take(self, kinds):
        out = struct.unpack_from("<" + kinds, self.data, self.at)
        self.at += struct.calcsize("<" + kinds)
        return out

    def value(self, kind):
        if kind == TEXT:
            size = self.take("Q")[0]
            self.at += size
            return self.data[self.at - size : self.at].decode()
        if kind == ARRAY:
            inside, count = self.take("IQ")
            if inside in (TEXT, ARRAY):
                return [self.value(inside) for _ in range(count)]
            return list(self.take(str(count) + SIZE[inside]))
        return self.take(SIZE[kind])[0]


keys = Keys(open(path, "rb").read()).all
ggml = {k[len("tokenizer.ggml.") :]: v for k, v in keys.items() if k.startswith("tokenizer.ggml.")}
tokens, types = ggml["tokens"], ggml["token_type"]
spm = ggml["model"] == "llama"
NORMAL, UNKNOWN, CONTROL, USER, BYTE = 1, 2, 3, 4, 6

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
    r"\s+(?!\S)|\s+"
)
byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
alphabet = dict(byte_level, use_regex=False)


def split(expression):
    return {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}


def sequence(*parts):
    return {"type": "Sequence", "pretokenizers": list(parts)}


before = {
    "gpt-2": byte_level,
    "starcoder": sequence({"type": "Digits", "individual_digits": True}, byte_level),
    "smollm": sequence({"type": "Digits", "individual_digits": True}, byte_level),
    "llama-bpe": sequence(split(LLAMA3), alphabet),
    "qwen2": sequence(split(LLAMA3.replace("{1,3}", "")), alphabet),
}


def score_merges():
    """All pairs of tokens that make a third, the likeliest third first: how Transformers converts SentencePiece."""
    score = {t: s for t, s, kind in zip(tokens, ggml["scores"], types) if kind in (NORMAL, USER)}
    found = []
    for token, worth in score.items():
        pairs = [(token[:i], token[i:]) for i in range(1, len(token)) if token[:i] in score and token[i:] in score]
        pairs.sort(key=lambda p: (tokens.index(p[0]), tokens.index(p[1])) if len(pairs) > 1 else 0)
        found += [(-worth, p) for p in pairs]
    return [list(p) for _, p in sorted(found, key=lambda f: f[0])]


place = {t: i for i, t in reversed(list(enumerate(tokens)))}
if spm:
    tokens_index = place

    class Fast(list):
        index = staticmethod(lambda t: tokens_index[t])

    tokens = Fast(tokens)
added = [
    {"id": i, "content": t, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
     "special": kind != USER}
    for i, (t, kind) in enumerate(zip(tokens, types)) if kind in (UNKNOWN, CONTROL, USER)
]
inside = {t: i for i, (t, kind) in enumerate(zip(tokens, types)) if spm or kind in (NORMAL, BYTE)}
model = {
    "type": "BPE", "dropout": None, "unk_token": "<unk>" if spm else None, "continuing_subword_prefix": None,
    "end_of_word_suffix": None, "fuse_unk": spm, "byte_fallback": spm,
    "ignore_merges": ggml.get("pre") == "llama-bpe", "vocab": inside,
    "merges": score_merges() if spm else ggml["merges"],
}
if spm:
    mark = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
    normalizer = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"}, mark]}
    pre_tokenizer, decoder = None, {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]}
else:
    normalizer, pre_tokenizer, decoder = None, before[ggml.get("pre") or "gpt-2"], byte_level
bos, eos = (tokens[ggml[k]] if ggml.get(k) is not None else None for k in ("bos_token_id", "eos_token_id"))
post = None
if spm or ggml.get("pre") == "llama-bpe":
    single = [{"SpecialToken": {"id": bos, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    post = {"type": "TemplateProcessing", "single": single, "pair": single,
            "special_tokens": {bos: {"id": bos, "ids": [place[bos]], "tokens": [bos]}}}
whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": normalizer,
         "pre_tokenizer": pre_tokenizer, "post_processor": post, "decoder": decoder, "model": model}
if fault == "unigram":
    model["type"] = "Unigram"
elif fault == "normalizer":
    whole["normalizer"] = {"type": "Lowercase"}
elif fault == "pattern":
    whole["pre_tokenizer"] = sequence(split("[a-z]+"), alphabet)
elif fault == "prefix":
    whole["pre_tokenizer"] = dict(byte_level, add_prefix_space=True)
elif fault == "merge":
    model["merges"] = [["a", "no such token"]] + model["merges"]
elif fault == "hole":
    inside["far"] = 10**9
elif fault == "twice":
    inside["again"] = 0
elif fault == "post":
    whole["post_processor"] = {"type": "BertProcessing"}
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "tokenizer.json"), "w", encoding="utf-8") as out:
    json.dump(whole, out, ensure_ascii=False)
config = {"bos_token": bos, "eos_token": {"content": eos, "special": True} if eos else None}
template = keys.get("tokenizer.chat_template")
if template and not spm:
    config["chat_template"] = template
elif template:
    open(os.path.join(folder, "chat_template.jinja"), "w", encoding="utf-8").write(template)
with open(os.path.join(folder, "tokenizer_config.json"), "w", encoding="utf-8") as out:
    json.dump(config, out)
