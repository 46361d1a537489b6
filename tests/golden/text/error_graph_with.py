# Another with than R.dataflow().
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        with R.something():
            y = R.exp(x)
        return x
# WANT:
error_graph_with.py:9:9: error: in a graph function 'with' opens R.dataflow() alone
            with R.something():
            ^
