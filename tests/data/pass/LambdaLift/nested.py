# A local function in a local function.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        n = T.int64()
        @R.function
        def f(z: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            @R.function
            def g(w: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
                v = R.add(w, z)
                return v
            u = g(x)
            return u
        a = f(y)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def main_f(z: R.Tensor(("n",), dtype="float32"), x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        g: R.Object = R.make_closure(cls.main_g, (z,))
        u: R.Tensor((n,), dtype="float32") = R.invoke_pure_closure(g, (x,), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return u

    @R.function(private=True)
    def main_g(w: R.Tensor(("n",), dtype="float32"), z: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        v: R.Tensor((n,), dtype="float32") = R.add(w, z)
        return v

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        f: R.Object = R.make_closure(cls.main_f, (x,))
        a: R.Tensor((n,), dtype="float32") = R.invoke_pure_closure(f, (y,), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        return a
