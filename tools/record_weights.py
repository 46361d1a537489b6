"""Records what NumPy computes for tests/data/weights/linear.py: weights.npz, x.npy, y.npy.
usage: tools/record_weights.py tests/data/weights"""
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(1)


def random(*shape):
    return rng.standard_normal(shape).astype(np.float32)


w, g, u, x = random(8, 4), random(8), random(8, 8), random(5, 4)
np.savez(f"{folder}/weights.npz", w=w, g=g, u=u)
np.save(f"{folder}/x.npy", x)
np.save(f"{folder}/y.npy", ((x @ w.T) * (g + 1)) @ u)
