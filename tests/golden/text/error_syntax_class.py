# A class without decorator.
# RUN: relax check %s
# FAILS: 1
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_syntax_class.py:4:1: error: this class has no decorator; write @I.ir_module above it
    class Module:
    ^
