# A name that is not defined, with the nearest one.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        first = R.exp(x)
        y = R.exp(frist)
        return y
# WANT:
error_name_variable.py:10:19: error: 'frist' is not defined; did you mean 'first'?
            y = R.exp(frist)
                      ^
