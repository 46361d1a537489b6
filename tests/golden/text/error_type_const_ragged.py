# A constant whose lists differ in length.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.const([[1.0, 2.0], [3.0]], "float32")
        return y
# WANT:
error_type_const_ragged.py:9:34: error: R.const: this list has 1 element, others at its level 2
            y = R.const([[1.0, 2.0], [3.0]], "float32")
                                     ^
