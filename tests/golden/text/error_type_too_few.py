# An operator with too few arguments.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.add(x)
        return y
# WANT:
error_type_too_few.py:9:13: error: R.add: argument 'x2' is missing
            y = R.add(x)
                ^
