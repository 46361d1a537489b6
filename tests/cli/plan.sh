# relax plan: peaks as expressions and numbers, limits, pictures; the plan in the compiled file.
set -u
[ -x "$RELAX" ] || { echo "skipped: no relax in this build"; exit 77; }
data=$SRC/tests/data/mlp
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

want() {
    code=$1 text=$2
    shift 2
    got=$("$RELAX" "$@" 2>&1 </dev/null)
    status=$?
    if [ $status -ne "$code" ] || ! printf '%s\n' "$got" | grep -qF -e "$text"; then
        echo "relax $*: want $code and '$text', got $status: $got"
        failures=$((failures + 1))
    fi
}

want 0 "(in brackets: with every size that has no --bound as 512)" plan "$data/mlp.py"
want 0 "alloc            n * 64 bytes (32 KiB) at 0, from 1" plan "$data/mlp.py"
want 0 "peak               n * 20 + 43008 bytes (52 KiB)" plan "$data/mlp.py" --bound n=0..512 --func main
want 0 "\"lower_bound_bytes\": " plan "$data/mlp.py" --json
want 0 "peak" plan "$data/mlp.py" --svg plan.svg
grep -q "<rect" plan.svg || { echo "no boxes in the picture"; failures=$((failures + 1)); }
want 1 "main needs" plan "$data/mlp.py" --bound n=1..4096 --mem-limit 1K
want 2 "such as n=1..4096" plan "$data/mlp.py" --bound n=1..99999999999999999999
want 2 "leaves nothing to run" plan "$data/mlp.py" --bound n=0..0
want 2 "leaves nothing to run" plan "$data/mlp.py" --max x:0x4
want 1 "lower the bounds of n (--bound, --max)" plan "$data/mlp.py" --bound n=1..4096 --mem-limit 1000
want 1 "the module has no function 'no'" plan "$data/mlp.py" --func no
want 2 "--bound" plan "$data/mlp.py" --bound =3
want 0 "" compile "$data/mlp.py" -o mlp.rlx
want 0 "memory plan" inspect mlp.rlx
exit $((failures > 0))
