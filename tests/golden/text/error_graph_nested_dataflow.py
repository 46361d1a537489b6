# A dataflow block in another one.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        with R.dataflow():
            with R.dataflow():
                y = R.exp(x)
                R.output(y)
            R.output(y)
        return x
# WANT:
error_graph_nested_dataflow.py:10:13: error: a dataflow block can't stand in another one
                with R.dataflow():
                ^
error_graph_nested_dataflow.py:13:22: error: 'y' is not defined
                R.output(y)
                         ^
