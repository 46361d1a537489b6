# A line that is indented for no reason.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(x)
            z = R.exp(y)
        return y
# WANT:
error_syntax_indent.py:10:13: error: this line is indented more than the block it is in
                z = R.exp(y)
                ^
