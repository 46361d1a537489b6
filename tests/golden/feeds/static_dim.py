# A dim that is written as a number, larger, smaller and missing.
# RUN: relax compile %s -o m.rlx; ! relax run m.rlx -i x=f32[3,5] && ! relax eval %s main 'x=f32[3,5]'
# RUN: ! relax run m.rlx -i x=f32[3,3] && ! relax eval %s main 'x=f32[3,3]'
# RUN: ! relax run m.rlx -i x=f32[4] && ! relax eval %s main 'x=f32[4]'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        return R.exp(x)
# WANT:
relax: error: main: x.shape[1] is 5, but must be 4
static_dim.py:8:9: error: main: x.shape[1] is 5, but must be 4
        def main(x: R.Tensor(("n", 4), "float32")):
            ^
relax: error: main: x.shape[1] is 3, but must be 4
static_dim.py:8:9: error: main: x.shape[1] is 3, but must be 4
        def main(x: R.Tensor(("n", 4), "float32")):
            ^
relax: error: main: x has 1 dim, but must have 2: R.Tensor((n, 4), dtype="float32")
static_dim.py:8:9: error: main: x has 1 dim, but must have 2
        def main(x: R.Tensor(("n", 4), "float32")):
            ^
