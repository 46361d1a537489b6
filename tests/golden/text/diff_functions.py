# A function that one module has alone.
# RUN: sed 's/def other/def another/' %s > other.py; relax diff %s other.py
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def other(x: R.Tensor((4,), "float32")):
        return x
# WANT:
function 'other' is in the first module alone
