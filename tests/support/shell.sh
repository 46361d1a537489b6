# shell.sh - what the shell tests share; each reads it first: . "$SRC/tests/support/shell.sh". It leaves the test in an
# empty folder, $dir, that goes when the test ends.
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

skip() { echo "skipped: $*"; exit 77; }

# need PROGRAM...: skips the test without them; a program is a name or a path.
need() {
    for program in "$@"; do command -v "$program" >/dev/null || skip "no $program"; done
}

fail() { echo "$*"; exit 1; }

# A test that goes on after failures counts them with `wrong` and ends with `finish`.
wrong() { echo "$*"; failures=$((failures + 1)); }
finish() { exit $((failures > 0)); }

# want CODE TEXT ARGUMENT...: the exit code of $RELAX, and text that stdout and stderr together must hold. Counted.
want() {
    code=$1 text=$2 status=0
    shift 2
    got=$("$RELAX" "$@" 2>&1 </dev/null) || status=$?
    case $got in
    *"$text"*) [ $status -ne "$code" ] || return 0 ;;
    esac
    wrong "${RELAX##*/} $*: want $code and '$text', got $status: $got"
}

# refused CODE TEXT COMMAND...: one line on stderr that holds TEXT (several lines for wrong usage, code 2), nothing on stdout.
refused() {
    code=$1 text=$2 status=0
    shift 2
    "$@" >out 2>err </dev/null || status=$?
    [ $status -eq "$code" ] || fail "$*: exit $status, want $code: $(cat err)"
    [ ! -s out ] || fail "$*: prints $(cat out)"
    [ "$code" -eq 2 ] || [ "$(wc -l <err)" -eq 1 ] || fail "$*: not one message: $(cat err)"
    grep -qF -- "$text" err || fail "$*: want '$text', got: $(cat err)"
}

# equal WANTED GOT: the same text.
equal() {
    [ "$2" = "$1" ] || fail "want: $1
got:  $2"
}
