# A dtype that does not exist.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "flaot32")):
        n = T.int64()
        return x
# WANT:
error_name_dtype.py:7:32: error: R.Tensor: unknown dtype "flaot32"; did you mean "float32"?
        def main(x: R.Tensor((4,), "flaot32")):
                                   ^
