# Each family of decoders: its tiny checkpoint, as a folder and as a GGUF file, against what Transformers computed.
set -eu
. "$SRC/tests/support/shell.sh"
tiny=${RELAX_TEST_DATA:-}/tiny
[ -d "$tiny/llama" ] || skip "no $tiny"

# agree MODEL: every line says ok.
cat >"$dir/agree" <<'END'
folder=${1%/model.f32.gguf}
out=$("$RELAX" verify-model "$1" --expected "$folder/expected.safetensors" 2>&1) || { echo "$1: $out"; exit 1; }
[ "$(echo "$out" | grep -c 'ok$')" -ge 6 ] || { echo "$1: a line is missing: $out"; exit 1; }
END

for model in llama llama3 mistral qwen2 qwen3 gemma gemma2 gemma3_text phi3 phi3_longrope mixtral qwen2_moe qwen3_moe \
    gpt_neox_pythia gpt_neox_redpajama; do
    echo "$tiny/$model"
    [ ! -e "$tiny/$model/model.f32.gguf" ] || echo "$tiny/$model/model.f32.gguf"
done | xargs -P 2 -n 1 sh "$dir/agree"
