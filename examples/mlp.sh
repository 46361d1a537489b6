#!/bin/sh
# Compiles examples/mlp.py once and runs it for several batch sizes. usage: examples/mlp.sh [path of relax]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
relax=${1:-$here/../build/relax}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
say() { echo "\$ relax $*"; "$relax" "$@"; }

cd "$here"
say compile mlp.py -o "$out/mlp.rlx"
weights="--input w1=f32[128,256] --input b1=f32[256] --input w2=f32[256,10] --input b2=f32[10]"
for n in 1 7 128; do
    say run "$out/mlp.rlx" --input "x=f32[$n,128]" $weights --repeat 100
done
echo "The same file serves every batch size; a wrong shape is refused:"
say run "$out/mlp.rlx" --input "x=f32[7,100]" $weights || [ $? -eq 1 ]
