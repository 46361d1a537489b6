# Every command that README.md, CONTRIBUTING.md and docs/*.md show runs and says what the page says (transcripts.py); a
# block that is not run says why.
set -eu
relax=$RELAX
[ ! -x "$RELEASE/relax" ] || relax=$RELEASE/relax
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
ln -s "$relax" "$dir/bin/relax"
export PATH="$dir/bin:$PATH" HOME="$dir" XDG_CACHE_HOME="$dir/cache"
unset RELAX_NUM_THREADS
# What must fail does.
page() { printf "$1" >"$dir/page.md"; ! python3 "$SRC/tests/cli/transcripts.py" "$dir/page.md" >"$dir/out" || { echo "taken: $1"; exit 1; }; }
page '```\n$ echo a\nb\n```\n'
page '```\nrelax nonsense\n```\n'
page '```sh\nrelax --version; exit 1\n```\n'
page '<!-- unchecked: no -->\n```\nrelax --version\n```\n'
page '<!-- checked by: tests/nothing.sh -->\n```\nrelax --version\n```\n'
page '```\n$ echo a; echo b\n...\na\n```\n'
printf '```\n$ echo a; echo b; echo c\na\n...\n$ echo 1.5 s; exit 1\n... s\n$ true\n```\n' >"$dir/page.md"
python3 "$SRC/tests/cli/transcripts.py" "$dir/page.md" >/dev/null
python3 "$SRC/tests/cli/transcripts.py" "$SRC/README.md" "$SRC/CONTRIBUTING.md" "$SRC"/docs/*.md
