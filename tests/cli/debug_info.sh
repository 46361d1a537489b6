# relax compile --debug-info: the line table names the text's lines, debuggers stop at them; without it there is none.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELAX" readelf nm

cat >lines.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 24), dtype="float32"), w: R.Tensor((24, 10), dtype="float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.softmax(y)
            s = R.cumsum(z, axis=0)
            R.output(s)
        return s
    @T.prim_func
    def own(a: T.Buffer((T.int64(8),), "float32"), b: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            b[i] = T.exp(a[i])
    @R.function
    def call(x: R.Tensor((8,), dtype="float32")):
        y = R.call_tir(Module.own, (x,), out_sinfo=R.Tensor((8,), dtype="float32"))
        return y
PY
"$RELAX" compile lines.py --debug-info --target cpu:x86-64-v3 --emit obj -o lines.o
readelf --debug-dump=decodedline lines.o >table 2>/dev/null
for line in 6 7 8 14; do
    grep -Eq "^lines.py +$line " table || fail "line $line is not in the table: $(cat table)"
done
readelf --debug-dump=info lines.o 2>/dev/null | grep -q 'DW_AT_name .*softmax' || fail "softmax has no name"
"$RELAX" compile lines.py --target cpu:x86-64-v3 --emit obj -o plain.o
readelf -S plain.o | grep -q debug_line && fail "a table without --debug-info"

# The file keeps it, the same to the byte, and results don't change.
"$RELAX" compile lines.py --debug-info -o lines.rlx --target cpu:x86-64-v2
"$RELAX" compile lines.py --debug-info -o again.rlx --target cpu:x86-64-v2 -j 1
cmp lines.rlx again.rlx || fail "two compilations differ"
"$RELAX" compile lines.py -o plain.rlx --target cpu:x86-64-v2
run() { "$RELAX" run "$1" -i x=f32[5,24] -i w=f32[24,10] --threads 1 --output "$2" >out 2>&1 || fail "$(cat out)"; }
run plain.rlx one
mkdir images
RELAX_DEBUG_IMAGES=images run lines.rlx two
cmp one/out0.npy two/out0.npy || fail "other results"
ls images | grep -q '^kernels-.*\.so$' || fail "no image was written"
readelf --debug-dump=decodedline images/*.so 2>/dev/null | grep -Eq '^lines.py +7 ' || fail "the image has no lines"
# The symbols that profilers show: a kernel's time is in its body.
for name in matmul softmax cumsum own; do
    nm images/*.so | grep -q " t $name\.body$" || fail "the image has no symbol $name.body: $(nm images/*.so)"
done
if command -v perf >/dev/null && perf record -o perf.data true >/dev/null 2>&1; then
    RELAX_DEBUG_IMAGES=images perf record -o perf.data "$RELAX" run lines.rlx -i x=f32[64,24] -i w=f32[24,10] --threads 1 \
        --repeat 2000 >out 2>&1 || fail "$(cat out)"
    perf report -i perf.data --stdio --sort symbol 2>/dev/null | grep -q 'matmul\.body' || fail "perf does not name the kernels"
else
    echo "perf is not here, or may not record: its report is not tried"
fi
code=0
RELAX_DEBUG_IMAGES="$dir/nowhere" "$RELAX" run plain.rlx -i x=f32[5,24] -i w=f32[24,10] >out 2>&1 || code=$?
[ $code = 1 ] && grep -q 'RELAX_DEBUG_IMAGES=.*nowhere' out || fail "a folder that isn't there: $(cat out)"

if command -v gdb >/dev/null && [ -z "${ASAN_OPTIONS:-}" ]; then
    RELAX_DEBUG_IMAGES=images gdb -batch -ex 'set breakpoint pending on' -ex 'break lines.py:7' -ex run -ex bt \
        --args "$RELAX" run lines.rlx -i x=f32[5,24] -i w=f32[24,10] --threads 1 >out 2>&1 || true
    grep -Eq '^#0 .*softmax.* lines.py:7' out || fail "gdb: $(tail -5 out)"
fi
