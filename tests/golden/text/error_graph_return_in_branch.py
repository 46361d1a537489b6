# A return inside a branch.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
        n = T.int64()
        if c:
            return x
        else:
            y = R.exp(x)
        return y
# WANT:
error_graph_return_in_branch.py:9:9: error: the then branch must end with the variable it gives: name = value
            if c:
            ^
error_graph_return_in_branch.py:10:13: error: 'return' can't stand in a branch
                return x
                ^
