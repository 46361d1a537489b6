# A function without decorator.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    def main(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_syntax_function.py:6:5: error: this function has no decorator; write @R.function or @T.prim_func above it
        def main(x: R.Tensor((4,), "float32")):
        ^
