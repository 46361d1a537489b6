# Names inside branches and closures.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        a = x
        if c:
            b = a
            e = R.exp(b)
        else:
            e = a
        @R.function
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            u = z
            t = (u, a)
            v = t[1]
            return v
        g = f
        h = g(x)
        return (e, h)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        if c:
            e_then: R.Tensor((4,), dtype="float32") = R.exp(x)
            e: R.Tensor((4,), dtype="float32") = e_then
        else:
            e: R.Tensor((4,), dtype="float32") = x
        
        @R.function
        def f(z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
            t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z, x
            return x

        h: R.Tensor((4,), dtype="float32") = f(x)
        return (e, h)
