# relax inspect: what it says about a file with one of everything, and about files that are wrong.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"
file=$SRC/fuzz/corpus/vm_rlx/everything.rlx

expect() {
    code=$1 text=$2
    shift 2
    want "$code" "$text" inspect "$@"
}

expect 0 "relax inspect mlp.rlx --bytecode" --help
expect 2 "inspect" # no file
expect 0 'function main(x: R.Tensor((n, 4), dtype="float32"), s: R.Shape([m]), w: R.Object)' "$file"
expect 0 "n >= 0" "$file"
expect 0 "w is a weight" "$file"
expect 0 "cpu:test" "$file"
expect 0 "builtin vm.reshape (version 1)" "$file"
expect 0 "source: model" "$file"
expect 0 "all weights are as they were written" "$file" --verify
expect 0 "launch row_sum, (%0, %4), ([s0], [4])" "$file" --bytecode
expect 0 "function 2 identity public" "$file" --bytecode --func identity
expect 1 "no function is called other" "$file" --bytecode --func other
expect 2 "--func wants --bytecode" "$file" --func identity
expect 2 "--json shows the rest" "$file" --bytecode --json
expect 1 "No such file" "$dir/absent.rlx"
head -c 1000 "$file" >"$dir/cut.rlx"
expect 1 "was cut off or added to" "$dir/cut.rlx"
# The last byte before the sums lies in the weights: only --verify looks there.
cp "$file" "$dir/changed.rlx"
printf 'x' | dd of="$dir/changed.rlx" bs=1 seek=20480 conv=notrunc 2>/dev/null
expect 0 "weights (1" "$dir/changed.rlx"
expect 1 "the checksum of weight w is wrong" "$dir/changed.rlx" --verify
if command -v python3 >/dev/null; then
    "$RELAX" inspect "$file" --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert [f["name"] for f in d["functions"]] == ["block", "region", "identity", "deep", "main"], d["functions"]
assert d["weights"][0]["bytes"] == 16 and d["kernels"][0]["code_bytes"][0] > 0
' || wrong "differs"
fi

# Machine code of a kernel for each processor, with labels for its jumps.
cd "$dir" || exit 1
cat >asm.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 512), dtype="float32"), w: R.Tensor((512, 256), dtype="float32")):
        return R.matmul(x, w)
PY
"$RELAX" compile asm.py -o asm.rlx || exit 1
"$RELAX" inspect asm.rlx --asm matmul_rows >asm.txt || exit 1
for wanted in 'matmul_rows for cpu:x86-64-v3' 'matmul_rows for cpu:x86-64-v4' '^matmul_rows:$' '^matmul_rows.body:$' \
    '\(callq\|jmp\).matmul_rows.body' '^\.L[0-9]*:$' 'vfmadd.*ymm'; do
    grep -q "$wanted" asm.txt || fail "--asm: no $wanted"
done
for label in $(sed -n 's/.*[[:space:]]\(\.L[0-9]*\)$/\1/p' asm.txt | sort -u); do
    grep -q "^$label:\$" asm.txt || fail "--asm: $label is not there"
done
! "$RELAX" inspect asm.rlx --asm nothing 2>asm.err && grep -q 'no kernel is called nothing; `relax inspect asm.rlx` lists' asm.err || exit 1
finish
