# A variable with an annotation and no value.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y: R.Tensor(("n", 8), "float32")
        return x
# WANT:
error_graph_no_value.py:9:9: error: 'y' is annotated, but gets no value
            y: R.Tensor(("n", 8), "float32")
            ^
