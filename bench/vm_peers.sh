#!/bin/sh
# vm_peers.sh [FOLDER]: Pythons with the peers of bench/vm_peers.py, from PyPI, in FOLDER (default build/peers-vm). PyTorch
# is Debian's (python3-torch): PyPI's brings gigabytes for graphics cards along. ggml is that of llama-cpp-python, built for
# this machine, which takes some minutes.
set -eu
folder=${1:-build/peers-vm}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet numpy onnx onnxruntime apache-tvm
CMAKE_ARGS=-DGGML_NATIVE=ON "$folder/bin/pip" install --quiet --no-binary llama-cpp-python llama-cpp-python
echo "$folder/bin/python bench/vm_peers.py"
