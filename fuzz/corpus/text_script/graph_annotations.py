@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), a: R.Tensor, b: R.Tensor("float16"), c: R.Tensor(ndim=3), d: R.Tensor("int8", ndim=2), e: R.Tensor((), "bool"), s: R.Shape(["n", "m", 3]), t: R.Shape(ndim=2), u: R.Shape, p: R.Prim("int64"), q: R.Prim(value="n"), o: R.Object, tt: R.Tuple(R.Tensor((4,), "float32"), R.Tuple(R.Shape(ndim=1), R.Object)), te: R.Tuple, f: R.Callable((R.Tensor(("n", 4), "float32"), R.Prim("float32")), R.Tensor(("n",), "float32"), True), g: R.Callable, h: R.Callable((R.Object,), R.Tuple, False)) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        m = T.int64()
        return x
