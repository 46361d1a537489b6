# Branches that end with different variables.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
        n = T.int64()
        if c:
            y = R.exp(x)
        else:
            z = R.exp(x)
        return x
# WANT:
error_graph_branches.py:9:9: error: the branches end with different variables: 'y' and 'z'
            if c:
            ^
