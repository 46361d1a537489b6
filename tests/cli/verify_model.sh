# relax verify-model: small decoders against what NumPy computed (tests/data/models), and what is said of checkpoints
# that are no model.
set -eu
. "$SRC/tests/support/shell.sh"
models=$SRC/tests/data/models

# agree MODEL EXPECTED: every line says ok.
agree() {
    "$RELAX" verify-model "$1" --expected "$2" >out || { cat out; echo "$1: differs"; exit 1; }
    [ "$(grep -c 'ok$' out)" -ge 6 ] || { cat out; echo "$1: a line is missing"; exit 1; }
}

agree "$models/mixed.gguf" "$models/mixed.expected.safetensors"
agree "$models/experts.gguf" "$models/experts.expected.safetensors"
agree "$models/sharded" "$models/sharded.expected.safetensors"
# refuse WORDS COMMAND...: exit code 1, and the words on stderr.
refuse() {
    words=$1
    shift
    code=0
    "$@" >out 2>err || code=$?
    [ $code = 1 ] || { echo "exit code $code: $*"; cat out err; exit 1; }
    grep -qF "$words" err || { echo "want '$words' from $*, got:"; cat err; exit 1; }
}

# change FROM TO: the folder of shards with another configuration.
change() {
    rm -rf m
    mkdir m
    cp "$models"/sharded/* m/
    chmod +w m/*
    sed "s/$1/$2/" "$models/sharded/config.json" >m/config.json
}

compile="$RELAX compile m -o m.rlx"
change MistralForCausalLM BertForMaskedLM
refuse 'architecture BertForMaskedLM is not known here' $compile
change '"num_hidden_layers": 2' '"num_hidden_layers": 3'
refuse 'there is no tensor model.layers.2.mlp.down_proj.weight' $compile
change '"num_hidden_layers": 2' '"num_hidden_layers": 1'
refuse 'tensor model.layers.1.mlp.down_proj.weight has no place' $compile
change '"intermediate_size": 64' '"intermediate_size": 96'
refuse 'model.layers.0.mlp.gate_proj.weight is (64, 32), the model wants (96, 32)' $compile
change '"num_key_value_heads": 2' '"num_key_value_heads": 3'
refuse "4 heads of attention can't share 3 heads" $compile
change '"hidden_size": 32,' ''
refuse 'config.json: hidden_size: want it to be there' $compile
change '"rope_type": "default"' '"rope_type": "dynamic"'
refuse 'config.json: rope_scaling: want one of the types' $compile
# YaRN: with its numbers as NumPy computed it; with others not.
stretch='"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 6, "beta_fast": 0.9, "beta_slow"'
change '"rope_type": "default"' "$stretch: 0.01"
agree m "$models/yarn.expected.safetensors"
change '"rope_type": "default"' "$stretch: 0.01, \"attention_factor\": 1.0"
refuse 'differs from' "$RELAX" verify-model m --expected "$models/yarn.expected.safetensors"
change '"rope_type": "default"' "$stretch: 0.1"
refuse 'differs from' "$RELAX" verify-model m --expected "$models/yarn.expected.safetensors"
change '"rope_type": "default"' "$stretch: -1"
refuse 'config.json: beta_slow: want a positive number, got -1' $compile
# A value of another kind is no default.
change '"hidden_size": 32,' '"hidden_size": 3e9,'
refuse 'config.json: hidden_size: want a whole number from 1 to 1048576, got 3e+09' $compile
change '"hidden_size": 32,' '"hidden_size": "32",'
refuse 'config.json: hidden_size: want a whole number from 1 to 1048576, got "32"' $compile
change '"rope_type": "default"' '"rope_type": 7'
refuse 'config.json: rope_type: want a text, got 7' $compile
change '"rms_norm_eps": 1e-05' '"rms_norm_eps": [1]'
refuse 'config.json: rms_norm_eps: want a positive number, got a list' $compile
change '{' '{"attention_bias": "false",'
refuse 'config.json: attention_bias: want true or false, got "false"' $compile
change '{' '{"attn_logit_softcapping": {},'
refuse 'config.json: attn_logit_softcapping: want a number, got an object' $compile
change '{' '{"partial_rotary_factor": 0.4,'
refuse 'rotary embedding turns pairs: want an even number of at most all 8 elements of a head, got 3' $compile
change '{' '['
refuse 'm/config.json: byte' $compile
echo "no numbers at all" >notes
refuse 'notes: no safetensors file, or cut off' "$RELAX" verify-model m --expected notes
rm m/config.json
refuse 'there is no config.json' $compile
rm m/model-00002-of-00002.safetensors
refuse 'm/model-00002-of-00002.safetensors' $compile
rm m/*.json
refuse 'the folder has no model.safetensors' $compile
sed 's/llama\.block_count/llama.black_count/' "$models/mixed.gguf" >other.gguf
refuse 'llama.block_count: want it to be there' "$RELAX" compile other.gguf -o m.rlx
# number KEY VALUE: other.gguf is the model with another whole number of 32 bits.
number() {
    python3 - "$models/mixed.gguf" "$1" "$2" <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(sys.argv[2].encode()) + len(sys.argv[2])
data[at + 4 : at + 8] = struct.pack("<I", int(sys.argv[3]))
open("other.gguf", "wb").write(data)
END
}
number llama.block_count 100000
refuse 'llama.block_count: want a whole number from 1 to 4096, got 100000' "$RELAX" compile other.gguf -o m.rlx
number llama.rope.dimension_count 3
refuse 'rotary embedding turns pairs: want an even number of at most all' "$RELAX" compile other.gguf -o m.rlx
sed 's/blk\.1\.attn_q\.weight/blk.1.attn_x.weight/' "$models/mixed.gguf" >other.gguf
refuse 'there is no tensor blk.1.attn_q.weight' "$RELAX" compile other.gguf -o m.rlx
printf 'GGUF\003\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >empty.gguf
refuse 'empty.gguf: there are no tensors: a vocabulary alone' "$RELAX" compile empty.gguf -o m.rlx
"$RELAX" import --check empty.gguf | grep -q '^nothing to compile: a vocabulary alone' || fail "a file without tensors"
[ ! -e m.rlx ] || fail "something was written"

# A wrong number is found, and where. An .rlx that is there is checked as it is.
change '"rms_norm_eps": 1e-05' '"rms_norm_eps": 1e-03'
refuse 'm differs from' "$RELAX" verify-model m --expected "$models/sharded.expected.safetensors"
grep -q 'hidden.0 .*ok$' out && grep -q 'hidden.1 .*more than' out || { cat out; exit 1; }
"$RELAX" compile "$models/sharded" -o m.rlx --target cpu:host --context 20 --batch 11
"$RELAX" verify-model m.rlx --expected "$models/sharded.expected.safetensors" >out
[ "$(grep -c 'ok$' out)" = 3 ] || { cat out; exit 1; }
# Compiled as `relax compile` does by itself, a quantised model has a cache of float16 and rounds activations.
"$RELAX" compile "$models/mixed.gguf" -o m.rlx --target cpu:host --context 20 --batch 11
"$RELAX" inspect m.rlx | grep -q 'k_pages.*float16' || { "$RELAX" inspect m.rlx; exit 1; }
"$RELAX" verify-model m.rlx --expected "$models/mixed.expected.safetensors" --tolerance 0.1 >out || { cat out; exit 1; }
refuse 'differs from' "$RELAX" verify-model m.rlx --expected "$models/mixed.expected.safetensors"

# Activations of float16 cost a hundredth of what int8 does, and the cache is float16 as well.
"$RELAX" compile "$models/mixed.gguf" -o m.rlx --target cpu:host --context 20 --batch 11 --activations f16
"$RELAX" inspect m.rlx | grep -q 'k_pages.*float16' || { "$RELAX" inspect m.rlx; exit 1; }
"$RELAX" verify-model m.rlx --expected "$models/mixed.expected.safetensors" --tolerance 0.001 >out || { cat out; exit 1; }
refuse 'differs from' "$RELAX" verify-model m.rlx --expected "$models/mixed.expected.safetensors"
