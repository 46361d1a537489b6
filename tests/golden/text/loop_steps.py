# A loop with a step stays one in print; where programs are computed with, it counts its rounds, as TVM's CanonicalizeLoop
# has it.
# RUN: relax fmt --canonical %s
# RUN: relax opt --pass Normalize %s
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32"), n: T.int64):
        for i in range(0, 16, 2):
            A[i] = T.float32(1.0)
        for i in T.unroll(2, 16, step=3):
            A[i] = T.float32(1.0)
        for i in T.serial(n, step=4):
            A[i] = T.float32(1.0)
        for i in range(3, 16, 1):
            A[i] = T.float32(1.0)

    @T.prim_func(s_tir=True)
    def g(A: T.Buffer((16,), "float32")):
        for i in range(0, 16, 2):
            with T.sblock("even"):
                v = T.axis.remap("S", [i])
                A[v] = T.float32(1.0)
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32"), n: T.int64):
        for i in range(0, 16, 2):
            A[i] = T.float32(1.0)
        for i in T.unroll(2, 16, step=3):
            A[i] = T.float32(1.0)
        for i in range(T.int64(0), n, T.int64(4)):
            A[i] = T.float32(1.0)
        for i in range(3, 16, 1):
            A[i] = T.float32(1.0)

    @T.prim_func(s_tir=True)
    def g(A: T.Buffer((16,), "float32")):
        # with T.sblock("root"):
        for i in range(0, 16, 2):
            with T.sblock("even"):
                v = T.axis.spatial(16, i)
                A[v] = T.float32(1.0)
# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32"), n: T.int64):
        for i in range(8):
            A[i * 2] = T.float32(1.0)
        for i in T.unroll(5):
            A[2 + i * 3] = T.float32(1.0)
        for i in range((n + T.int64(3)) // T.int64(4)):
            A[i * T.int64(4)] = T.float32(1.0)
        for i in range(3, 16):
            A[i] = T.float32(1.0)

    @T.prim_func(s_tir=True)
    def g(A: T.Buffer((16,), "float32")):
        # with T.sblock("root"):
        for i in range(8):
            with T.sblock("even"):
                v = T.axis.spatial(16, i * 2)
                A[v] = T.float32(1.0)
