# A constant that its dtype can not hold.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.const([1, 300], "int8")
        return y
# WANT:
error_type_const_range.py:9:25: error: the number 300 does not fit in int8
            y = R.const([1, 300], "int8")
                            ^
