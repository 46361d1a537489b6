"""Records what NumPy computes for tests/data/mlp/mlp.py: weights.npz, weights.safetensors, xN.npy, yN.npy for some sizes.
usage: tools/record_mlp.py tests/data/mlp"""
import json
import math
import struct
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(0)


def random(*shape):
    return rng.standard_normal(shape).astype(np.float32)


weights = {"w1": random(8, 16) / 3, "b1": random(16), "w2": random(16, 5) / 3, "b2": random(5)}
np.savez(f"{folder}/weights.npz", **weights)
np.savez(f"{folder}/wrong.npz", w1=np.zeros((16, 8), np.float32))
at, header, data = 0, {}, b""
for name, value in weights.items():
    raw = value.astype("<f4").tobytes()
    header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + len(raw)]}
    at, data = at + len(raw), data + raw
header = json.dumps(header).encode()
with open(f"{folder}/weights.safetensors", "wb") as f:
    f.write(struct.pack("<Q", len(header)) + header + data)
for n in (0, 1, 7, 128):
    x = random(n, 8)
    h = x.astype(np.float64) @ weights["w1"] + weights["b1"]
    h = h * 0.5 * (1 + np.array([math.erf(v / math.sqrt(2)) for v in h.ravel()]).reshape(h.shape))
    o = h @ weights["w2"] + weights["b2"]
    e = np.exp(o - o.max(axis=-1, keepdims=True, initial=-np.inf))
    np.save(f"{folder}/x{n}.npy", x)
    np.save(f"{folder}/y{n}.npy", (e / e.sum(axis=-1, keepdims=True)).astype(np.float32))
