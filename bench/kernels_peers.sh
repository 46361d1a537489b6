#!/bin/sh
# kernels_peers.sh [FOLDER]: a Python with the peers of bench/kernels.py, from PyPI, in FOLDER (default build/peers).
set -eu
folder=${1:-build/peers}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet numpy cffi onnx onnxruntime openvino
echo "$folder/bin/python bench/kernels.py"
