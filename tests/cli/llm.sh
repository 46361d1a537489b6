# A small language model from its GGUF file: compiled, asked, measured; the same text however it is cut and threaded;
# everything that is wrong with input in one message.
set -eu
. "$SRC/tests/support/shell.sh"
export RELAX_CACHE="$dir/cache"
tiny="$SRC/tests/data/llm/make_tiny.py"

# --- Compiling: the plan is printed, a limit names what to change and leaves no file.
python3 "$tiny" tiny.gguf
"$RELAX" compile tiny.gguf -o tiny.rlx --target cpu:host >plan
grep -qE '^memory: weights [0-9.]+ KiB, cache [0-9.]+ KiB for 128 tokens, activations .* for batches of 512 tokens$' plan || fail "$(cat plan)"
# A long signature is a parameter a line.
"$RELAX" inspect tiny.rlx >out
grep -qx 'language model Tiny, llama: 2 layers, 262 tokens, context of 128; tokenizer: yes; chat template: yes' out || fail "$(cat out)"
grep -qx '    k_pages_0 ... k_pages_1: R.Tensor(.*  (donated)' out || fail "$(cat out)"
# Weights have the checkpoint's names; those of equal layers share a line.
grep -q '^  blk\.\*\.attn_q\.weight.*  2 times ' out && ! grep -q 'blk\.1\.' out || fail "$(cat out)"
"$RELAX" inspect tiny.rlx --weights | grep -q '^  blk\.1\.attn_q\.weight' || fail "--weights"
grep -qx '    tokens: R.Tensor((t,), dtype="int32")' out && grep -q '^    and [0-9]* weights, listed below$' out || fail "$(cat out)"
grep -qE '^    R.Tensor\(.*\), [0-9]+ times$' out || fail "$(cat out)"
refused 1 'than the limit of 100 KiB: weights' "$RELAX" compile tiny.gguf -o no.rlx --target cpu:host --mem-limit 100K
refused 1 'a lower --context makes the cache smaller' "$RELAX" compile tiny.gguf -o no.rlx --target cpu:host --mem-limit 100K
refused 2 'want a size' "$RELAX" compile tiny.gguf -o no.rlx --mem-limit lots
ls no.rlx* 2>/dev/null && fail "a file is left"
"$RELAX" compile tiny.gguf -o small.rlx --target cpu:host --batch 8 >/dev/null
# Logits are wanted of few tokens: rows of them for a whole batch would be most of the activations.
"$RELAX" compile tiny.gguf -o wide.rlx --target cpu:host --logit-rows 512 | sed 's/.*activations \([0-9]*\).*/\1/' >wide
[ "$(cat wide)" -gt "$(sed 's/.*activations \([0-9]*\).*/\1/' plan)" ] || fail "rows of logits: $(cat plan wide)"
# The cache is given out in pages of 16 tokens; more than was asked for is said.
"$RELAX" compile tiny.gguf -o no.rlx --target cpu:host --context 20 2>err >out && rm no.rlx
grep -qx 'relax: note: a context of 20 tokens becomes 32, whole pages of 16' err && grep -q 'for 32 tokens' out || fail "$(cat out err)"
"$RELAX" compile tiny.gguf -o short.rlx --target cpu:host --context 32 --mem-limit 10M >/dev/null

# --- Greedy: the same ids in one piece, in chunks of 8, from the cache folder, with any number of threads.
prompt="256 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"
ids=$("$RELAX" generate tiny.rlx --ids "$prompt" -n 12 --ignore-end)
[ "$(echo "$ids" | wc -w)" -eq 12 ] || fail "want 12 ids, got $ids"
equal "$ids" "$("$RELAX" generate small.rlx --ids "$prompt" -n 12 --ignore-end)"
equal "$ids" "$("$RELAX" generate tiny.gguf --ids "$prompt" -n 12 --ignore-end)"
equal "$ids" "$("$RELAX" generate tiny.rlx --ids "$prompt" -n 12 --ignore-end --threads 1)"
equal "$ids" "$("$RELAX" generate tiny.rlx --ids "$prompt" -n 12 --ignore-end --temperature 0.9 --top-k 1)"
# The model's own continuation taken as prompt gives what followed.
first=$(echo "$ids" | cut -d' ' -f1-5) rest=$(echo "$ids" | cut -d' ' -f6-)
equal "$rest" "$("$RELAX" generate tiny.rlx --ids "$prompt $first" -n 7 --ignore-end)"

