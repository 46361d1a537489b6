# A symbol that nothing defines.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.reshape(x, R.shape([m * 8]))
        return y
# WANT:
error_name_symbol.py:9:35: error: 'm' is not defined
            y = R.reshape(x, R.shape([m * 8]))
                                      ^
