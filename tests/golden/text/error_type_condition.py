# A condition that is no bool.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        if x:
            y = R.exp(x)
        else:
            y = R.negative(x)
        return y
# WANT:
error_type_condition.py:9:9: error: if: want a condition R.Tensor((), dtype="bool") or R.Prim("bool"), got R.Tensor((n, 8), dtype="float32")
            if x:
            ^
