# Two functions of one name.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_verify_duplicate.py:11:9: error: the module has a function 'main' already
        def main(x: R.Tensor((4,), "float32")):
            ^
error_verify_duplicate.py:7:9: note: it is here
        def main(x: R.Tensor((4,), "float32")):
            ^
