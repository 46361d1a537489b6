# A quoted dim that is no expression.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n +", 4), "float32")):
        n = T.int64()
        return x
# WANT:
error_name_quoted_symbol.py:7:27: error: the dim "n +": expected a value, got the end of the text
        def main(x: R.Tensor(("n +", 4), "float32")):
                              ^