# --- Sampling repeats by seed, whatever the threads.
hot=$("$RELAX" generate tiny.rlx hello -n 40 --temperature 1.5 --seed 3 --ignore-end)
equal "$hot" "$("$RELAX" generate tiny.rlx hello -n 40 --temperature 1.5 --seed 3 --ignore-end --threads 1)"
equal "$hot" "$(printf hello | "$RELAX" generate tiny.gguf - -n 40 --temperature 1.5 --seed 3 --ignore-end)"
[ "$hot" != "$("$RELAX" generate tiny.rlx hello -n 40 --temperature 1.5 --seed 4 --ignore-end)" ] || fail "a seed does nothing"

# --- On numbers of tokens the text comes as well, if the model has texts.
"$RELAX" generate tiny.rlx --ids "256 258" -n 4 --json --ignore-end >answer.json
"$RELAX" generate tiny.rlx hello -n 2 --json | grep -qF '"token": "�", "bytes": [' || fail "a token that is half a character has no bytes"
python3 -c 'import json; a = json.load(open("answer.json")); assert a["text"] == "".join(t["token"] for t in a["tokens"]), a'
models="$SRC/tests/data/models"
"$RELAX" compile "$models/mixed.gguf" -o mute.rlx --target cpu:host >/dev/null
"$RELAX" generate mute.rlx --ids "1 2" -n 2 --json | grep -q '"text": null'
refused 1 'no tokenizer (--ids takes numbers of tokens)' "$RELAX" generate mute.rlx hello
refused 1 'no tokenizer (--ids takes numbers of tokens)' "$RELAX" perplexity mute.rlx "$tiny"

# --- JSON, log-probabilities, ways to finish.
"$RELAX" generate tiny.rlx hello -n 4 --json --logprobs 3 --ignore-end >answer.json
python3 - answer.json <<'PY'
import json, math, sys
a = json.load(open(sys.argv[1]))
assert a["finish"] == "length" and len(a["tokens"]) == 4 and a["prompt_tokens"] == 1, a
for t in a["tokens"]:
    top = [c["logprob"] for c in t["top"]]
    assert len(top) == 3 and top == sorted(top, reverse=True) and t["id"] == t["top"][0]["id"], t
    assert sum(map(math.exp, top)) <= 1.0001, t
PY
equal "$(echo "$ids" | cut -d' ' -f1-3)" "$("$RELAX" generate tiny.rlx --ids "$prompt" -n 3 --ignore-end)"
"$RELAX" generate short.rlx --ids "$prompt" -n 100 --ignore-end --json >full.json
grep -q '"finish": "context"' full.json || fail "$(cat full.json)"
"$RELAX" generate tiny.rlx --ids "$prompt" -n 100 --ignore-end --json --context 48 | grep -q '"finish": "context"'
"$RELAX" generate tiny.rlx --ids "$prompt" -n 100 --ignore-end --context 48 2>&1 >/dev/null |
    grep -qx 'relax: note: the text ends because the context of 48 tokens is full' || fail "no word of a full context"

# --- Perplexity: of the model's own text better than of another; in windows; on ids.
echo "$prompt $ids" >own.ids
echo "$prompt 7 77 177 7 77 177 7 77 177 7 77 177" >other.ids
own=$("$RELAX" perplexity tiny.rlx own.ids --ids --json | sed 's/.*"perplexity": \([0-9]*\).*/\1/')
other=$("$RELAX" perplexity tiny.rlx other.ids --ids --json | sed 's/.*"perplexity": \([0-9]*\).*/\1/')
[ "$own" -lt "$other" ] || fail "perplexity: own $own, other $other"
equal "$("$RELAX" perplexity tiny.rlx own.ids --ids)" "$("$RELAX" perplexity small.rlx own.ids --ids)"
"$RELAX" perplexity tiny.rlx "$tiny" --window 64 --json | grep -q '"window": 64'
"$RELAX" bench tiny.rlx -p 16 -n 4 -r 2 >table && grep -q 'pp16' table || fail "no table"
[ "$(awk '{ print length }' table | sort -u | wc -l)" -eq 1 ] || fail "columns: $(cat table)"
"$RELAX" bench tiny.rlx -p 16 -n 4 -r 2 --json | python3 -c 'import json, sys; assert len(json.load(sys.stdin)) == 2'

