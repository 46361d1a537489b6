#!/bin/sh
# `relax ops` and `relax infer`: the reference page is what the tables say, pages and answers read as promised.
set -eu
"$RELAX" ops --markdown | diff -u "$SRC/docs/operators.md" - ||
    { echo "docs/operators.md is out of date: relax ops --markdown >docs/operators.md"; exit 1; }

# Every operator that computes shows an example with values; the others have a meaning of the graph alone.
lacking=$("$RELAX" ops --markdown | awk '
    /^### / { if (computes && !shown) print name; name = $2; computes = shown = 0 }
    /^Meaning: / { computes = !/^Meaning: (an instruction of the lowering|none here: refused by name)/; all += computes }
    /^Example:/ { shown = 1 }
    END { if (computes && !shown) print name; if (all < 190) print all " computing operators, want at least 190" }')
[ -z "$lacking" ] || { echo "no example with values: $lacking"; exit 1; }

want() { # want EXPECTED COMMAND...: the command's output (both streams) is exactly this
    expected=$1
    shift
    got=$("$@" 2>&1) || true
    [ "$got" = "$expected" ] || { echo "$*: want: $expected"; echo "got: $got"; exit 1; }
}
x='x=R.Tensor(("n", 4), dtype="float32")'
want 'R.Tensor((n, m), dtype="float32")' "$RELAX" infer 'R.matmul(x, w)' --var "$x" --var 'w=R.Tensor((4, "m"), dtype="float32")'
want 'R.Tensor((n * 4,), dtype="float32")' "$RELAX" infer 'R.reshape(x, (-1,))' --var "$x"
want 'R.Tensor(dtype="float32", ndim=2)' "$RELAX" infer 'R.add(x, y)' --var "$x" --var 'y=R.Tensor((m, 4), dtype="float32")'
want '{"annotation": "R.Shape([n, 4])"}' "$RELAX" infer 'R.shape_of(x)' --var "$x" --json
want 'relax: error: matmul: x1 has 4 columns, x2 has 5 rows: (n, 4) times (5, 2)' \
    "$RELAX" infer 'R.matmul(x, w)' --var "$x" --var 'w=R.Tensor((5, 2), dtype="float32")'

want "relax: error: there is no operator 'nn.sofmax'; did you mean 'nn.softmax'?" "$RELAX" ops nn.sofmax
"$RELAX" infer 'R.matmul(x, w)' --var "$x" --var 'w=R.Tensor((5, 2), dtype="float32")' 2>/dev/null && exit 1
"$RELAX" ops nn.softmax | grep -q 'expsum\[i\.\.\.\] += exp'
"$RELAX" ops nn.softmax --json | grep -q '"default": "-1"'
[ "$("$RELAX" ops | wc -l)" -ge 215 ]
if command -v python3 >/dev/null; then "$RELAX" ops --json | python3 -m json.tool >/dev/null; fi
