# A block without lines.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
    @R.function
    def other(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_syntax_block.py:8:5: error: expected an indented block after ':'
        @R.function
        ^
