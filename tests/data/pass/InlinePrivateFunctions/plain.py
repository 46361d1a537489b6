# Plain blocks.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        u = R.exp(z)
        return u

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        cls = Module
        a = cls.sub(x)
        b = cls.sub(a)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        u: R.Tensor((n,), dtype="float32") = R.exp(x)
        u_1: R.Tensor((n,), dtype="float32") = R.exp(u)
        return u_1
