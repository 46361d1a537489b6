# An operator with too many arguments.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(x, x)
        return y
# WANT:
error_type_too_many.py:9:22: error: R.exp: takes 1 argument without a name, got more
            y = R.exp(x, x)
                         ^
