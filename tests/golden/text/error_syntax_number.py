# A number that is none.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.const(1.5.2, "float32")
        return y
# WANT:
error_syntax_number.py:9:24: error: expected ')', got '.2'
            y = R.const(1.5.2, "float32")
                           ^
