# A result of another type than stated.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")) -> R.Tensor((3, 3), "float32"):
        n = T.int64()
        return x
# WANT:
error_type_return.py:7:14: error: main: returns R.Tensor((n, 8), dtype="float32"), but is declared to return R.Tensor((3, 3), dtype="float32")
        def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")) -> R.Tensor((3, 3), "float32"):
                 ^
