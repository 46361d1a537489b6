# Two dtypes in one sum.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), z: R.Tensor(("n", 8), "float16")):
        n = T.int64()
        y = R.add(x, z)
        return y
# WANT:
error_type_dtype.py:9:13: error: add: want operands of one dtype, got float32 for x1 and float16 for x2; cast one with R.astype
            y = R.add(x, z)
                ^
