# A function that returns nothing.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(x)
# WANT:
error_graph_no_return.py:7:9: error: function 'main' has no 'return'
        def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
            ^
