# A reshape to another number of elements.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32")):
        n = T.int64()
        y = R.reshape(x, R.shape([3, 3]))
        return y
# WANT:
error_type_reshape.py:9:13: error: reshape: (2, 4) has 8 elements, the new shape 9
            y = R.reshape(x, R.shape([3, 3]))
                ^
