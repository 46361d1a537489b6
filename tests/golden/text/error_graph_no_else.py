# An if without else.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
        n = T.int64()
        if c:
            y = R.exp(x)
        return x
# WANT:
error_graph_no_else.py:9:9: error: this 'if' has no 'else': each branch must give the value
            if c:
            ^
