# RUN: relax opt --pass ToNonDataflow %s
# Blocks in branches and in a local function open too, and what stood in neighbouring blocks stands in one.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        @R.function
        def local(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            k = T.int64()
            with R.dataflow():
                a = R.exp(y)
                R.output(a)
            return a
        with R.dataflow():
            s = R.sin(x)
            R.output(s)
        with R.dataflow():
            t = R.cos(s)
            R.output(t)
        if c:
            with R.dataflow():
                p = R.add(t, s)
                R.output(p)
            r = local(p)
        else:
            r = t
        return r
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        @R.function
        def local(y: R.Tensor((k,), dtype="float32")) -> R.Tensor((k,), dtype="float32"):
            a: R.Tensor((k,), dtype="float32") = R.exp(y)
            return a

        s: R.Tensor((n,), dtype="float32") = R.sin(x)
        t: R.Tensor((n,), dtype="float32") = R.cos(s)
        if c:
            p: R.Tensor((n,), dtype="float32") = R.add(t, s)
            r_then: R.Tensor((n,), dtype="float32") = local(p)
            r: R.Tensor((n,), dtype="float32") = r_then
        else:
            r: R.Tensor((n,), dtype="float32") = t
        return r
