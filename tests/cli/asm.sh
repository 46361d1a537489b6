# The code that is made: tile loops of products keep everything in registers of full width, and nothing is called that
# may not be there.
set -eu
. "$SRC/tests/support/shell.sh"
need "$RELAX" python3 nm

cat >mm.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 512), dtype="float32"), w: R.Tensor((512, 512), dtype="float32")):
        return R.matmul(x, w)
    @R.function
    def fused(x: R.Tensor(("n", 256), dtype="float32"), w: R.Tensor((256, 768), dtype="float32"), b: R.Tensor((768,), dtype="float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.relu(R.add(y, b))
            R.output(z)
        return z
PY
for target in cpu:x86-64-v3 cpu:x86-64-v4; do "$RELAX" compile mm.py --emit asm --target $target -o ${target#cpu:}.s; done
python3 - <<'PY' || fail "tile loops"
import re, sys
def inner_loops(path):
    lines = [l.strip() for l in open(path)]
    place = {l[:-1]: i for i, l in enumerate(lines) if re.match(r"\.L\w+:", l.split("#")[0].strip()) for l in [l.split("#")[0].strip()]}
    for i, line in enumerate(lines):
        jump = re.match(r"j\w+\s+(\.L\w+)", line)
        if not jump or place.get(jump.group(1), i) >= i:
            continue
        body = lines[place[jump.group(1)] + 1:i]
        if not any(l.endswith(":") or re.match(r"j\w+\s", l) for l in body):
            yield body
bad = 0
for level, wide, lanes in (("x86-64-v3", "ymm", 8), ("x86-64-v4", "zmm", 16)):
    loops = [b for b in inner_loops(level + ".s") if sum("vfmadd" in l for l in b) >= 8]
    tails = [b for b in loops if any(re.search(r"\(%r[sb]p,%r", l) for l in b)] # an array of sums, by a loop's variable
    tiles = [b for b in loops if b not in tails]
    if len(tiles) < 2:
        print(level, "has", len(tiles), "tile loops"); bad = 1
    for b in tiles:
        vectors = [l for l in b if re.search(r"%[xyz]mm", l)]
        spills = [l for l in vectors if "(%rsp" in l or "(%rbp" in l]
        halves = [l for l in vectors if "vfmadd" in l and "%" + wide not in l]
        split = [l for l in vectors if wide == "zmm" and "%ymm" in l]
        if spills or halves or split:
            print(level, "spills", spills[:3], "narrow", (halves + split)[:3]); bad = 1
sys.exit(bad)
PY
# Each variant of the default file has the schedule of its own machine.
"$RELAX" compile mm.py -o mm.rlx
"$RELAX" inspect mm.rlx >mm.txt
for kernel in $(sed -n 's/^  \(.*matmul[^ ]*\) .* buffers.*/\1/p' mm.txt | sort -u); do
    "$RELAX" inspect mm.rlx --asm $kernel >>mm.asm
done
python3 - <<'PY' || fail "tiles of the variants"
wide = {"v3": [0, 0], "v4": [0, 0]}
level = None
for line in open("mm.asm"):
    if " for cpu:x86-64-" in line:
        level = line.split("cpu:x86-64-")[1][:2]
    elif "vfmadd" in line:
        wide[level]["zmm" in line] += 1
assert wide["v3"][0] > 20 and wide["v3"][1] == 0 and wide["v4"][1] > 20, wide
PY
grep -q 'function main for cpu:x86-64-v4' mm.txt || fail "functions of a variant"
[ "$(wc -c <mm.rlx)" -lt 100000 ] || fail "size of a file for two machines: $(wc -c <mm.rlx)"
for target in x86-64-v3 x86-64-v4; do "$RELAX" compile mm.py -o $target.rlx --target cpu:$target; done
for n in 0 1 3 70; do
    for func in main fused; do
        dims=$([ $func = main ] && echo 512,512 || echo 256,768)
        bias=$([ $func = main ] || echo "-i b=f32[768]")
        for file in mm x86-64-v3 x86-64-v4; do
            "$RELAX" run $file.rlx --func $func -i x=f32[$n,${dims%,*}] -i w=f32[$dims] $bias --output out-$file >/dev/null ||
                { [ $file != mm ] && echo "this machine can't run $file" && continue; fail "run $file"; }
        done
        best=$(sed -n 's/^.*"variant": "cpu:\([^"]*\)".*/\1/p' <<EOF
$("$RELAX" run mm.rlx --json --func $func -i x=f32[$n,${dims%,*}] -i w=f32[$dims] $bias)
EOF
)
        cmp out-mm/out0.npy out-$best/out0.npy || fail "$func of $n rows: the file for both machines and that for $best differ"
    done
done

"$RELAX" compile mm.py --emit llvm --target cpu:x86-64-v4 -o mm.ll
grep -q '"prefer-vector-width"="512"' mm.ll && grep -q '"min-legal-vector-width"="512"' mm.ll || fail "vector widths"

# Every function of every type: objects want no symbol of libm or libgcc, on machines with and without half floats.
python3 - <<'PY'
floats = ["float16", "bfloat16", "float64"] # float32 needs no help, and is in all other tests
ints = ["int8", "int64", "uint64"]
unary = ["exp", "tanh", "sin", "erf", "round"]
binary = ["multiply", "divide", "power", "floor_divide", "mod", "maximum"]
out = ["@I.ir_module", "class Module:"]
def function(name, params, call):
    out.extend([f"    @R.function", f"    def {name}({params}):", f"        return {call}"])
for t in floats:
    for f in unary:
        function(f"{f}_{t}", f'x: R.Tensor(("n",), "{t}")', f"R.{f}(x)")
for t in floats + ints:
    for f in binary:
        if f in ("power", "divide") and t in ints:
            continue
        function(f"{f}_{t}", f'x: R.Tensor(("n",), "{t}"), y: R.Tensor(("n",), "{t}")', f"R.{f}(x, y)")
    function(f"product_{t}", f'x: R.Tensor(("n", 8), "{t}"), y: R.Tensor((8, 19), "{t}")', "R.matmul(x, y)")
    function(f"sum_{t}", f'x: R.Tensor(("n", 19), "{t}")', "R.sum(x, axis=1)")
for t in floats:
    for u in floats + ints:
        function(f"from_{t}_to_{u}", f'x: R.Tensor(("n",), "{t}")', f'R.astype(x, "{u}")')
        function(f"to_{t}_from_{u}", f'x: R.Tensor(("n",), "{u}")', f'R.astype(x, "{t}")')
open("types.py", "w").write("\n".join(out) + "\n")
PY
for target in cpu:x86-64-v2 cpu:x86-64-v4; do
    "$RELAX" compile types.py --emit obj --target $target -o types.o || fail "$target: can't be compiled"
    missing=$(nm -u types.o | sed 's/.* U //')
    [ -z "$missing" ] || fail "$target wants: $missing"
done

# What LLVM is told: pointers that don't meet, sizes that aren't below 0. --fast-math adds what docs/numerics.md says.
grep -q 'noalias' mm.ll && grep -q 'i64 range(i64 0, -9223372036854775808)' mm.ll || fail "noalias, ranges"
cat >fast.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")):
        with R.dataflow():
            y = R.divide(R.add(R.add(x, R.const(1.0, "float32")), R.const(2.0, "float32")), R.const(3.0, "float32"))
            R.output(y)
        return y
PY
for option in "" --fast-math; do
    # shellcheck disable=SC2086
    "$RELAX" compile fast.py --emit asm --target cpu:x86-64-v3 $option -o fast$option.s
    # shellcheck disable=SC2086
    "$RELAX" compile fast.py --target cpu:x86-64-v2 $option -o fast$option.rlx
done
[ "$(grep -c 'vadd.s' fast--fast-math.s)" -lt "$(grep -c 'vadd.s' fast.s)" ] && grep -q vdiv fast.s && ! grep -q vdiv fast--fast-math.s ||
    fail "--fast-math changes nothing"
"$RELAX" run fast.rlx -i x=f32[1001] -o exact >/dev/null
"$RELAX" run fast--fast-math.rlx -i x=f32[1001] --expect out0=@exact/out0.npy >/dev/null || fail "--fast-math: other results"

# Indices stay: the pixels that places round to, directly and through a buffer of places, are those without the option.
cat >pixels.py <<'PY'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, "n", "m"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            a = R.image.resize2d(x, R.shape([5, 7]), layout="NCHW", method="nearest_neighbor")
            b = R.image.resize2d(x, R.shape([50, 70]), layout="NCHW", method="nearest_neighbor", coordinate_transformation_mode="asymmetric", rounding_method="floor")
            i = R.astype(R.arange(R.prim_value(0), R.prim_value(n * m), R.prim_value(1), dtype="int64"), "float32")
            c = R.astype(R.divide(i, R.const(7.0, "float32")), "int64")
            d = R.floor(R.divide(R.divide(i, R.const(10.0, "float32")), R.const(0.1, "float32")))
            R.output(a, b, c, d)
        return a, b, c, d
PY
for target in x86-64-v2 x86-64-v3; do
    "$RELAX" compile pixels.py --target cpu:$target -o pixels.rlx
    "$RELAX" compile pixels.py --target cpu:$target --fast-math -o fastpixels.rlx
    for size in 5,3 11,6 33,10 65,100; do
        "$RELAX" run pixels.rlx -i "x=f32[1,1,$size]" -o pixels >/dev/null
        set --
        for i in 0 1 2 3; do set -- "$@" --expect out$i=@pixels/out$i.npy; done
        "$RELAX" run fastpixels.rlx -i "x=f32[1,1,$size]" "$@" --rtol 0 --atol 0 >out 2>&1 ||
            { cat out; fail "--fast-math: $target, $size: other indices"; }
    done
done

# Bytes are looked up by the instructions that the processor has for that.
looked_up() { # TARGET, INSTRUCTION...
    "$RELAX" compile "$SRC/tests/data/modules/lookups.py" --emit asm --target cpu:$1 -o lookups.s
    target=$1
    shift
    for name in "$@"; do grep -qw "$name" lookups.s || fail "$target looks bytes up without $name"; done
}
looked_up x86-64-v2 pshufb
looked_up x86-64-v3 vpshufb
looked_up x86-64-v4 vpshufb vpgatherdd
looked_up x86-64-v4,+avx512vbmi vpermb 'vperm[it]2b'
! grep -q vpgather lookups.s || fail "entries are gathered beside byte permutes"
looked_up aarch64 tbl tbx
