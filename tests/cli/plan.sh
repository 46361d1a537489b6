# relax plan: peaks as expressions and numbers, limits, pictures; the plan in the compiled file.
set -u
. "$SRC/tests/support/shell.sh"
need "$RELAX"
data=$SRC/tests/data/mlp

want 0 "(in brackets: with every size that has no --bound as 512)" plan "$data/mlp.py"
want 0 "alloc            n * 64 bytes (32 KiB) at 0, from 1" plan "$data/mlp.py"
want 0 "peak               n * 20 + 43008 bytes (52 KiB)" plan "$data/mlp.py" --bound n=0..512 --func main
want 0 "\"lower_bound_bytes\": " plan "$data/mlp.py" --json
want 0 "peak" plan "$data/mlp.py" --svg plan.svg
# Axes with units, blocks and tensors with their sizes, and the peak where the line of what is held is highest.
grep -q "<rect" plan.svg || wrong "no boxes in the picture"
for words in "main: memory over time, peak 52 KiB at step 8 (alloc2)" ">48 KiB<" ">0 B<" ">12<" ">alloc, 32 KiB<" ">peak 52 KiB<" \
    ">step: bindings of the lowered function, the last is the return<" "<title>storage: 42 KiB, steps 1 to 10<"; do
    grep -qF "$words" plan.svg || wrong "the picture lacks $words"
done
grep -q "bytes<" plan.svg && wrong "bytes without a unit in the picture"
# Names of others' functions are any text.
cat >names.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32")):
        y = R.nn.softmax(x)
        z = R.call_dps_packed("a<b>&c", (y,), out_ty=R.Tensor(("n", 3), dtype="float32"))
        return z
PY
want 0 "a<b>&c" plan names.py --svg names.svg
grep -qF "a&lt;b&gt;&amp;c" names.svg || wrong "a name that is not escaped: $(cat names.svg)"
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' plan.svg names.svg || wrong "no XML"
fi
want 1 "main needs" plan "$data/mlp.py" --bound n=1..4096 --mem-limit 1K
want 2 "such as n=1..4096" plan "$data/mlp.py" --bound n=1..99999999999999999999
want 2 "leaves nothing to run" plan "$data/mlp.py" --bound n=0..0
want 2 "leaves nothing to run" plan "$data/mlp.py" --max x:0x4
want 1 "lower the bounds of n (--bound, --max)" plan "$data/mlp.py" --bound n=1..4096 --mem-limit 1000
want 1 "the module has no function 'no'" plan "$data/mlp.py" --func no
want 2 "--bound" plan "$data/mlp.py" --bound =3

# Sizes are sums of products, each spelled in one way, wherever they come from.
cat >two.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32"), y: R.Tensor(("m", 3), dtype="float32")):
        with R.dataflow():
            a = R.nn.softmax(x)
            b = R.matmul(a, R.permute_dims(R.nn.softmax(y)))
            R.output(b)
        return b
PY
cat >two.plan <<'PLAN'
main
  storage            (n * 3 + 15) // 16 * 64 + (m * 3 + 15) // 16 * 64 bytes (12 KiB)
    alloc            n * 12 bytes (6 KiB) at 0, from 1 (alloc) to 9 (fused_permute_dims_matmul)
    alloc1           m * 12 bytes (6 KiB) at (n * 3 + 15) // 16 * 64, from 3 (alloc1) to 9 (fused_permute_dims_matmul)
  storage1           n * m * 4 bytes (1 MiB), part of the result
    alloc2           n * m * 4 bytes (1 MiB) at 0, from 7 (alloc2) to 12 (return)
  peak               (n * 3 + 15) // 16 * 64 + (m * 3 + 15) // 16 * 64 + n * m * 4 bytes (1 MiB), at 7 (alloc2)
  least possible     1 MiB
  without sharing    1 MiB
  (in brackets: with every size that has no --bound as 512)
PLAN
"$RELAX" plan two.py >two.out
diff two.plan two.out >&2 || wrong "the plan of two sizes"
"$RELAX" plan two.py --json | grep -q '"bytes": "n \* m \* 4"' || wrong "a size that is not canonical in --json"
want 0 "" compile "$data/mlp.py" -o mlp.rlx
want 0 "memory plan" inspect mlp.rlx
finish
