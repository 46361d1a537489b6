# RUN: relax opt --pass FuseAttention,DeadCodeElimination %s
# Without a mask and groups; a divisor, the factor on the left, none.
@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor(("b", 2, "s", 4), "float32"), k: R.Tensor(("b", 2, "t", 4), "float32"), v: R.Tensor(("b", 2, "t", 4), "float32")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scaled = R.divide(dots, R.const(2.0, "float32"))
            p = R.nn.softmax(scaled)
            y = R.matmul(p, v)
            turned2 = R.permute_dims(k, axes=[0, 1, -1, -2])
            dots2 = R.matmul(q, turned2)
            scaled2 = R.multiply(R.const(0.25, "float32"), dots2)
            p2 = R.nn.softmax(scaled2, axis=3)
            y2 = R.matmul(p2, v)
            turned3 = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots3 = R.matmul(q, turned3)
            p3 = R.nn.softmax(dots3)
            y3 = R.matmul(p3, v)
            R.output(y, y2, y3)
        return (y, y2, y3)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor(("b", 2, "s", 4), dtype="float32"), k: R.Tensor(("b", 2, "t", 4), dtype="float32"), v: R.Tensor(("b", 2, "t", 4), dtype="float32")) -> R.Tuple(R.Tensor(("b", 2, "s", 4), dtype="float32"), R.Tensor(("b", 2, "s", 4), dtype="float32"), R.Tensor(("b", 2, "s", 4), dtype="float32")):
        b = T.int64()
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            y: R.Tensor((b, 2, s, 4), dtype="float32") = R.rx.dense_attention(q, k, v, scale=0.5, causal_mask=None, hidden=0.0)
            y2: R.Tensor((b, 2, s, 4), dtype="float32") = R.rx.dense_attention(q, k, v, scale=0.25, causal_mask=None, hidden=0.0)
            y3: R.Tensor((b, 2, s, 4), dtype="float32") = R.rx.dense_attention(q, k, v, scale=1.0, causal_mask=None, hidden=0.0)
            R.output(y, y2, y3)
        return (y, y2, y3)
