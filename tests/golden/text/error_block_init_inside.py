# T.init in a loop of the block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        for i in range(16):
            with T.sblock("b"):
                v = T.axis.spatial(16, i)
                for j in range(16):
                    with T.init():
                        B[v, j] = T.float32(0)
                    B[v, j] = B[v, j] + A[v, j]
# WANT:
error_block_init_inside.py:12:21: error: T.init belongs into T.sblock itself, not into a statement inside of it
                        with T.init():
                        ^
