#!/bin/sh
# relax verify-model: small checkpoints of the Llama family, as folders and as GGUF files, against what Transformers
# computed; and what is said of checkpoints that are no model.
set -eu
tiny=${RELAX_TEST_DATA:-}/tiny
[ -d "$tiny/llama" ] || { echo "no $tiny"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for model in llama llama3 mistral llama/model.f32.gguf llama3/model.f32.gguf; do
    "$RELAX" verify-model "$tiny/$model" --expected "$tiny/${model%%/*}/expected.safetensors" >out ||
        { cat out; echo "$model: differs"; exit 1; }
    [ "$(grep -c 'ok$' out)" = 6 ] || { cat out; echo "$model: a line is missing"; exit 1; }
done

# refuse WORDS COMMAND...: exit code 1, and the words on stderr.
refuse() {
    words=$1
    shift
    code=0
    "$@" >out 2>err || code=$?
    [ $code = 1 ] || { echo "exit code $code: $*"; cat out err; exit 1; }
    grep -qF "$words" err || { echo "want '$words' from $*, got:"; cat err; exit 1; }
}


# change FROM TO: the llama folder with another configuration.
change() {
    rm -rf m
    mkdir m
    cp "$tiny/llama/model.safetensors" m/
    sed "s/$1/$2/" "$tiny/llama/config.json" >m/config.json
}

compile="$RELAX compile m -o m.rlx"
change LlamaForCausalLM Qwen2ForCausalLM
refuse 'architecture Qwen2ForCausalLM is not known here' $compile
change '"num_hidden_layers": 2' '"num_hidden_layers": 3'
refuse 'there is no tensor model.layers.2.mlp.down_proj.weight' $compile
change '"num_hidden_layers": 2' '"num_hidden_layers": 1'
refuse 'tensor model.layers.1.mlp.down_proj.weight has no place' $compile
change '"intermediate_size": 112' '"intermediate_size": 96'
refuse 'model.layers.0.mlp.gate_proj.weight is (112, 64), the model wants (96, 64)' $compile
change '"num_key_value_heads": 4' '"num_key_value_heads": 3'
refuse "4 heads of attention can't share 3 heads" $compile
change '"hidden_size": 64,' ''
refuse 'config.json: hidden_size: want it to be there' $compile
change '"rope_scaling": null' '"rope_scaling": {"type": "yarn", "factor": 2}'
refuse 'config.json: rope_scaling: want one of the types' $compile
change '{' '['
refuse 'm/config.json: byte' $compile
rm m/config.json
refuse 'there is no config.json' $compile
rm m/model.safetensors
refuse 'the folder has no model.safetensors' $compile
refuse 'architecture qwen2 is not known here' "$RELAX" compile "$tiny/qwen2/model.f32.gguf" -o m.rlx
[ ! -e m.rlx ] || { echo "something was written"; exit 1; }

# A wrong number is found, and where.
change '"rms_norm_eps": 1e-05' '"rms_norm_eps": 1e-03'
refuse 'm differs from' "$RELAX" verify-model m --expected "$tiny/llama/expected.safetensors"
grep -q 'hidden.0 .*ok$' out && grep -q 'hidden.1 .*more than' out || { cat out; exit 1; }
