# RUN: relax opt --pass LegalizeOps %s
# FAILS: 1
# The input breaks a rule before any pass has run.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        with R.dataflow():
            y = R.call_packed("f", x, sinfo_args=(R.Tensor(ndim=1),))
            R.output(y)
        return y
# WANT:
wrong_input.py:9:17: error: y: the call may have effects, which a dataflow block must not have
                y = R.call_packed("f", x, sinfo_args=(R.Tensor(ndim=1),))
                    ^
