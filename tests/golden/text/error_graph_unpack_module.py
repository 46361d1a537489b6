# The module itself is not taken apart.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32")):
        a, b = Module
        return x
# WANT:
error_graph_unpack_module.py:8:16: error: value: want a value of the graph, got the module
            a, b = Module
                   ^
