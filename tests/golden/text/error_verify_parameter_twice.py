# Two parameters of one name.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32")):
        n = T.int64()
        return x
# WANT:
error_verify_parameter_twice.py:7:44: error: parameter 'x' is named twice
        def main(x: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32")):
                                               ^
