# A symbol used before match_cast defines it.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        m = T.int64()
        y = R.reshape(x, R.shape([m, 4]))
        z = R.match_cast(x, R.Tensor((m, 8), "float32"))
        return y
# WANT:
error_verify_symbol_before.py:10:13: error: R.shape: the symbolic variable m is not defined here; a parameter or R.match_cast must have it as a dim of its own
            y = R.reshape(x, R.shape([m, 4]))
                ^
error_verify_symbol_before.py:10:13: error: y: the symbolic variable m is not defined here; a parameter or R.match_cast must have it as a dim of its own
            y = R.reshape(x, R.shape([m, 4]))
                ^
