# A loop program inside a graph function.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        @T.prim_func
        def f(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(0)
        return x
# WANT:
error_graph_prim_func_inside.py:10:13: error: a loop program can't stand in a graph function; put it beside it
            def f(A: T.Buffer((4,), "float32")):
                ^
