# What the boundary of a function says of arguments that do not fit.
# RUN: relax eval %s main a=f32[3,4] b=f32[7]
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        return b
# WANT:
boundary.py:7:9: error: main: b.shape[0] is 7, but n is 3, bound by a.shape[0]
        def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
            ^
