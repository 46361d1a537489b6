# GGUF files that lie: whichever verb is given one says so in one line and exits with 1.
set -eu
. "$SRC/tests/support/shell.sh"
files=${RELAX_TEST_DATA:-}/hostile/gguf
[ -d "$files" ] || skip "no $files"
export RELAX_CACHE="$dir/cache"
echo '[{"role": "user", "content": "hello"}]' >messages.json

# refused FILE COMMAND...
refused() {
    file=$1 code=0
    shift
    "$RELAX" "$@" >out 2>err </dev/null || code=$?
    [ $code -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF "$(basename "$file")" err ||
        { echo "$*: exit $code"; cat out err; exit 1; }
}

for file in "$files"/*.gguf; do
    refused "$file" import --check "$file"
    refused "$file" compile "$file" -o made.rlx
    refused "$file" chat "$file"
    refused "$file" generate "$file" hello
    refused "$file" perplexity "$file" messages.json
    refused "$file" tokenize "$file" hello
    refused "$file" template "$file" messages.json
done
[ ! -e made.rlx ] || fail "a file is left"
[ -z "$(ls cache 2>/dev/null | grep "\.rlx$")" ] || fail "in the cache: $(ls cache)"
