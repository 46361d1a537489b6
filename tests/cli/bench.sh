# relax bench of modules and of the machine: rows per size, limits, comparison, what it refuses.
set -eu
. "$SRC/tests/support/shell.sh"

cat >m.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64, 48), dtype="float32"), at: R.Tensor((3,), dtype="int64")):
        with R.dataflow():
            t = R.take(x, at, axis=0)
            y = R.matmul(t, w)
            R.output(y)
        return y
    @R.function
    def order(x: R.Tensor(("n",), dtype="float32"), k: R.Shape(["m"])):
        return R.sort(x)
    @R.function
    def ahead(ends: R.Tensor(("b + 1",), dtype="int32"), x: R.Tensor(("b", 4), dtype="float32")):
        return R.nn.relu(x)
    @R.function
    def cache(a: R.Tensor(("m", "k"), dtype="float32"), b: R.Object):
        return a
PY
"$RELAX" compile m.py -o m.rlx

# Two sizes, two rows; (3, 64) x (64, 48) is 2 * 3 * 64 * 48 operations, padded rows included.
"$RELAX" bench m.rlx --dim n=4,8 --repeat 20 >out
grep -Eq '^n=4 +20 +[0-9.]+ [mun]s' out || fail "no row of n=4: $(cat out)"
[ "$(grep -c '^n=' out)" = 2 ] || fail "want two rows: $(cat out)"
"$RELAX" bench m.py --dim n=4,8 --repeat 20 --json >new.json
python3 - <<'PY' || fail "the JSON is wrong: $(cat new.json)"
import json
all = json.load(open("new.json"))
assert all["machine"]["float32_gflops"] > 0.1 and all["machine"]["memory_read_gbs"] > 0.01, all
rows = all["results"]
assert [r["dims"] for r in rows] == ["n=4", "n=8"], rows
for r in rows:
    assert r["runs"] == 20 and 0 < r["p10_seconds"] <= r["median_seconds"] <= r["p90_seconds"], r
    operations = r["gflops"] * 1e9 * r["median_seconds"]
    assert 2 * 3 * 64 * 48 <= operations * 1.02 <= 2.1 * 16 * 64 * 48, operations
    assert 0 < r["share_of_limit"] < 1.5, r
PY
"$RELAX" bench m.rlx --dim n=8 --repeat 5 --compare new.json >out
grep -Eq 'before +change' out && grep -Eq '^n=8 .*[+-][0-9.]+%$' out || fail "no comparison: $(cat out)"

# A builtin's operations aren't known; a shape argument is made from its symbol.
"$RELAX" bench m.rlx --func order --dim m=2 --dim n=100 -r 3 >out
grep -Eq '^n=100 m=2 +3 .* - +- +-$' out || fail "order: $(cat out)"

# A size that stands before what binds its symbol is known as well.
"$RELAX" bench m.rlx --func ahead --dim b=3 -r 3 >out
grep -Eq '^b=3 +3 ' out || fail "ahead: $(cat out)"

# A surface: one row for each size, and the drawing.
"$RELAX" bench m.rlx --surface m.svg --repeat 1 >out
grep -Eq '^ +n +time +per element' out && grep -Eq '^ +1 ' out && grep -Eq '^ +33 ' out || fail "surface: $(cat out)"
"$RELAX" bench m.rlx --surface m.svg --repeat 1 >/dev/full 2>err && fail "a table that can't be written is no error"
"$RELAX" bench m.rlx --surface no/m.svg --repeat 1 >none 2>err && fail "a drawing that can't be written is no error"
[ ! -s none ] && grep -q "no/m.svg: can't write into its folder" err || fail "$(cat none err)"
[ "$(grep -c '<circle' m.svg)" = "$(grep -Ec '^ +[0-9]+ +[0-9.]+ [mun]s' out)" ] || fail "surface: $(cat out) $(cat m.svg)"
python3 -c 'import xml.dom.minidom as x; x.parse("m.svg")'

refused() { want=$1 code=0; shift; "$RELAX" bench "$@" >out 2>err || code=$?; [ $code = $want ] || fail "$*: want $want, got $code"; }
refused 1 m.rlx --func cache && grep -q 'want --input b=VALUE' err || fail "$(cat err)"
refused 1 m.rlx --func nothing && grep -q 'no public function is called nothing' err || fail "$(cat err)"
refused 2 m.rlx --dim q=1 && grep -q 'want N=VALUE of a symbol of main' err || fail "$(cat err)"
refused 2 m.rlx --dim n=-1 && grep -q "n can't be" err || fail "$(cat err)"
refused 2 m.rlx --input q=3 && grep -q 'want NAME=VALUE of a parameter of main' err || fail "$(cat err)"
refused 1 m.rlx --compare m.py && grep -q -- '--compare' err || fail "$(cat err)"
refused 2 m.rlx --surface m.svg --dim n=1,2
refused 2 m.rlx --machine
for threads in abc -3; do
    RELAX_NUM_THREADS=$threads refused 2 m.rlx --dim n=1
    grep -qx "relax bench: RELAX_NUM_THREADS: want a whole number from 0 to 1024, got '$threads'" err || fail "$(cat err)"
done
refused 2
refused 1 nowhere.rlx --dim n=1
refused 1 m.rlx --func main --dim n=9999999999999 && grep -q 'no memory' err || fail "$(cat err)"
refused 2 m.rlx -p 3 && grep -q -- '--prompt is for language models' err || fail "$(cat err)"
refused 2 m.rlx --target cpu:host && grep -q 'compiled already' err || fail "$(cat err)"
echo 'class M' >bad.py
refused 1 bad.py && grep -q '^bad.py:1:1: error: ' err || fail "$(cat err)"

"$RELAX" bench --machine --threads 1 >out
grep -q 'float32 multiply-adds' out && grep -q 'read from memory' out || fail "$(cat out)"
"$RELAX" bench --machine --json | python3 -c 'import json, sys; m = json.load(sys.stdin); assert m["int8_gops"] > 0 and m["threads"] > 0'
