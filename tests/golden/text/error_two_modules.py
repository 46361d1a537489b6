# Two modules in one text.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

@I.ir_module
class Second:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_two_modules.py:11:7: error: one module per text
    class Second:
          ^
error_two_modules.py:13:9: error: the module has a function 'main' already
        def main(x: R.Tensor((4,), "float32")):
            ^
error_two_modules.py:7:9: note: it is here
        def main(x: R.Tensor((4,), "float32")):
            ^
