# The same as model_formats_full.sh for a few formats: of each way to lay a weight out one, and joined ones with biases.
set -eu
formats="q4_0,qwen2 q6_k iq4_xs mxfp4 tq2_0"
arithmetics=int8
. "$SRC/tests/cli/model_formats_full.sh"
