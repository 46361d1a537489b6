# relax diff-run: two builds of a module agree; a planted difference is found at its binding, with its size and place.
set -eu
. "$SRC/tests/support/shell.sh"
# run CODE ARG...: diff-run with the code it must end with; what it says goes to `out`.
run() {
    want=$1 code=0
    shift
    "$RELAX" diff-run "$@" >out 2>&1 || code=$?
    [ $code = "$want" ] || fail "diff-run $*: want $want, got $code: $(cat out)"
}
says() { grep -qF -- "$1" out || fail "want '$1' in: $(cat out)"; }

cat >m.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            b = R.sort(a)
            c = R.multiply(R.exp(b), R.const(1.0, "float32"))
            d = R.nn.softmax(c)
            R.output(d)
        return (d, R.shape_of(x))
PY
inputs="-i x=f32[5,8] -i w=f32[8,4]"
for level in 2 3; do "$RELAX" compile m.py -o v$level.rlx --target cpu:x86-64-v$level; done
run 0 v2.rlx v3.rlx $inputs
says "same: "
run 0 v3.rlx v3.rlx $inputs --rtol 0 --atol 0
says "same: no element differs"
says "compared: 4 tensors of bindings, 2 of the result"
run 0 v3.rlx v3.rlx $inputs --rtol 0 --atol 0 --all
says "main m.py:6 a (matmul) float32[5, 4]"
says "main m.py:7 b (sort) float32[5, 4]"
says "out0 float32[5, 4]"
says "same: "

# The processors add in another order: with no tolerance that is a difference of some ulp.
run 1 v2.rlx v3.rlx $inputs --rtol 0 --atol 0
says "first difference: main m.py:6 a (matmul): element ["
says " ulp)"

# A planted difference: from its binding on everything differs, and it is the first. The file's name doesn't matter.
sed 's/R.const(1.0/R.const(1.0625/' m.py >other.py
"$RELAX" compile other.py -o other.rlx --target cpu:x86-64-v3
run 1 v3.rlx other.rlx $inputs
says "first difference: main other.py:8 c"
says "20 of 20 elements differ, by at most "
says "differing: 3 of 6 tensors"
run 1 v3.rlx other.rlx $inputs --json
python3 - <<'PY' || fail "the JSON is wrong: $(cat out)"
import json
d = json.load(open("out"))
assert d["same"] is False
rows = d["outputs"]
first = rows[d["first"]]
assert "other.py:8" in first["binding"] and first["differing"] == 20 and first["ulp"] > 100000, first
assert abs(first["after"] / first["before"] - 1.0625) < 1e-5, first
assert all(r["same"] for r in rows[: d["first"]]) and len(rows[: d["first"]]) == 2
assert rows[-2]["binding"] == "out0" and not rows[-2]["same"]
assert rows[-1]["binding"] == "out1" and rows[-1]["same"]
PY
run 0 v3.rlx other.rlx $inputs --rtol 0.1 --atol 100

# Where one build joins what the other does in steps, the last step has the binding's value: (x + x) + x on one line.
sed 's/c = .*/c = R.add(R.add(b, b), b)/' m.py >joined.py
sed 's/c = .*/c = R.add(R.sort(R.add(b, b)), b)/' m.py >steps.py
for name in joined steps; do "$RELAX" compile $name.py -o $name.rlx --target cpu:x86-64-v3; done
run 0 joined.rlx steps.rlx $inputs --all
says "steps.py:8"
says "no counterpart in joined.rlx, whose kernels are others"

# NaN agrees with NaN, infinity with infinity; a shape that differs is told.
cat >roots.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        return R.log(x)
PY
"$RELAX" compile roots.py -o roots.rlx --target cpu:x86-64-v3
run 0 roots.rlx roots.rlx -i f32[9] --rtol 0 --atol 0
sed 's/R.log(x)/R.expand_dims(x, 0)/' roots.py >wide.py
"$RELAX" compile wide.py -o wide.rlx
run 1 roots.rlx wide.rlx -i f32[9]
says "out0: float32[9] before, float32[1, 9] after"

# What is wrong with the command line or the files.
run 2 v2.rlx
run 2 v2.rlx v3.rlx --rtol much
run 1 v2.rlx nothing.rlx $inputs
says nothing.rlx
run 1 v2.rlx v3.rlx -i x=f32[5,8]
says "relax: error: v2.rlx: main: argument w is not set"
run 1 v2.rlx v3.rlx -i x=f32[5,7] -i w=f32[8,4]
says "x.shape[1] is 7, but must be 8"
