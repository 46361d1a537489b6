# RUN: relax opt --pipeline default --verify-numerics %s | grep -o 'rx.builtin[.a-z_]*' | sort -u
# Functions of the runtime stay what they are through every pass: those with destinations and those that make results.
@I.ir_module
class Module:
    @R.function
    def sorted(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.sort(x, axis=1, descending=True)
            b = R.argsort(x, axis=0)
            c = R.topk(a, k=2, axis=1, ret_type="values")
            d = R.topk(x, k=1, axis=1)
            R.output(b, c, d)
        return (b, c, d)

    @R.function
    def made(x: R.Tensor(("n",), "int64"), p: R.Tensor(("n", 3), "bool")):
        n = T.int64()
        k = T.int64()
        u = R.unique(x, sorted=True)
        v = R.match_cast(u, R.Tensor((k,), "int64"))
        w = R.add(v, v)
        z = R.nonzero(p)
        return (w, z)

    @R.function
    def sliced(x: R.Tensor((5, 4), "float32"), b: R.Tensor((2,), "int64"), e: R.Tensor((2,), "int64"), s: R.Tensor((2,), "int64")):
        y = R.dynamic_strided_slice(x, b, e, s)
        return y
# WANT:
rx.builtin.argsort
rx.builtin.dynamic_strided_slice
rx.builtin.nonzero
rx.builtin.sort
rx.builtin.topk
rx.builtin.unique
