# An attribute that the operator has not.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.nn.softmax(x, axs=-1)
        return y
# WANT:
error_name_keyword.py:9:33: error: R.nn.softmax: has no argument 'axs'; did you mean 'axis'?
            y = R.nn.softmax(x, axs=-1)
                                    ^
