# Text in a constant.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.const(["a"], "float32")
        return y
# WANT:
error_type_const_text.py:9:22: error: R.const: want a number, got a string
            y = R.const(["a"], "float32")
                         ^
