# A loop with a step counts its rounds; so TVM's CanonicalizeLoop has it.
# RUN: relax fmt --canonical %s
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
# WANT:
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
