# A lambda that is cut off.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(4):
            with T.sblock("b"):
                T.sblock_attr({"m": T.index_map(lambda i, j)})
                B[i] = T.float32(0)
# WANT:
error_syntax_lambda.py:10:60: error: expected ':', got ')'
                    T.sblock_attr({"m": T.index_map(lambda i, j)})
                                                               ^
