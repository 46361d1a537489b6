# A buffer used outside its block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(4):
            with T.sblock("b"):
                v = T.axis.spatial(4, i)
                C = T.sblock_alloc_buffer((4,))
                C[v] = B[v]
        B[0] = C[0]
# WANT:
error_loop_scope.py:13:16: error: 'C' is not defined
            B[0] = C[0]
                   ^
