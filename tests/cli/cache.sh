# relax compile: machine code is kept between runs; warm, cold and without a cache the file is the same to the byte.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELAX"
export RELAX_CACHE="$dir/cache"
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $3"; }

cat >m.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 24), dtype="float32"), w: R.Tensor((24, 10), dtype="float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.softmax(R.nn.gelu(y))
            t = R.cumsum(z, axis=1)
            R.output(t)
        return t
PY

"$RELAX" compile m.py -o none.rlx --no-cache
[ ! -e cache ] || fail "--no-cache made a cache"
"$RELAX" compile m.py -o cold.rlx
count=$(ls cache/code/*.code | wc -l)
[ "$count" -gt 2 ] || fail "nothing was kept"
"$RELAX" compile m.py -o warm.rlx
same none.rlx cold.rlx "an empty cache"
same none.rlx warm.rlx "a full cache"
"$RELAX" compile m.py -o one.rlx --no-cache -j 1
"$RELAX" compile m.py -o isolated.rlx --no-cache --isolate
same none.rlx one.rlx "one thread"
same none.rlx isolated.rlx "processes"
[ "$(ls cache/code | wc -l)" = "$count" ] || fail "a warm cache grew, or leaves temporary files"

# Entries that are cut off, changed, or another's are made anew.
for entry in cache/code/*.code; do head -c 100 "$entry" >cut && mv cut "$entry"; done
"$RELAX" compile m.py -o cut.rlx
same none.rlx cut.rlx "entries cut off"
for entry in cache/code/*.code; do printf 'X' | dd of="$entry" bs=1 seek=200 conv=notrunc 2>/dev/null; done
"$RELAX" compile m.py -o changed.rlx
same none.rlx changed.rlx "entries changed"
first=$(ls cache/code/*.code | head -1)
for entry in cache/code/*.code; do [ "$entry" = "$first" ] || cp "$first" "$entry"; done
"$RELAX" compile m.py -o swapped.rlx
same none.rlx swapped.rlx "entries of others"
[ "$(cmp cold.rlx swapped.rlx 2>&1)" = "" ] || fail "swapped"

# Other options are other code.
"$RELAX" compile m.py -o fast.rlx --fast-math
"$RELAX" compile m.py -o fast2.rlx --fast-math --no-cache
same fast.rlx fast2.rlx "--fast-math"

# A folder that others may write to isn't trusted; one that can't be made is no error.
chmod 777 cache/code
before=$(ls cache/code | wc -l)
"$RELAX" compile m.py -o open.rlx -O 1
[ "$(ls cache/code | wc -l)" = "$before" ] || fail "a folder open to all was used"
touch file
RELAX_CACHE="$dir/file" "$RELAX" compile m.py -o nofolder.rlx
same none.rlx nofolder.rlx "no folder"

# Eighty layers that are equal but for their names cost one: spelled out as loop programs, and as operators.
python3 - <<'PY'
def layers(n):
    out = ["@I.ir_module", "class Module:"]
    for i in range(n):
        out += ["    @T.prim_func(private=True, s_tir=True)",
                f"    def layer{i}(a: T.Buffer((T.int64(4), T.int64(16)), 'float32'), w: T.Buffer((T.int64(16), T.int64(16)), 'float32'), b: T.Buffer((T.int64(4), T.int64(16)), 'float32')):",
                "        for i, j, k in T.grid(T.int64(4), T.int64(16), T.int64(16)):",
                "            with T.sblock('product'):",
                "                vi, vj, vk = T.axis.remap('SSR', [i, j, k])",
                "                with T.init():",
                "                    b[vi, vj] = T.float32(0)",
                "                b[vi, vj] = b[vi, vj] + a[vi, vk] * w[vk, vj]"]
    out += ["    @R.function", "    def main(x: R.Tensor((4, 16), 'float32'), w: R.Tensor((16, 16), 'float32')):", "        with R.dataflow():"]
    value = "x"
    for i in range(n):
        out.append(f"            y{i} = R.call_tir(Module.layer{i}, ({value}, w), out_sinfo=R.Tensor((4, 16), 'float32'))")
        value = f"y{i}"
    return "\n".join(out + [f"            R.output({value})", f"        return {value}"]) + "\n"
open("l1.py", "w").write(layers(1))
open("l80.py", "w").write(layers(80))
open("o80.py", "w").write("""@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 16), "float32")):
        with R.dataflow():
""" + "".join(f"            y{i} = R.matmul({'x' if i == 0 else f'y{i - 1}'}, w)\n" for i in range(80)) + "            R.output(y79)\n        return y79\n")
PY
for name in l1 l80 o80; do "$RELAX" compile $name.py -o $name.rlx --no-cache --target cpu:x86-64-v3; "$RELAX" inspect $name.rlx --json >$name.json; done
python3 - <<'PY' || fail "equal layers cost more than one"
import json
one, spelled, operators = (json.load(open(f"{n}.json")) for n in ("l1", "l80", "o80"))
assert len(spelled["kernels"]) == 80, len(spelled["kernels"])
assert len(operators["kernels"]) <= 3, len(operators["kernels"])
assert spelled["variants"][0]["image_bytes"] == one["variants"][0]["image_bytes"], (spelled["variants"], one["variants"])
PY
"$RELAX" run l80.rlx -i x=f32[4,16] -i w=f32[16,16] >/dev/null
