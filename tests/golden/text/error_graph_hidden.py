# A variable of a dataflow block that is no output.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(a)
            R.output(b)
        return a
# WANT:
error_graph_hidden.py:13:16: error: 'a' is not visible here; a dataflow block shows only what R.output(...) lists, and a branch only the variable it ends with
            return a
                   ^
