# An annotation that contradicts the value.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y: R.Tensor((n, 9), "float32") = R.exp(x)
        return y
# WANT:
error_type_annotation.py:9:42: error: exp: annotated as R.Tensor((n, 9), dtype="float32"), but it is R.Tensor((n, 8), dtype="float32")
            y: R.Tensor((n, 9), "float32") = R.exp(x)
                                             ^
