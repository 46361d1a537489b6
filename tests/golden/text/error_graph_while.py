# A while in a graph function.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        while x:
            y = R.exp(x)
        return x
# WANT:
error_graph_while.py:9:9: error: loops stand in @T.prim_func alone; a graph function repeats by calling itself
            while x:
            ^
