# A function without its colon.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"))
        return x
# WANT:
error_syntax_colon.py:7:43: error: expected ':', got the end of the line
        def main(x: R.Tensor((4,), "float32"))
                                              ^
