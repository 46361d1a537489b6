# Folders in Hugging Face's layout, with their tokenizer and chat template: from tokenizer.json to a conversation, the
# same ids as from a GGUF file with the same vocabulary, and what can't be served by name.
set -eu
. "$SRC/tests/support/shell.sh"
need python3
export RELAX_CACHE="$dir/cache"
scripts="$SRC/tests/data/llm"

# --- The same vocabulary as a GGUF file and as a folder.
python3 "$scripts/make_tiny.py" tiny.gguf
python3 "$scripts/hub_model.py" model 262
python3 "$scripts/hub_tokenizer.py" tiny.gguf model
text='hello 12  he!
	é😀<|im_end|>llhe'
equal "$("$RELAX" tokenize tiny.gguf --special "$text")" "$("$RELAX" tokenize model --special "$text")"
equal "$("$RELAX" tokenize tiny.gguf "$text")" "$("$RELAX" tokenize model/model.safetensors "$text")"
echo '[{"role": "user", "content": "hello"}]' >messages.json
"$RELAX" template tiny.gguf messages.json >wanted
"$RELAX" template model messages.json | cmp - wanted

# --- Compiled, it talks; from the folder itself as well, which is compiled anew when a file in it changes.
"$RELAX" import --check model >/dev/null || fail "import finds problems"
"$RELAX" compile model -o model.rlx --target cpu:host >/dev/null 2>err
[ ! -s err ] || fail "$(cat err)"
equal "$("$RELAX" tokenize model "$text")" "$("$RELAX" tokenize model.rlx "$text")"
said=$(printf 'hello\n' | "$RELAX" chat model.rlx --temperature 0 -n 12 2>/dev/null)
[ -n "$said" ] || fail "no answer"
equal "$said" "$(printf 'hello\n' | "$RELAX" chat model/ --temperature 0 -n 12 2>/dev/null)"
equal "$("$RELAX" generate model.rlx hello -n 9)" "$("$RELAX" generate model hello -n 9)"
sed 's/assistant/helper/' model/tokenizer_config.json >changed && cp changed model/tokenizer_config.json
"$RELAX" template model messages.json | grep -q 'helper' || fail "the template is an old one"
printf 'hello\n' | "$RELAX" chat model --temperature 0 -n 12 >/dev/null 2>&1
[ "$(ls cache | grep -c "\.rlx$")" -eq 1 ] || fail "in the cache: $(ls cache)"
"$RELAX" inspect "cache/$(ls cache | grep "\.rlx$")" >/dev/null
"$RELAX" template "cache/$(ls cache | grep "\.rlx$")" messages.json | grep -q 'helper' || fail "an old file in the cache"
# A template in a file of its own comes first.
printf 'own: {{ messages[0].content }}' >model/chat_template.jinja
equal 'own: hello' "$("$RELAX" template model messages.json)"
# Two tokens that end an answer: the configuration of generation knows the second.
echo '{"eos_token_id": [261, 33]}' >model/generation_config.json
"$RELAX" compile model -o ends.rlx --target cpu:host >/dev/null
"$RELAX" generate ends.rlx --ids 33 -n 1 --json >/dev/null

# --- Without a tokenizer it works on numbers, and says so. Tokens that the model has no rows for are left out.
python3 "$scripts/hub_model.py" mute 262
"$RELAX" compile mute -o mute.rlx --target cpu:host >/dev/null 2>err
equal "relax: note: mute: there is no tokenizer.json, so the model will work on numbers of tokens alone" "$(cat err)"
refused 1 'no tokenizer (--ids takes numbers of tokens)' "$RELAX" generate mute.rlx hello
# What ends it stands alone: a remark on a model that can't be compiled would hide it.
cp -r mute strange
sed -i 's/LlamaForCausalLM/FooForCausalLM/' strange/config.json
for verb in compile generate; do
    refused 1 'architecture FooForCausalLM is not known here' "$RELAX" $verb strange
    "$RELAX" $verb strange 2>&1 </dev/null | grep -q tokenizer && fail "$verb: a note before the error"
done
refused 1 'no conversation with this model' "$RELAX" chat mute.rlx
python3 "$scripts/hub_model.py" short 260
python3 "$scripts/hub_tokenizer.py" tiny.gguf short
equal 1 "$("$RELAX" tokenize short --special '<|im_end|>' --json | grep -o '"<"' | wc -l)"
python3 "$scripts/hub_model.py" shorter 100
python3 "$scripts/hub_tokenizer.py" tiny.gguf shorter
refused 1 'shorter: tokenizer.json has 260 tokens, config.json says 100' "$RELAX" compile shorter -o no.rlx

# --- What can't be served, by the name of the part; nothing is compiled then.
fault() {
    python3 "$scripts/hub_model.py" bad 262
    python3 "$scripts/hub_tokenizer.py" tiny.gguf bad "$1"
    refused 1 "$2" "$RELAX" tokenize bad hello
    refused 1 "$2" "$RELAX" compile bad -o no.rlx --target cpu:host
    "$RELAX" import --check bad >out && fail "$1: import finds nothing"
    grep -qF -- "$2" out || fail "$1: import says $(cat out)"
}
fault unigram 'bad/tokenizer.json: model Unigram is not supported; BPE is'
fault normalizer 'bad/tokenizer.json: normalizer Lowercase is not supported'
fault pattern 'bad/tokenizer.json: this form of pre-tokenizer Split is not supported'
fault prefix 'bad/tokenizer.json: this form of pre-tokenizer ByteLevel is not supported'
fault merge 'model.merges: want two tokens without spaces in every merge'
fault hole 'bad/tokenizer.json: far: want the number of a token'
fault twice 'bad/tokenizer.json: again: want a number that no other token has'
fault post 'bad/tokenizer.json: post-processor BertProcessing is not supported'
head -c 1000 model/tokenizer.json >bad/tokenizer.json
refused 1 'bad/tokenizer.json: byte 1000 of the JSON' "$RELAX" compile bad -o no.rlx
[ ! -e no.rlx ] || fail "a file is left"

# --- The texts that come with llama.cpp's vocabularies, through tokenizer.json.
[ -d "$RELAX_TEST_DATA/tokenizers" ] || { echo "without $RELAX_TEST_DATA/tokenizers"; exit 0; }
cat >recorded.py <<'PY'
import os, subprocess, sys

for name in "gpt-2 starcoder llama-bpe qwen2 llama-spm".split():
    path = os.path.join(os.environ["RELAX_TEST_DATA"], "tokenizers", f"ggml-vocab-{name}.gguf")
    subprocess.run([sys.executable, sys.argv[1], path, name], check=True)
    texts = open(path + ".inp", newline="").read().split("\n__ggml_vocab_test__\n")
    wanted = open(path + ".out").read().split("\n")
    # Every ninth: each call loads the vocabulary.
    for text, want in list(zip(texts, wanted))[::9]:
        got = subprocess.run([os.environ["RELAX"], "tokenize", name, "-"], input=text.encode(), capture_output=True)
        assert got.stdout.split() == want.encode().split(), (name, text, want, got)
PY
python3 recorded.py "$scripts/hub_tokenizer.py"
