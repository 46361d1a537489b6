# A function that is called pure has effects.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.call_packed("f", x, sinfo_args=R.Tensor((n, 8), "float32"))
        return y
# WANT:
error_verify_impure_function.py:9:13: error: y: the call may have effects, but main is pure; say @R.function(pure=False)
            y = R.call_packed("f", x, sinfo_args=R.Tensor((n, 8), "float32"))
                ^
