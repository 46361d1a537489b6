# An attribute of the wrong kind.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.nn.softmax(x, axis="last")
        return y
# WANT:
error_type_attr.py:9:13: error: nn.softmax: attribute axis: want an int, got "last"
            y = R.nn.softmax(x, axis="last")
                ^
