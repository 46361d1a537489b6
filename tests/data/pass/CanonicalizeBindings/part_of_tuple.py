# Some items of a tuple are not the tuple.
@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32"), R.Tensor(("n",), "float32"))):
        t0 = t[0]
        t1 = t[1]
        u = (t0, t1)
        v = (t0, t0, t1)
        return (u, v)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))) -> R.Tuple(R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")), R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))):
        n = T.int64()
        t0: R.Tensor((n,), dtype="float32") = t[0]
        t1: R.Tensor((n,), dtype="float32") = t[1]
        u: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = t0, t1
        v: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = t0, t0, t1
        return (u, v)
