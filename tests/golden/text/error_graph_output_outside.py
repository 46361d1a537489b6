# R.output outside of a dataflow block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(x)
        R.output(y)
        return y
# WANT:
error_graph_output_outside.py:10:9: error: R.output: there is no dataflow block around it
            R.output(y)
            ^
