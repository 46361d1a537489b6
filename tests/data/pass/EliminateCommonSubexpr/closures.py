# Inside of local functions, and calls of them.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        @R.function
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            w = R.exp(z)
            w2 = R.exp(z)
            v = R.multiply(w, w2)
            return v
        h = f(x)
        h2 = f(x)
        i = R.add(h, h2)
        return i
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        
        @R.function
        def f(z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
            w: R.Tensor((4,), dtype="float32") = R.exp(z)
            w2: R.Tensor((4,), dtype="float32") = w
            v: R.Tensor((4,), dtype="float32") = R.multiply(w, w)
            return v

        h: R.Tensor((4,), dtype="float32") = f(x)
        h2: R.Tensor((4,), dtype="float32") = h
        i: R.Tensor((4,), dtype="float32") = R.add(h, h)
        return i
