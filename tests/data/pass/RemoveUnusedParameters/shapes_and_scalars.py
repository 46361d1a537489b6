# Shapes and scalars are parameters too.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n", "m"), "float32"), s: R.Shape(["n", "k"]), p: R.Prim("int64")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        k = T.int64()
        a = R.zeros(R.shape([n]), "float32")
        return a

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        c = cls.sub(x, R.shape([n, m]), R.prim_value(3))
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(param_n: R.Prim(value="n")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n,), dtype="float32") = R.zeros(R.shape([n]), dtype="float32")
        return a

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        c: R.Tensor((n,), dtype="float32") = cls.sub(R.prim_value(n))
        return c
