#!/bin/sh
# llm_peers.sh [FOLDER]: a Python with llama.cpp, built for this machine from PyPI's llama-cpp-python, in FOLDER (default
# build/peers-llm). Takes some minutes.
set -eu
folder=${1:-build/peers-llm}
python3 -m venv "$folder"
CMAKE_ARGS=-DGGML_NATIVE=ON "$folder/bin/pip" install --quiet --no-binary llama-cpp-python numpy llama-cpp-python
echo "$folder/bin/python bench/llm.py MODEL.gguf"
