# A decorator with a slip of the pen.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.funktion
    def main(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_name_decorator.py:6:6: error: the decorator @R.funktion is not known; did you mean @R.function?
        @R.funktion
         ^
