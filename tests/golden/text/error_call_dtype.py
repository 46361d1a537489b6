# An argument of another dtype.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        return R.sum(x, axis=[1])

    @R.function
    def main(x: R.Tensor((8, 4), "float32"), i: R.Tensor((8, 4), "int32")):
        cls = Module
        y = cls.helper(i, R.shape([8]))
        return y
# WANT:
error_call_dtype.py:14:17: error: helper: argument 1 (x) is R.Tensor((8, 4), dtype="int32"), want R.Tensor((n, 4), dtype="float32")
            y = cls.helper(i, R.shape([8]))
                    ^
error_call_dtype.py:7:9: note: helper is declared here
        def helper(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n"])) -> R.Tensor(("n",), "float32"):
            ^
