# Dims that must be equal and that nothing proves equal are compared when the module runs: never assumed. Compiled code
# and the interpreter refuse the same calls in the same words.
set -eu
. "$SRC/tests/support/shell.sh"

# refused EXPRESSION N M MESSAGE FITS...: x of N and y of M elements are refused with MESSAGE; x of 4 and y of FITS run.
refused() {
    cat >m.py <<P
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        gv = $1
        return gv
P
    "$RELAX" compile m.py --target cpu:x86-64-v2 -o m.rlx
    says "$4" "$RELAX" run m.rlx --input "x=f32[$2]" --input "y=f32[$3]"
    says "$4" "$RELAX" eval m.py main "x=f32[$2]" "y=f32[$3]"
    shift 4
    for size; do
        "$RELAX" run m.rlx --input "x=f32[4]" --input "y=f32[$size]" >said 2>&1 || fail "m = $size: $(cat said)"
        "$RELAX" eval m.py main "x=f32[4]" "y=f32[$size]" >said 2>&1 || fail "m = $size: $(cat said)"
    done
}

# says MESSAGE COMMAND...: it ends with 1 and says so.
says() {
    message=$1
    shift
    code=0
    "$@" >said 2>&1 || code=$?
    [ $code -eq 1 ] && grep -qF "$message" said || fail "$*: want '$message', got $code: $(cat said)"
}

refused 'R.matmul(x, y)' 1 1000 'matmul: m is 1000, but n is 1, bound by x.shape[0]' 4
refused 'R.reshape(x, R.shape([m, 2]))' 1 1000000 'reshape: m * 2 is 2000000, but n is 1' 2
refused 'R.reshape(x, R.shape([m, -1]))' 3 2 'reshape: n % m is 1, but must be 0' 4 2
refused 'R.stack((x, y))' 1 1000 'stack: m is 1000, but n is 1' 4
refused 'R.broadcast_to(x, R.shape([m]))' 2 3 'broadcast_to: n broadcast to m is 2, but m is 3, bound by y.shape[0]' 4
refused 'R.nn.cross_entropy_with_logits(x, y)' 1 1000 'cross_entropy_with_logits: m is 1000, but n is 1' 4
refused 'R.add(x, y)' 3 4 'add: m broadcast to n is 4, but n broadcast to m is 3, as n is 3, bound by x.shape[0]' 4 1
refused 'R.add(x, R.concat((y, y)))' 3 4 'add: n broadcast to m + m is 3, but m + m is 8, as m is 4, bound by y.shape[0]' 2
refused 'R.where(R.less(x, y), x, y)' 0 4 'less: m broadcast to n is 4, but n broadcast to m is 0' 4 1
refused 'R.exp(R.maximum(R.add(x, y), y))' 2 3 'add: m broadcast to n is 3, but n broadcast to m is 2' 4 1
# Right for no size but 0: left to the run like the others.
refused 'R.matmul(x, R.concat((x, x)))' 2 1 'matmul: n + n is 4, but n is 2, bound by x.shape[0]'
refused 'R.reshape(x, R.shape([n * 2]))' 2 1 'reshape: n * 2 is 4, but n is 2, bound by x.shape[0]'

# Both have 8 as a dim that is not 1, so a dim beside it is 8 or 1.
cat >m.py <<P
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32")):
        n = T.int64()
        gv = R.add(x, R.zeros((8, 3), dtype="float32"))
        return gv
P
"$RELAX" compile m.py --target cpu:x86-64-v2 -o m.rlx
for n in 1 8; do
    [ "$("$RELAX" run m.rlx --input "x=f32[$n,3]" | grep -c 'float32\[8, 3\]')" = 1 ]
    [ "$("$RELAX" eval m.py main "x=f32[$n,3]" | grep -c 'float32\[8, 3\]')" = 1 ]
done
says 'add: n broadcast to 8 is 2, but must be 8' "$RELAX" run m.rlx --input "x=f32[2,3]"
says 'add: n broadcast to 8 is 2, but must be 8' "$RELAX" eval m.py main "x=f32[2,3]"

# What no size makes right is refused before it runs, whatever stands beside it.
says 'add: dims do not broadcast: 8 and 4 at dim -1' "$RELAX" infer 'R.add(x, y)' \
    --var 'x=R.Tensor(("n", 8), dtype="float32")' --var 'y=R.Tensor((8, 4), dtype="float32")'
for call in 'R.zeros((-3,), dtype="float32")' 'R.nn.pad(x, (-5, 0))' 'R.reshape(x, R.shape([-3, -1]))'; do
    says 'is below 0' "$RELAX" infer "$call" --var 'x=R.Tensor((3,), dtype="float32")'
done
says 'topk: attribute k: want an int in [-1, inf), got -5' "$RELAX" infer 'R.topk(x, k=-5)' --var 'x=R.Tensor((3,), dtype="float32")'
says 'a dim of R.Tensor((-2,), dtype="float32") is below 0: -2' "$RELAX" infer 'R.exp(x)' \
    --var 'x=R.Tensor((-2,), dtype="float32")'

# Indices that would reach past the data.
cat >m.py <<P
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n"), "float32"), y: R.Tensor((2, "m"), "int64")):
        n = T.int64()
        m = T.int64()
        gv = R.gather_elements(x, y, axis=0)
        gv1 = R.scatter_elements(x, y, gv, axis=0)
        return (gv, gv1)
