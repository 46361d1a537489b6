# RUN: relax opt --pass LambdaLift %s
# What captures a value becomes a closure object, what doesn't is called directly.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        n = T.int64()
        @R.function
        def f(z: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            u = R.add(z, x)
            return u
        @R.function
        def g(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            u = R.exp(z)
            return u
        a = f(y)
        b = g(a)
        c = g(b)
        return c
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        f: R.Object = R.make_closure(cls.main_f, (x,))
        a: R.Tensor((n,), dtype="float32") = R.invoke_pure_closure(f, (y,), sinfo_args=(R.Tensor((n,), dtype="float32"),))
        b: R.Tensor((n,), dtype="float32") = cls.main_g(a)
        c: R.Tensor((n,), dtype="float32") = cls.main_g(b)
        return c

    @R.function(private=True)
    def main_f(z: R.Tensor(("n",), dtype="float32"), x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        u: R.Tensor((n,), dtype="float32") = R.add(z, x)
        return u

    @R.function(private=True)
    def main_g(z: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        u: R.Tensor((k,), dtype="float32") = R.exp(z)
        return u
