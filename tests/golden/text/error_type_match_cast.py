# A match_cast that can never hold.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n, 9), "float32"))
        return y
# WANT:
error_type_match_cast.py:9:13: error: match_cast: dim 1 of x is 8, want 9
            y = R.match_cast(x, R.Tensor((n, 9), "float32"))
                ^
