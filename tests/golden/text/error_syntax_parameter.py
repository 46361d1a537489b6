# A parameter without annotation.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x):
        n = T.int64()
        return x
# WANT:
error_syntax_parameter.py:7:14: error: parameter 'x' has no annotation; write x: R.Tensor(...)
        def main(x):
                 ^
