# A dim that does not fit in 64 bits.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((99999999999999999999, 4), "float32")):
        n = T.int64()
        return x
# WANT:
error_hostile_dim.py:7:27: error: the number '99999999999999999999' does not fit in 64 bits
        def main(x: R.Tensor((99999999999999999999, 4), "float32")):
                              ^
