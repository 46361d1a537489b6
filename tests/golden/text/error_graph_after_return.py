# Statements that are never reached.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        return x
        y = R.exp(x)
# WANT:
error_graph_after_return.py:10:9: error: this is behind the 'return' and never reached
            y = R.exp(x)
            ^
