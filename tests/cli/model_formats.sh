# The same as model_formats_full.sh for three: joined weights with biases, values that are looked up, and experts.
set -eu
formats="q4_0,qwen2 mxfp4 q4_k,qwen3moe"
arithmetics=int8
. "$SRC/tests/cli/model_formats_full.sh"
