# A closure as a result.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32")):
        @R.function
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            r = R.add(z, x)
            return r
        return f
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def main_f(z: R.Tensor((4,), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        r: R.Tensor((4,), dtype="float32") = R.add(z, x)
        return r

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True):
        cls = Module
        f: R.Object = R.make_closure(cls.main_f, (x,))
        return f
