# Something behind a statement.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(x) R.exp(x)
        return y
# WANT:
error_syntax_stray.py:9:22: error: expected the end of the line, got 'R'
            y = R.exp(x) R.exp(x)
                         ^
