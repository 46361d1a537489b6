# A symbol inside of an expression of another parameter.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tensor(("n",), "float32"), w: R.Tensor(("n * 2",), "float32")) -> R.Tensor(("n", 2), "float32"):
        n = T.int64()
        a = R.reshape(w, R.shape([n, 2]))
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n * 2",), "float32")):
        cls = Module
        b = cls.sub(x, y)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(w: R.Tensor(("n * 2",), dtype="float32"), param_n: R.Prim(value="n")) -> R.Tensor(("n", 2), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n, 2), dtype="float32") = R.reshape(w, R.shape([n, 2]))
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n * 2",), dtype="float32")) -> R.Tensor(("n", 2), dtype="float32"):
        n = T.int64()
        cls = Module
        b: R.Tensor((n, 2), dtype="float32") = cls.sub(y, R.prim_value(n))
        return b
