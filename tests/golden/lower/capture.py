# RUN: relax compile --pipeline capture --target cpu:host -o a.rlx %s
# RUN: relax inspect a.rlx --bytecode | sed -n '/^function/,/^end/p'
# RUN: relax compile --pipeline capture --bound n=1..64 --target cpu:host -o b.rlx %s
# RUN: relax inspect b.rlx --bytecode --func main
# RUN: relax run a.rlx --input x=f32[3,8] --seed 1 --repeat 5 | head -1 >a.out
# RUN: relax run b.rlx --input x=f32[3,8] --seed 1 --repeat 5 | head -1 | cmp a.out -
# RUN: relax compile --target cpu:host -o c.rlx %s
# RUN: relax run c.rlx --input x=f32[3,8] --seed 1 | head -1 | cmp a.out -
# What lies between the first and the last launch is recorded once for each n and each place of x; with a bound, the
# memory is one block that is taken when the file is opened.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        a = R.nn.softmax(x)
        b = R.nn.softmax(a)
        c = R.nn.softmax(b)
        return c
# WANT:
function 0 main public inputs 1 registers 6 slots 1 result a1
  param x a0
  symbol n s0 from 0 to 9223372036854775807 multiple 1
  alloc_storage %1, [s0 1 + 2 // 128 *]
  alloc_tensor %2, %1, [0], float32, ([s0], [8])
  shape %3, ([s0])
  capture %4, main_cuda_graph_capture, 0, (%0, %2, %1, %3), ()
  kill (%3, %2)
  alloc_tensor %5, %1, [s0 1 + 2 // 64 *], float32, ([s0], [8])
  kill (%1)
  alloc_storage %3, [s0 32 *]
  alloc_tensor %1, %3, [0], float32, ([s0], [8])
  kill (%3)
  launch softmax, (%5, %1), ([s0])
  ret %1
end
function 1 main_cuda_graph_capture inputs 4 registers 6 slots 1 result a4
  param x a0
  param alloc a1 donated
  param storage a2
  param shape_expr a3
  symbol n s0 from 0 to 9223372036854775807 multiple 1
  launch softmax, (%0, %1), ([s0])
  alloc_tensor %4, %2, [s0 1 + 2 // 64 *], float32, ([s0], [8])
  launch softmax, (%1, %4), ([s0])
  kill (%4)
  tuple %5, ()
  tuple %4, ()
  ret %4
end
function 0 main public inputs 1 registers 6 slots 1 result a1
  param x a0
  symbol n s0 from 1 to 64 multiple 1
  cached %1, cuda_graph_alloc, 0
  item %2, %1, 0
  kill (%1)
  alloc_tensor %3, %2, [0], float32, ([s0], [8])
  shape %1, ([s0])
  capture %4, main_cuda_graph_capture, 0, (%0, %3, %2, %1), ()
  kill (%1, %3)
  alloc_tensor %5, %2, [2048], float32, ([s0], [8])
  kill (%2)
  alloc_storage %1, [s0 32 *]
  alloc_tensor %2, %1, [0], float32, ([s0], [8])
  kill (%1)
  launch softmax, (%5, %2), ([s0])
  ret %2
end
