# A branch that gives no value.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
        n = T.int64()
        if c:
            pass
        else:
            y = R.exp(x)
        return y
# WANT:
error_graph_branch_empty.py:9:9: error: the then branch must end with the variable it gives: name = value
            if c:
            ^
