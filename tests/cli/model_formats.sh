# The same as model_formats_full.sh for two formats: joined weights with biases, and values that are looked up.
set -eu
formats="q4_0,qwen2 mxfp4"
arithmetics=int8
. "$SRC/tests/cli/model_formats_full.sh"
