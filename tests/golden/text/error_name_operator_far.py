# No operator is near enough to suggest.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.frobnicate(x)
        return y
# WANT:
error_name_operator_far.py:9:13: error: there is no operator R.frobnicate
            y = R.frobnicate(x)
                ^