P
"$RELAX" compile m.py --target cpu:x86-64-v2 -o m.rlx
python3 - <<'P'
import struct
for m in (2, 1000): # zeros: indices that are in range
    head = "{'descr': '<i8', 'fortran_order': False, 'shape': (2, %d), }" % m
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    open(f"zeros{m}.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(16 * m))
P
says 'gather_elements: m is 1000, but T.min(m, n) is 3' "$RELAX" run m.rlx --input 'x=f32[2,3]' --input y=@zeros1000.npy
says 'gather_elements: m is 1000, but T.min(m, n) is 3' "$RELAX" eval m.py main 'x=f32[2,3]' y=@zeros1000.npy
"$RELAX" run m.rlx --input 'x=f32[2,3]' --input y=@zeros2.npy >said

# A border is mirrored inside of the dim.
cat >m.py <<P
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        gv = R.nn.pad(x, (0, 2), pad_mode="reflect")
        return gv
P
"$RELAX" compile m.py --target cpu:x86-64-v2 -o m.rlx
says 'pad: ' "$RELAX" run m.rlx --input 'x=f32[2]'
says 'pad: ' "$RELAX" eval m.py main 'x=f32[2]'
"$RELAX" run m.rlx --input 'x=f32[3]' >said
says 'a border of 5 reflects past the 3 elements of dim 0' "$RELAX" infer 'R.nn.pad(x, (5, 0), pad_mode="reflect")' \
    --var 'x=R.Tensor((3,), dtype="float32")'
for call in 'R.left_shift(x, x)' 'R.right_shift(x, x)'; do
    says 'want an integer dtype, got bool' "$RELAX" infer "$call" --var 'x=R.Tensor((3,), dtype="bool")'
done

# A bias whose dims may be 1 is read inside of itself; an unknown extent of a reduction compiles.
cat >m.py <<P
@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((1, 3, 1, 4), "float32"), b: R.Tensor((1, 1, "n", "m"), "float32"), c: R.Tensor(("k",), "float32")):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        gv = R.nn.attention_bias(q, q, q, b)
        gv1 = R.bucketize(gv, c)
        return (gv, gv1)
P
"$RELAX" compile m.py --target cpu:x86-64-v2 -o m.rlx
for b in 1,1 3,1 1,3 3,3; do
    "$RELAX" eval m.py main 'q=f32[1,3,1,4]' "b=f32[1,1,$b]" 'c=f32[2]' --output want >said
    "$RELAX" run m.rlx -i 'q=f32[1,3,1,4]' -i "b=f32[1,1,$b]" -i 'c=f32[2]' --seed 0 >said
done
says 'attention_bias: ' "$RELAX" run m.rlx -i 'q=f32[1,3,1,4]' -i 'b=f32[1,1,2,3]' -i 'c=f32[2]'

# A size that comes out below 0 is refused with what made it so.
negative() {
    cat >m.py <<P
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, "n"), "float32"), w: R.Tensor((1, 1, 3), "float32")):
        n = T.int64()
        gv = $1
        return gv
P
    "$RELAX" compile m.py --target cpu:x86-64-v2 -o m.rlx
    says "$2, as n is 1, bound by x.shape[2]" "$RELAX" run m.rlx -i 'x=f32[1,1,1]' -i 'w=f32[1,1,3]'
    says "$2, as n is 1, bound by x.shape[2]" "$RELAX" eval m.py main 'x=f32[1,1,1]' 'w=f32[1,1,3]'
    "$RELAX" run m.rlx -i 'x=f32[1,1,9]' -i 'w=f32[1,1,3]' >said || { cat said; exit 1; }
}
negative 'R.nn.pad(x, [0, 0, 0, 0, -2, -1])' 'main: pad: n - 3 is -2, but T.max(n - 3, 0) is 0'
negative 'R.nn.max_pool1d(x, pool_size=[4])' 'main: max_pool1d: n - 3 is -2, but T.max(n - 3, 0) is 0'
negative 'R.nn.avg_pool1d(x, pool_size=[4])' 'main: avg_pool1d: n - 3 is -2, but T.max(n - 3, 0) is 0'
negative 'R.nn.conv1d(x, w)' 'main: conv1d: n - 2 is -1, but T.max(n - 2, 0) is 0'
negative 'R.nn.conv1d_transpose(x, w, padding=[3, 3])' 'main: conv1d_transpose: n - 4 is -3, but T.max(n - 4, 0) is 0'
negative 'R.zeros(R.shape([n - 4]), dtype="float32")' 'main: zeros: n - 4 is -3, but T.max(n - 4, 0) is 0'
negative 'R.eye(R.prim_value(n - 4), R.prim_value(2), R.prim_value(0), dtype="float32")' 'main: eye: n - 4 is -3, but T.max(n - 4, 0) is 0'
negative 'R.arange(R.prim_value(3), R.prim_value(n), R.prim_value(1), dtype="int64")' 'main: arange: n - 3 is -2, but T.max(n - 3, 0) is 0'

# Sizes beyond any memory, or beyond 64 bits, are refused before anything is computed from them.
for call in 'R.zeros(R.shape([4611686018427387904, 8]), dtype="float32")' 'R.tile(x, [9223372036854775807, 2])' \
    'R.broadcast_to(x, R.shape([9223372036854775807, 3, 4]))' 'R.repeat(x, 9223372036854775807)' \
    'R.one_hot(R.argmax(x), R.prim_value(1), R.prim_value(0), depth=9223372036854775807)' \
    'R.nn.pad(x, [2147483647, 2147483647, 2147483647, 2147483647])'; do
    "$RELAX" infer "$call" --var 'x=R.Tensor((3, 4), dtype="float32")' >said 2>&1 && fail "$call: $(cat said)"
    grep -qE 'larger than any memory|does not fit 64 bits' said || fail "$call: $(cat said)"
done
