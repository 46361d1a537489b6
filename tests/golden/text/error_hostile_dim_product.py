# A shape whose size does not fit in 64 bits.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.reshape(x, R.shape([4611686018427387904 * 4]))
        return y
# WANT:
error_hostile_dim_product.py:9:55: error: '*' of these two numbers has no value, or one that does not fit in 64 bits
            y = R.reshape(x, R.shape([4611686018427387904 * 4]))
                                                          ^
