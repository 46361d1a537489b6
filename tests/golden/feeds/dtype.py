# Another dtype of as many bits, and of fewer.
# RUN: relax compile %s -o m.rlx; ! relax run m.rlx -i x=i32[3,4] && ! relax eval %s main 'x=i32[3,4]'
# RUN: ! relax run m.rlx -i x=f16[3,4] && ! relax eval %s main 'x=f16[3,4]'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        return R.exp(x)
# WANT:
relax: error: main: x has dtype int32, but must have float32
dtype.py:7:9: error: main: x has dtype int32, but must have float32
        def main(x: R.Tensor(("n", 4), "float32")):
            ^
relax: error: main: x has dtype float16, but must have float32
dtype.py:7:9: error: main: x has dtype float16, but must have float32
        def main(x: R.Tensor(("n", 4), "float32")):
            ^
