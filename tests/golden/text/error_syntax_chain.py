# Two assignments in one line.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        a = b = R.exp(x)
        return a
# WANT:
error_syntax_chain.py:9:13: error: one assignment per line: a = b = c is not read
            a = b = R.exp(x)
                ^
