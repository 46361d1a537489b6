#!/bin/sh
# kernels_peers.sh [FOLDER [torch]]: a Python with the peers of bench/kernels.py, from PyPI, in FOLDER (default
# build/peers); torch, which is some gigabytes there, only where it is asked for.
set -eu
folder=${1:-build/peers}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet numpy cffi onnx onnxruntime openvino ${2:+"$2"}
echo "$folder/bin/python bench/kernels.py"