# --- A conversation from a pipe: each line is answered, commands work, the cached beginning changes nothing.
printf 'hello\n\nhe\n/stats\n' | "$RELAX" chat tiny.gguf --temperature 0 -n 8 >talk 2>note || fail "$(cat note)"
grep -q '^conversation: [0-9]* of 128 tokens$' talk || fail "$(cat talk)"
printf 'hello\n/reset\nhello\n' | "$RELAX" chat tiny.rlx --temperature 0 -n 8 >twice 2>/dev/null
half=$(($(wc -c <twice) / 2))
[ "$(head -c $half twice)" = "$(tail -c $half twice)" ] || fail "after /reset the answer is another: $(cat twice)"
printf '/help\n/exit\nnever said\n' | "$RELAX" chat tiny.rlx >talk
grep -q '/reset   forget' talk || fail "$(cat talk)"

# 0 experts are none.
python3 "$tiny" dense.gguf dense
equal "$ids" "$("$RELAX" generate dense.gguf --ids "$prompt" -n 12 --ignore-end)"
rm cache/dense*
# Stop strings are written as in C: of wild texts the first with a line break, which ends before it then.
wild="generate tiny.rlx hello -n 120 --ignore-end --temperature 50 --top-k 0 --top-p 1 --min-p 0 --json --seed"
for seed in 6 9 $(seq 40); do
    "$RELAX" $wild "$seed" >wild
    grep -qF '\n' wild && break
done
"$RELAX" $wild "$seed" --stop '\n' >stopped
python3 - <<'PY' || fail "$(cat wild stopped)"
import json
whole, stopped = (json.load(open(name)) for name in ("wild", "stopped"))
assert "\n" in whole["text"] and stopped["text"] == whole["text"].split("\n")[0] and stopped["finish"] == "stop"
PY

# --- Weights that are no numbers: said, not written into JSON.
python3 "$tiny" nan.gguf nan
refused 1 'the model gives logits that are no finite numbers, at token 1 of the answer' "$RELAX" generate nan.gguf hello -n 3 --json --logprobs 2
refused 1 'no finite numbers' "$RELAX" generate nan.gguf hello -n 3
refused 1 'nan.gguf: of token 2 of the text (1) the model gives no probability' "$RELAX" perplexity nan.gguf own.ids --ids --json
rm cache/nan*

# --- Bad input.
for fault in architecture missing shape tokenizer vocabulary type; do
    python3 "$tiny" $fault.gguf $fault
done
refused 1 'architecture mamba' "$RELAX" compile architecture.gguf -o no.rlx
refused 1 'there is no tensor blk.1.ffn_up.weight' "$RELAX" compile missing.gguf -o no.rlx
refused 1 "tokenizer model 'runes' is not supported" "$RELAX" compile tokenizer.gguf -o no.rlx
refused 1 'the tokenizer has 263 tokens, the model 262' "$RELAX" compile vocabulary.gguf -o no.rlx
refused 1 'the tokenizer has 263 tokens, the model 262' "$RELAX" chat vocabulary.gguf
refused 1 "blk.1.ffn_up.weight is (65, 32), the model wants (64, 32)" "$RELAX" compile shape.gguf -o no.rlx
refused 1 'q8_1' "$RELAX" compile type.gguf -o no.rlx
ls no.rlx 2>/dev/null && fail "a file is left"
[ "$(ls cache | grep -c "\.rlx$")" -eq 1 ] || fail "in the cache: $(ls cache)"
touch -d '2020-01-01' tiny.gguf # another file for all one can see: compiled anew, the old one goes
equal "$ids" "$("$RELAX" generate tiny.gguf --ids "$prompt" -n 12 --ignore-end)"
[ "$(ls cache | grep -c "\.rlx$")" -eq 1 ] || fail "in the cache: $(ls cache)"
# So it goes when another file changes that is read with it: a part, the configuration beside the weights.
split=split-00001-of-00002.gguf
python3 "$tiny" $split split
equal "$ids" "$("$RELAX" generate $split --ids "$prompt" -n 12 --ignore-end)"
python3 "$tiny" $split split 2 # other weights, the same first file
touch -d '2020-01-01' split-00001-of-00002.gguf
"$RELAX" generate $split --ids "$prompt" -n 12 --ignore-end >first
python3 "$tiny" $split split
touch -d '2020-01-01' split-00001-of-00002.gguf
equal "$ids" "$("$RELAX" generate $split --ids "$prompt" -n 12 --ignore-end)"
[ "$(cat first)" != "$ids" ] || fail "other weights give the same"
[ "$(ls cache | grep -c "^split.*\.rlx$")" -eq 1 ] || fail "in the cache: $(ls cache)"
hub="$SRC/tests/data/llm/hub_model.py"
python3 "$hub" hub 262
"$RELAX" generate hub/model.safetensors --ids "$prompt" -n 12 --ignore-end >first
python3 "$hub" other 262 rope_theta=7.0
cp other/config.json hub
"$RELAX" generate hub/model.safetensors --ids "$prompt" -n 12 --ignore-end >second
[ "$(cat first)" != "$(cat second)" ] || fail "another config.json gives the same"
[ "$(ls cache | grep -c "^model.safetensors.*\.rlx$")" -eq 1 ] || fail "in the cache: $(ls cache)"
rm cache/split* cache/model*
# Each arithmetic has its own file there.
refused 2 '--activations: want int8, f16 or f32' "$RELAX" generate tiny.gguf hello --activations f64
refused 2 'has been compiled' "$RELAX" generate tiny.rlx hello --activations f32
"$RELAX" generate tiny.gguf --ids "$prompt" -n 12 --activations f32 --ignore-end >/dev/null
"$RELAX" generate tiny.gguf --ids "$prompt" -n 12 --activations f32 --context 64 --ignore-end >/dev/null
[ "$(ls cache | grep -c "\.rlx$")" -eq 3 ] || fail "in the cache: $(ls cache)"
# The text ends of a compiled model, and of nothing but a vocabulary.
equal "259 33 256" "$("$RELAX" tokenize tiny.rlx 'hello!he')"
equal "$("$RELAX" tokenize tiny.gguf 'hello!he')" "$("$RELAX" tokenize tiny.rlx 'hello!he')"
echo '[{"role": "user", "content": "hello"}]' >messages.json
equal "$("$RELAX" template tiny.gguf messages.json)" "$("$RELAX" template tiny.rlx messages.json)"

