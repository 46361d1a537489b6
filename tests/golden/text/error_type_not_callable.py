# A call of what is no function.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = x(w)
        return y
# WANT:
error_type_not_callable.py:9:13: error: x is R.Tensor((n, 8), dtype="float32"), which can't be called
            y = x(w)
                ^
