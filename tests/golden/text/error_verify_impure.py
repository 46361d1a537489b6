# A call with effects in a dataflow block.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        with R.dataflow():
            y = R.call_packed("f", x, sinfo_args=R.Tensor((n, 8), "float32"))
            R.output(y)
        return y
# WANT:
error_verify_impure.py:10:17: error: y: the call may have effects, which a dataflow block must not have
                y = R.call_packed("f", x, sinfo_args=R.Tensor((n, 8), "float32"))
                    ^
