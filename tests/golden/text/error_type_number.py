# A number where a tensor is wanted.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.add(x, 1)
        return y
# WANT:
error_type_number.py:9:13: error: add: want operands of one dtype, got float32 for x1 and int64 for x2; cast one with R.astype
            y = R.add(x, 1)
                ^
