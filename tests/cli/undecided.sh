#!/bin/sh
# Dims that must be equal and that nothing proves equal are compared when the module runs: never assumed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# refused EXPRESSION N M MESSAGE: run with x of N and y of M elements ends with 1 and says MESSAGE.
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
    code=0
    "$RELAX" run m.rlx --input "x=f32[$2]" --input "y=f32[$3]" >said 2>&1 || code=$?
    [ $code -eq 1 ] && grep -qF "$4" said || { echo "$1 with $2 and $3: want '$4', got $code: $(cat said)"; exit 1; }
    "$RELAX" run m.rlx --input "x=f32[4]" --input "y=f32[$5]" >said 2>&1 || { echo "$1 with fitting sizes: $(cat said)"; exit 1; }
}

refused 'R.matmul(x, y)' 1 1000 'matmul_dim[0] is 1000, but n is 1, bound by x.shape[0]' 4
refused 'R.reshape(x, R.shape([m, 2]))' 1 1000000 'reshape_dim[0] is 2000000, but n is 1' 2
refused 'R.stack((x, y))' 1 1000 'stack_dim[0] is 1000, but n is 1' 4
refused 'R.broadcast_to(x, R.shape([m]))' 2 3 'broadcast_to_dim[0] is 3, but n is 2' 4
refused 'R.nn.cross_entropy_with_logits(x, y)' 1 1000 'cross_entropy_with_logits_dim[0] is 1000, but n is 1' 4