python3 "$tiny" template.gguf template
refused 1 "the tag 'block' is not supported" "$RELAX" chat template.gguf
refused 1 "template.gguf: template, line 1: the tag 'block' is not supported" "$RELAX" template template.gguf messages.json
# What doesn't fit is said in tokens, with what to do: a larger option, a larger compilation.
long="$(seq -s' ' 1 129)"
refused 1 'the prompt has 129 tokens, more than the context of 128: make it shorter, or compile the model with a larger' \
    "$RELAX" generate tiny.rlx --ids "$long"
refused 1 'more than the context of 128: make it shorter, or give a larger --context' "$RELAX" generate tiny.gguf --ids "$long"
refused 1 'the context of 48: make it shorter, or give a larger --context (the file has up to 128)' \
    "$RELAX" generate tiny.rlx --context 48 --ids "$long"
refused 1 'the test has 500 tokens, more than the context of 128' "$RELAX" bench tiny.rlx -p 500 -n 0
! "$RELAX" bench tiny.rlx -p 0 -n 40 --sequences 9 2>err && grep -q 'the cache is full: of its 128 tokens' err || fail "$(cat err)"
# Bounds that make no sense are told.
"$RELAX" compile tiny.gguf -o no.rlx --target cpu:host --context 256 2>err >/dev/null && rm no.rlx
grep -q 'a context of 256 is asked for, but the model was trained for 128 tokens' err || fail "$(cat err)"
refused 2 '--logit-rows is 513, but a batch has 512 tokens' "$RELAX" compile tiny.gguf -o no.rlx --logit-rows 513
refused 2 '--logit-rows is 9, but a batch has 8 tokens' "$RELAX" compile tiny.gguf -o no.rlx --batch 8 --logit-rows 9
refused 1 't is at least 8 in `forward`: single tokens need a bound from 1' "$RELAX" compile tiny.gguf -o no.rlx --bound t=8..16
[ ! -e no.rlx ] || fail "a file that can't be run is left"
"$RELAX" compile tiny.gguf -o few.rlx --target cpu:host --bound g=2 | grep -q 'for 32 tokens' || fail "g=2"
"$RELAX" generate few.rlx hello -n 60 --ignore-end >out 2>err && grep -q 'the context of 32 tokens is full' err || fail "$(cat err)"
refused 1 'the prompt is empty' "$RELAX" generate tiny.rlx ''
refused 1 'the prompt is empty' "$RELAX" generate tiny.rlx
refused 1 'the prompt is empty' "$RELAX" generate tiny.rlx --ids ' '
refused 1 'UTF-8' "$RELAX" generate tiny.rlx "$(printf '\377')"
refused 2 "--max-tokens: want a whole number, 1 or more, got '0'" "$RELAX" generate tiny.rlx hello -n 0
refused 1 'there is no token 262: the model has 262, from 0' "$RELAX" generate tiny.rlx --ids 262
refused 1 'want token ids' "$RELAX" generate tiny.rlx --ids hello
refused 2 '--stop: want a text to stop before, got an empty one' "$RELAX" generate tiny.rlx hello --stop ''
refused 2 '--temperature is -1; want 0 to 100' "$RELAX" generate tiny.rlx hello --temperature -1
refused 2 "got 'nan'" "$RELAX" generate tiny.rlx hello --top-p nan
refused 2 '--logprobs wants --json' "$RELAX" generate tiny.rlx hello --logprobs 3
refused 2 '--dim is for modules; tiny.rlx is a language model' "$RELAX" bench tiny.rlx --dim n=1
refused 2 '--surface is for modules' "$RELAX" bench tiny.gguf --surface x.svg
refused 2 '--prompt is for language models; tiny.rlx is measured as a module because of --func' "$RELAX" bench tiny.rlx --func forward -p 8
refused 2 'nothing to measure' "$RELAX" bench tiny.rlx -p 0 -n 0
refused 1 'which `relax run` and `relax inspect` read' "$RELAX" opt tiny.rlx --pass FuseOps
refused 1 'which `relax compile` and `relax import` read' "$RELAX" plan tiny.gguf
echo text >text.gguf
refused 1 "doesn't begin with GGUF" "$RELAX" template text.gguf -
echo text >no-model.txt
refused 1 'no-model.txt: want an .rlx or .gguf file, or a folder with tokenizer.json' "$RELAX" tokenize no-model.txt hello
# A download that ended early.
for size in 500 3000 $(($(wc -c <tiny.gguf) - 100)); do
    head -c "$size" tiny.gguf >cut.gguf
    refused 1 'was it cut off?' "$RELAX" chat cut.gguf
