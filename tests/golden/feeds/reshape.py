# A reshape that drops an element where n is odd: right for 4, refused for 5. The same by a shape that is an argument.
# RUN: relax compile %s -o m.rlx; relax run m.rlx -i x=f32[4] >even && ! relax run m.rlx -i x=f32[5] && ! relax eval %s main 'x=f32[5]'
# RUN: relax run m.rlx --func to -i x=f32[4] -i 's=(2,2)' >even && ! relax run m.rlx --func to -i x=f32[5] -i 's=(2,2)' && ! relax eval %s to 'x=f32[5]' 's=(2,2)'
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        return R.reshape(x, R.shape([n // 2, 2]))

    @R.function
    def to(x: R.Tensor(("n",), "float32"), s: R.Shape(["a", "b"])):
        a = T.int64()
        b = T.int64()
        return R.reshape(x, R.shape([a, b]))
# WANT:
relax: error: main: reshape: n // 2 * 2 is 4, but n is 5, bound by x.shape[0] (line 9)
reshape.py:9:16: error: main: reshape: n // 2 * 2 is 4, but n is 5, bound by x.shape[0]
            return R.reshape(x, R.shape([n // 2, 2]))
                   ^
relax: error: to: reshape: a * b is 4, but n is 5, bound by x.shape[0] (line 15)
reshape.py:15:16: error: to: reshape: a * b is 4, but n is 5, bound by x.shape[0]
            return R.reshape(x, R.shape([a, b]))
                   ^
