# A variable of a branch used behind it.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
        n = T.int64()
        if c:
            a = R.exp(x)
            y = R.exp(a)
        else:
            y = R.negative(x)
        return a
# WANT:
error_graph_branch_hidden.py:14:16: error: 'a' is not visible here; a dataflow block shows only what R.output(...) lists, and a branch only the variable it ends with
            return a
                   ^
