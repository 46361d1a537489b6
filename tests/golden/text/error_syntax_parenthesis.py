# A bracket that is never closed.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(x
        return y
# WANT:
error_syntax_parenthesis.py:9:18: error: this bracket is never closed
            y = R.exp(x
                     ^
error_syntax_parenthesis.py:10:9: error: expected ')', got 'return'
            return y
            ^
