# What TVM's InferFragment prints: a fragment used after the attributes around its allocation. TVM's own check refuses it too.
# RUN: relax fmt --canonical %s
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(256),), "float16")):
        with T.launch_thread("blockIdx.x", T.int64(1)) as bx:
            acc = T.handle("float16", "wmma.accumulator")
            with T.attr(acc, "fragment_layout", "row_major"):
                T.attr(acc, "fragment_shape", "16, 16, 16")
                acc_1 = T.alloc_buffer((1024,), "float16", data=acc, scope="wmma.accumulator")
            T.tvm_fill_fragment(acc, 16, 16, 16, 0, T.float32(0.0))
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(256),), "float16")):
        acc = T.handle("float16", "wmma.accumulator")
        with T.launch_thread("blockIdx.x", T.int64(1)) as bx:
            with T.attr(acc, "fragment_layout", "row_major"):
                with T.attr(acc, "fragment_shape", "16, 16, 16"):
                    acc_1 = T.alloc_buffer((1024,), "float16", scope="wmma.accumulator", data=acc)
            T.tvm_fill_fragment(acc, 16, 16, 16, 0, T.float32(0.0))
tvm_fragment_scope.py:14:13: error: the variable acc is not defined here
                T.tvm_fill_fragment(acc, 16, 16, 16, 0, T.float32(0.0))
                ^
