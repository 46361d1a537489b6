# Inner dims that differ.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), n2: R.Tensor((3, 8), "float32")):
        n = T.int64()
        y = R.matmul(x, n2)
        return y
# WANT:
error_type_matmul.py:9:13: error: matmul: x1 has 8 columns, x2 has 3 rows: (n, 8) times (3, 8)
            y = R.matmul(x, n2)
                ^
