# Too few arguments for a function.
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
        y = cls.helper(x)
        return y
# WANT:
error_call_count.py:14:17: error: helper: want 2 arguments, got 1
            y = cls.helper(x)
                    ^
error_call_count.py:7:9: note: helper is declared here
        def helper(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n"])) -> R.Tensor(("n",), "float32"):
            ^
