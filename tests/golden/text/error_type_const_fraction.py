# A fraction in an integer constant.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.const([1, 2.5], "int32")
        return y
# WANT:
error_type_const_fraction.py:9:25: error: R.const: this number is no integer
            y = R.const([1, 2.5], "int32")
                            ^
