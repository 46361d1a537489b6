# The same symbol with two values, in two arguments and in one: refused, compiled and interpreted.
# RUN: relax compile %s -o m.rlx; ! relax run m.rlx -i x=f32[2,3] -i y=f32[4,3] && ! relax eval %s main 'x=f32[2,3]' 'y=f32[4,3]'
# RUN: ! relax run m.rlx --func square -i x=f32[2,3] && ! relax eval %s square 'x=f32[2,3]'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), y: R.Tensor(("n", 3), "float32")):
        return R.add(x, y)

    @R.function
    def square(x: R.Tensor(("n", "n"), "float32")):
        return R.add(x, x)
# WANT:
relax: error: main: y.shape[0] is 4, but n is 2, bound by x.shape[0]
symbol_twice.py:7:9: error: main: y.shape[0] is 4, but n is 2, bound by x.shape[0]
        def main(x: R.Tensor(("n", 3), "float32"), y: R.Tensor(("n", 3), "float32")):
            ^
relax: error: square: x.shape[1] is 3, but n is 2, bound by x.shape[0]
symbol_twice.py:11:9: error: square: x.shape[1] is 3, but n is 2, bound by x.shape[0]
        def square(x: R.Tensor(("n", "n"), "float32")):
            ^
