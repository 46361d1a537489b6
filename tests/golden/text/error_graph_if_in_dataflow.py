# Control flow in a dataflow block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
        n = T.int64()
        with R.dataflow():
            if c:
                y = R.exp(x)
            else:
                y = R.negative(x)
            R.output(y)
        return y
# WANT:
error_graph_if_in_dataflow.py:10:13: error: an 'if' can't stand in a dataflow block
                if c:
                ^
