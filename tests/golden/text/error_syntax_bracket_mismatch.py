# A bracket closed by another kind.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.reshape(x, R.shape([8, n)))
        return y
# WANT:
error_syntax_bracket_mismatch.py:9:39: error: expected ']', got ')'
            y = R.reshape(x, R.shape([8, n)))
                                          ^
