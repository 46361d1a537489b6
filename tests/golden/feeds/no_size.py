# Sizes that leave 64 bits or divide by zero name what was computed, and from what; two dims that do not broadcast name
# both symbols. Compiled and interpreted.
# RUN: relax compile %s -o m.rlx; for s in '(4294967296,4294967296)'; do ! relax run m.rlx --func product -i s=$s && ! relax eval %s product s=$s || exit 1; done
# RUN: ! relax run m.rlx --func quotient -i x=f32[6] -i 's=(0,2)' && ! relax eval %s quotient 'x=f32[6]' 's=(0,2)'
# RUN: ! relax run m.rlx --func nested -i 's=(2,2)' && ! relax run m.rlx --func nested -i 's=(4611686018427387904,3)'
# RUN: ! relax run m.rlx --func sum -i x=f32[4] -i y=f32[17] && ! relax eval %s sum 'x=f32[4]' 'y=f32[17]'
@I.ir_module
class Module:
    @R.function
    def product(s: R.Shape(["a", "b"])):
        a = T.int64()
        b = T.int64()
        return R.shape([a * b])

    @R.function
    def quotient(x: R.Tensor(("n",), "float32"), s: R.Shape(["k", "l"])):
        n = T.int64()
        k = T.int64()
        l = T.int64()
        return R.shape([n // k, l])

    @R.function
    def nested(s: R.Shape(["a", "b"])):
        a = T.int64()
        b = T.int64()
        return R.shape([T.max(a * 3, b) * 2 - (b - (a - b)), (a + b) * 3 // ((a - b) * (a + 1))])

    @R.function
    def sum(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        return R.add(x, y)
# WANT:
relax: error: product: a * b leaves the range of int64, as a is 4294967296 and b is 4294967296
no_size.py:13:16: error: product: a * b leaves the range of int64, as a is 4294967296 and b is 4294967296
            return R.shape([a * b])
                   ^
relax: error: quotient: n // k divides by zero, as n is 6 and k is 0
no_size.py:20:16: error: quotient: n // k divides by zero, as n is 6 and k is 0
            return R.shape([n // k, l])
                   ^
relax: error: nested: (a + b) * 3 // ((a - b) * (a + 1)) divides by zero, as a is 2 and b is 2
relax: error: nested: T.max(a * 3, b) * 2 - (b - (a - b)) leaves the range of int64, as a is 4611686018427387904 and b is 3
relax: error: sum: add: m broadcast to n is 17, but n broadcast to m is 4, as n is 4, bound by x.shape[0] and m is 17, bound by y.shape[0] (line 30)
no_size.py:30:16: error: sum: add: m broadcast to n is 17, but n broadcast to m is 4, as n is 4, bound by x.shape[0] and m is 17, bound by y.shape[0]
            return R.add(x, y)
                   ^
