# A parameter with a default.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32") = None):
        n = T.int64()
        return x
# WANT:
error_syntax_default.py:7:43: error: parameters have no default values
        def main(x: R.Tensor((4,), "float32") = None):
                                              ^
