# A positional argument behind one with a name.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.concat(axis=0, (x, x))
        return y
# WANT:
error_syntax_keyword_order.py:9:30: error: an argument without a name follows one with a name
            y = R.concat(axis=0, (x, x))
                                 ^
