# An axis that the tensor has not.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.nn.softmax(x, axis=5)
        return y
# WANT:
error_type_axis.py:9:13: error: nn.softmax: axis 5 is out of range for 2 dims
            y = R.nn.softmax(x, axis=5)
                ^
