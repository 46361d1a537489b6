# It captures a value computed before it.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y = R.exp(x)
        @R.function
        def f(z: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            u = R.add(z, y)
            v = R.add(u, y)
            return v
        a = f(x)
        b = f(a)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def main_f(z: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        u: R.Tensor((n,), dtype="float32") = R.add(z, y)
        v: R.Tensor((n,), dtype="float32") = R.add(u, y)
        return v

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y: R.Tensor((n,), dtype="float32") = R.exp(x)
        f: R.Object = R.make_closure(cls.main_f, (y,))
        a: R.Tensor((n,), dtype="float32") = R.invoke_pure_closure(f, (x,), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        b: R.Tensor((n,), dtype="float32") = R.invoke_pure_closure(f, (a,), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return b