done
refused 1 'compiled for 128 tokens' "$RELAX" generate tiny.rlx hello --context 256
refused 1 'tiny.rlx' "$RELAX" generate tiny.rlx hello --mem-limit 100K
refused 1 'missing.rlx' "$RELAX" generate missing.rlx hello
refused 1 'want an .rlx or .gguf file' "$RELAX" generate "$tiny" hello
refused 1 'too few' "$RELAX" perplexity tiny.rlx /dev/null
# From a pipe, what can't be answered doesn't keep the next line from its answer; the exit code tells.
for bad in 'he\0llo' '\377' '/nothing' "$(printf '%0200d' 0)"; do
    printf "$bad\nhello\n" | "$RELAX" chat tiny.rlx --temperature 0 -n 8 >talk 2>err && fail "exit 0 after '$bad'"
    [ "$(grep -c '^relax: error:' err)" -eq 1 ] || fail "not one message: $(cat err)"
    [ "$(head -c "$half" twice)" = "$(cat talk)" ] || fail "after '$bad' the answer is $(cat talk)"
done
printf 'he\0llo\n' | "$RELAX" chat tiny.rlx 2>err && fail "a zero byte is taken"
grep -q 'UTF-8' err || fail "$(cat err)"
refused 1 '--system: the text is not UTF-8' "$RELAX" chat tiny.rlx --system "$(printf '\377')"
refused 1 '.: the folder has no model.safetensors' "$RELAX" chat .
# A disk that is full while weights are written: what failed, and nothing is left.
(ulimit -f 1 && trap '' XFSZ && refused 1 "can't write it: File too large" "$RELAX" compile tiny.gguf -o no.rlx --target cpu:host) ||
    fail "a full disk: $(cat err)"
[ ! -e no.rlx ] || fail "a file is left"
printf '\377\n' | "$RELAX" chat tiny.rlx 2>err && fail "bytes that are no text are taken"
grep -q 'UTF-8' err || fail "$(cat err)"
printf '%0200d\n' 0 | "$RELAX" chat tiny.rlx 2>err && fail "a message longer than the context is taken"
grep -q 'more than the context of 128' err || fail "$(cat err)"
if [ -w /dev/full ]; then
    "$RELAX" generate tiny.rlx hello -n 9 >/dev/full 2>err && fail "a full disk is no error"
    [ "$(wc -l <err)" -eq 1 ] && grep -q "can't write to stdout" err || fail "$(cat err)"
fi
