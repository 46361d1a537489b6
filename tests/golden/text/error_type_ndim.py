# ndim that contradicts the dims.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32", ndim=3)):
        n = T.int64()
        return x
# WANT:
error_type_ndim.py:7:17: error: R.Tensor: 2 dims, but ndim=3
        def main(x: R.Tensor((4, 4), "float32", ndim=3)):
                    ^
