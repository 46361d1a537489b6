# Two T.init in a block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            with T.sblock("b"):
                v = T.axis.spatial(16, i)
                with T.init():
                    B[v] = T.float32(0)
                with T.init():
                    B[v] = T.float32(1)
                B[v] = B[v] + A[v, v]
# WANT:
error_loop_init_twice.py:13:17: error: this block has a T.init already
                    with T.init():
                    ^
