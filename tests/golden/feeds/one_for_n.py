# A dim of 1 where n is 3: that would broadcast in NumPy; the annotation says n.
# RUN: relax compile %s -o m.rlx; ! relax run m.rlx -i x=f32[3,4] -i y=f32[1,4] && ! relax eval %s main 'x=f32[3,4]' 'y=f32[1,4]'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        return R.multiply(x, y)
# WANT:
relax: error: main: y.shape[0] is 1, but n is 3, bound by x.shape[0]
one_for_n.py:6:9: error: main: y.shape[0] is 1, but n is 3, bound by x.shape[0]
        def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
            ^
