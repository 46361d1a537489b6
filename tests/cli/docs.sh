# Every command that README.md, CONTRIBUTING.md and docs/*.md show runs and says what the page says (transcripts.py); a
# block that is not run says why.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELEASE/relax"
mkdir "$dir/bin"
ln -s "$RELEASE/relax" "$dir/bin/relax"
ln -s /usr/bin/python3 "$dir/bin/python3" # Debian's, which has NumPy: another one may come first in PATH
export PATH="$dir/bin:$PATH" HOME="$dir" XDG_CACHE_HOME="$dir/cache"
unset ASAN_OPTIONS UBSAN_OPTIONS

# What must be refused is: another output, a command that fails, a block without a good reason not to run.
refused() {
    printf "$1" >"$dir/page.md"
    ! python3 "$SRC/tests/cli/transcripts.py" "$dir/page.md" >"$dir/out" 2>&1 || fail "taken: $1"
    ! grep -q Traceback "$dir/out" || { cat "$dir/out"; exit 1; }
}
refused '```\n$ echo a\nb\n```\n'
refused '```\n$ echo a\n```\n'
refused '```\n$ echo a; echo b\n...\na\n```\n'
refused '```\na\n$ echo a\n```\n'
refused '```\nrelax nonsense\n```\n'
refused '```sh\nrelax --version; exit 1\n```\n'
refused '```sh\nfalse\n```\n'
refused '```\n$ kill -SEGV $$\n...\n```\n'
refused '<!-- unchecked: no -->\n```\nrelax --version\n```\n'
refused '<!-- checked by: tests/nothing.sh -->\n```\nrelax --version\n```\n'
printf '```\n$ echo a; echo b; echo c\na\n...\n$ echo 1.5 s; exit 1\n... s\n$ true\n```\n' >"$dir/page.md"
python3 "$SRC/tests/cli/transcripts.py" "$dir/page.md" >/dev/null

python3 "$SRC/tests/cli/transcripts.py" "$SRC/README.md" "$SRC/CONTRIBUTING.md" "$SRC"/docs/*.md
