# Names come from the function around.
@I.ir_module
class Module:
    @R.function
    def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        @R.function
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            r = R.exp(z)
            return r
        a = f(x)
        return a

    @R.function
    def two(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        @R.function
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            r = R.negative(z)
            return r
        a = f(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def one(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        a: R.Tensor((4,), dtype="float32") = cls.one_f(x)
        return a

    @R.function(private=True)
    def one_f(z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        r: R.Tensor((4,), dtype="float32") = R.exp(z)
        return r

    @R.function
    def two(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        a: R.Tensor((4,), dtype="float32") = cls.two_f(x)
        return a

    @R.function(private=True)
    def two_f(z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        r: R.Tensor((4,), dtype="float32") = R.negative(z)
        return r
