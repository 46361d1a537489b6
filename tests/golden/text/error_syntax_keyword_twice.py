# An argument given twice.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.nn.softmax(x, axis=0, axis=1)
        return y
# WANT:
error_syntax_keyword_twice.py:9:37: error: argument 'axis' is given twice
            y = R.nn.softmax(x, axis=0, axis=1)
                                        ^
