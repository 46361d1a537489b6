# An element of what is no tuple.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = x[0]
        return y
# WANT:
error_type_item_tensor.py:9:13: error: x[0]: want a tuple, got R.Tensor((n, 8), dtype="float32")
            y = x[0]
                ^
