# A file that is no text at all.
# RUN: head -c 300 /dev/zero > zero.py; relax check zero.py; printf 'PK\003\004' | relax check -; printf '\223NUMPY' | relax check -
# FAILS: 1
# WANT:
relax: error: zero.py: want the text of a module, this is no text; models come as .gguf or .safetensors files
relax: error: -: want the text of a module, this is an archive; arrays in one (.npz) are for --weights and --input
relax: error: -: want the text of a module, this is an array, which `relax run --input NAME=@FILE` reads
