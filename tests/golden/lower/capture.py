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
function 0 main public inputs 1 registers 8 slots 1 result a1
  param x a0
  symbol n s0 from 0 to 9223372036854775807 multiple 1
  alloc_storage %1, [s0 1 + 2 // 192 * s0 15 + 16 // 64 * +]
  alloc_tensor %2, %1, [0], float32, ([s0], [8])
  alloc_tensor %3, %1, [s0 1 + 2 // 64 *], float32, ([s0], [8])
  alloc_tensor %4, %1, [s0 1 + 2 // 128 *], float32, ([s0])
  shape %5, ([s0])
  capture %6, main_cuda_graph_capture, 0, (%0, %2, %3, %4, %1, %5), ()
  kill (%5, %2, %3, %4)
  alloc_tensor %7, %1, [s0 1 + 2 // 64 *], float32, ([s0], [8])
  alloc_storage %5, [s0 32 *]
  alloc_tensor %2, %5, [0], float32, ([s0], [8])
  kill (%5)
  alloc_tensor %3, %1, [0], float32, ([s0], [8])
  alloc_tensor %5, %1, [s0 1 + 2 // 128 *], float32, ([s0])
  kill (%1)
  launch softmax, (%7, %2, %3, %5), ([s0])
  ret %2
end
function 1 main_cuda_graph_capture inputs 6 registers 10 slots 1 result a5
  param x a0
  param alloc a1 donated
  param alloc1 a1 donated
  param alloc2 a2 donated
  param storage a3
  param shape_expr a4
  symbol n s0 from 0 to 9223372036854775807 multiple 1
  launch softmax, (%0, %1, %2, %3), ([s0])
  alloc_tensor %6, %4, [s0 1 + 2 // 64 *], float32, ([s0], [8])
  alloc_tensor %7, %4, [s0 1 + 2 // 128 *], float32, ([s0], [8])
  alloc_tensor %8, %4, [s0 1 + 2 // 192 *], float32, ([s0])
  launch softmax, (%1, %6, %7, %8), ([s0])
  kill (%6, %7, %8)
  alloc_tensor %9, %4, [0], float32, ([s0], [8])
  alloc_tensor %6, %4, [s0 1 + 2 // 128 *], float32, ([s0])
  tuple %7, ()
  tuple %8, ()
  ret %8
end
function 0 main public inputs 1 registers 8 slots 1 result a1
  param x a0
  symbol n s0 from 1 to 64 multiple 1
  cached %1, cuda_graph_alloc, 0
  item %2, %1, 0
  kill (%1)
  alloc_tensor %3, %2, [0], float32, ([s0], [8])
  alloc_tensor %1, %2, [2048], float32, ([s0], [8])
  alloc_tensor %4, %2, [4096], float32, ([s0])
  shape %5, ([s0])
  capture %6, main_cuda_graph_capture, 0, (%0, %3, %1, %4, %2, %5), ()
  kill (%5, %3, %1, %4)
  alloc_tensor %7, %2, [2048], float32, ([s0], [8])
  alloc_storage %5, [s0 32 *]
  alloc_tensor %3, %5, [0], float32, ([s0], [8])
  kill (%5)
  alloc_tensor %1, %2, [0], float32, ([s0], [8])
  alloc_tensor %5, %2, [4096], float32, ([s0])
  kill (%2)
  launch softmax, (%7, %3, %1, %5), ([s0])
  ret %3
end
