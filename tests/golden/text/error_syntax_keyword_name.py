# A keyword as a name.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        lambda = R.exp(x)
        return x
# WANT:
error_syntax_keyword_name.py:9:9: error: expected a name, got 'lambda'
            lambda = R.exp(x)
            ^
