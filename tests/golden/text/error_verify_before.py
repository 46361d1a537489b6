# A variable used before it is defined.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.exp(z)
        z = R.exp(x)
        return y
# WANT:
error_verify_before.py:9:19: error: 'z' is not defined
            y = R.exp(z)
                      ^
