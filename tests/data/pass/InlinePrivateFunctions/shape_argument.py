# A symbol that comes in as a shape.
# DIFFERS: TVM leaves the callee's symbol k undefined; ours is the caller's n
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("k * 2",), "float32"), s: R.Shape(["k"])) -> R.Tensor(("k", 2), "float32"):
        k = T.int64()
        u = R.reshape(z, R.shape([k, 2]))
        return u

    @R.function
    def main(x: R.Tensor(("n * 2",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        cls = Module
        a = cls.sub(x, R.shape([n]))
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n * 2",), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor(("n", 2), dtype="float32"):
        n = T.int64()
        k = T.int64()
        u: R.Tensor((k, 2), dtype="float32") = R.reshape(x, R.shape([k, 2]))
        return u
