# RUN: relax opt --pass CanonicalizeBindings %s
# Items of known tuples; a tuple of all items of another is that one.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), t: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32"))):
        a = R.exp(x)
        t1 = (a, x)
        d = t1[0]
        e = t1[1]
        f = R.add(d, e)
        t0 = t[0]
        t2 = t[1]
        whole = (t0, t2)
        swapped = (t2, t0)
        return (f, whole, swapped)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), t: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")), R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.exp(x)
        t1: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, x
        f: R.Tensor((n, 4), dtype="float32") = R.add(a, x)
        t0: R.Tensor((n,), dtype="float32") = t[0]
        t2: R.Tensor((n,), dtype="float32") = t[1]
        swapped: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = t2, t0
        return (f, t, swapped)
