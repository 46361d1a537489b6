"""record_llm_formats.py OUT.txt - what llama.cpp makes of small models of random blocks, one for each format of weights.

tests/data/llm/make_tiny.py makes the models; a line of the result is a format and the perplexity of the tokens 1 to 100 in
windows of 50, as `relax perplexity` counts it. Wants PyPI's llama-cpp-python (0.3.36 was used) and numpy.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(root / "bench"))
import llm  # noqa: E402

maker = root / "tests/data/llm/make_tiny.py"
formats = re.findall(r'^    "(\w+)": \(|, "(\w+)": \(', maker.read_text(), re.M)
names = [a or b for a, b in formats] + ["q4_0,qwen2", "q4_1,qwen2", "q4_0,qwen3moe", "q4_k,qwen3moe"]
with open(sys.argv[1], "w") as out, tempfile.TemporaryDirectory() as folder:
    for name in names:
        model = f"{folder}/{name}.gguf"
        subprocess.run([sys.executable, str(maker), model, "blocks=" + name], check=True)
        peer = llm.Peer(model, 1, 512, False, 1)
        print(name, f"{peer.perplexity(list(range(1, 101)), 50):.6g}", file=out)
