# A value that does nothing.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        3 + 4
        return x
# WANT:
error_graph_statement.py:9:9: error: a number alone does nothing
            3 + 4
            ^
