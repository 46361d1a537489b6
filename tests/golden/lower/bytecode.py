# RUN: relax compile --bound n=1..64 --target cpu:host -o a.rlx %s
# RUN: relax inspect a.rlx --bytecode >a.txt
# RUN: relax inspect a.rlx --assemble a.txt -o b.rlx
# RUN: relax inspect b.rlx --bytecode | cmp a.txt -
# RUN: relax run a.rlx --input x=f32[3,8] --seed 1 | head -1 >a.out
# RUN: relax run b.rlx --input x=f32[3,8] --seed 1 | head -1 | cmp a.out -
# RUN: sed 's/from 1 to 64/from 1 to 2/' a.txt >c.txt
# RUN: relax inspect a.rlx --assemble c.txt -o c.rlx
# RUN: relax run c.rlx --input x=f32[3,8] || true
# RUN: sed 's/ret %/return %/' a.txt >d.txt
# RUN: relax inspect a.rlx --assemble d.txt -o d.rlx || test ! -e d.rlx
# RUN: relax inspect a.rlx --assemble d.txt || true
# RUN: cat a.txt | sed -n '/^function/,/^end/p'
# The text of a compiled file read back gives the same text and the same results; changes of the text take effect.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        a = R.nn.softmax(x)
        b = R.nn.softmax(a)
        return b
# WANT:
relax: error: main: x.shape[0] is 3, but n must be at most 2
relax: error: d.txt: line 15: no instruction is called return
relax inspect: --assemble: want -o FILE.rlx as well
`relax inspect --help` explains it.
function 0 main public inputs 1 registers 4 slots 1 result a1
  param x a0
  symbol n s0 from 1 to 64 multiple 1
  alloc_storage %1, [2048]
  alloc_tensor %2, %1, [0], float32, ([s0], [8])
  kill (%1)
  launch softmax, (%0, %2), ([s0])
  alloc_storage %1, [s0 32 *]
  alloc_tensor %3, %1, [0], float32, ([s0], [8])
  kill (%1)
  launch softmax, (%2, %3), ([s0])
  ret %3
end
