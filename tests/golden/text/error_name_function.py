# A function that the module has not.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        cls = Module
        y = cls.mian(x, w)
        return y
# WANT:
error_name_function.py:10:17: error: the module has no function 'mian'; did you mean 'main'?
            y = cls.mian(x, w)
                    ^
