# A value of the graph in a loop program.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        B[0] = R.const(1.0, "float32")
# WANT:
error_loop_graph_value.py:8:16: error: R.const: values of the graph stand in R.function alone
            B[0] = R.const(1.0, "float32")
                   ^
