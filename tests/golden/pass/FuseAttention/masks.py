# RUN: relax opt --pass FuseAttention,DeadCodeElimination %s
# What is added to scores is a bias, on either side; so is a mask that hides any places; halves; factors of the keys. A
# number that leaves something of a score is the score. A bias of more than the scores are stays.
@I.ir_module
class Module:
    @R.function
    def added(q: R.Tensor(("b", 4, "n", 8), "float32"), k: R.Tensor(("b", 2, "m", 8), "float32"), v: R.Tensor(("b", 2, "m", 8), "float32"), mask: R.Tensor(("b", 1, "n", "m"), "float32"), far: R.Tensor((4, "n", "m"), "float32")):
        with R.dataflow():
            keys = R.repeat(k, 2, axis=1)
            values = R.repeat(v, 2, axis=1)
            turned = R.permute_dims(keys, axes=[0, 1, 3, 2])
            small = R.multiply(turned, R.const(0.5, "float32"))
            dots = R.matmul(q, small)
            scaled = R.multiply(dots, R.const(0.5, "float32"))
            scores = R.add(scaled, mask)
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, values)
            keys2 = R.repeat(k, 2, axis=1)
            values2 = R.repeat(v, 2, axis=1)
            turned2 = R.permute_dims(keys2, axes=[0, 1, 3, 2])
            dots2 = R.matmul(q, turned2)
            scores2 = R.add(far, dots2)
            p2 = R.nn.softmax(scores2, axis=-1)
            y2 = R.matmul(p2, values2)
            R.output(y, y2)
        return (y, y2)

    @R.function
    def hidden(q: R.Tensor(("b", 2, "n", 8), "float32"), k: R.Tensor(("b", 2, "m", 8), "float32"), v: R.Tensor(("b", 2, "m", 8), "float32"), mask: R.Tensor(("b", 1, 1, "m"), "bool")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scores = R.where(mask, dots, R.const(-3e38, "float32"))
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def halves(q: R.Tensor(("b", 2, "n", 8), "float16"), k: R.Tensor(("b", 2, "m", 8), "float16"), v: R.Tensor(("b", 2, "m", 8), "float16"), mask: R.Tensor(("n", "m"), "float16")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scores = R.add(dots, mask)
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def numbers(q: R.Tensor((1, 2, "n", 8), "float16"), k: R.Tensor((1, 2, "m", 8), "float16"), v: R.Tensor((1, 2, "m", 8), "float16"), mask: R.Tensor(("n", "m"), "bool"), more: R.Tensor(("b", 1, 1, 1), "float16")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scores = R.where(mask, dots, R.const(-60000.0, "float16"))
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            turned2 = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots2 = R.matmul(q, turned2)
            scores2 = R.add(dots2, more)
            p2 = R.nn.softmax(scores2, axis=-1)
            y2 = R.matmul(p2, v)
            R.output(y, y2)
        return (y, y2)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def added(q: R.Tensor(("b", 4, "n", 8), dtype="float32"), k: R.Tensor(("b", 2, "m", 8), dtype="float32"), v: R.Tensor(("b", 2, "m", 8), dtype="float32"), mask: R.Tensor(("b", 1, "n", "m"), dtype="float32"), far: R.Tensor((4, "n", "m"), dtype="float32")) -> R.Tuple(R.Tensor(("b", 4, "n", 8), dtype="float32"), R.Tensor(("b", 4, "n", 8), dtype="float32")):
        b = T.int64()
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y: R.Tensor((b, 4, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, mask, scale=0.25, causal_mask=None, hidden=0.0)
            y2: R.Tensor((b, 4, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, far, scale=1.0, causal_mask=None, hidden=0.0)
            R.output(y, y2)
        return (y, y2)

    @R.function
    def hidden(q: R.Tensor(("b", 2, "n", 8), dtype="float32"), k: R.Tensor(("b", 2, "m", 8), dtype="float32"), v: R.Tensor(("b", 2, "m", 8), dtype="float32"), mask: R.Tensor(("b", 1, 1, "m"), dtype="bool")) -> R.Tensor(("b", 2, "n", 8), dtype="float32"):
        b = T.int64()
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y_bias: R.Tensor((b, 1, 1, m), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-3.0000000054977558e+38, "float32"))
            y: R.Tensor((b, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-3.0000000054977558e+38)
            R.output(y)
        return y

    @R.function
    def halves(q: R.Tensor(("b", 2, "n", 8), dtype="float16"), k: R.Tensor(("b", 2, "m", 8), dtype="float16"), v: R.Tensor(("b", 2, "m", 8), dtype="float16"), mask: R.Tensor(("n", "m"), dtype="float16")) -> R.Tensor(("b", 2, "n", 8), dtype="float16"):
        b = T.int64()
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y: R.Tensor((b, 2, n, 8), dtype="float16") = R.rx.dense_attention(q, k, v, mask, scale=1.0, causal_mask=None, hidden=0.0)
            R.output(y)
        return y

    @R.function
    def numbers(q: R.Tensor((1, 2, "n", 8), dtype="float16"), k: R.Tensor((1, 2, "m", 8), dtype="float16"), v: R.Tensor((1, 2, "m", 8), dtype="float16"), mask: R.Tensor(("n", "m"), dtype="bool"), more: R.Tensor(("b", 1, 1, 1), dtype="float16")) -> R.Tuple(R.Tensor((1, 2, "n", 8), dtype="float16"), R.Tensor(("b", 2, "n", 8), dtype="float16")):
        n = T.int64()
        m = T.int64()
        b = T.int64()
        with R.dataflow():
            y_bias: R.Tensor((n, m), dtype="float16") = R.where(mask, R.const(0.0, "float16"), R.const(-60000.0, "float16"))
            y: R.Tensor((1, 2, n, 8), dtype="float16") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-60000.0)
            turned2: R.Tensor((1, 2, 8, m), dtype="float16") = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots2: R.Tensor((1, 2, n, m), dtype="float16") = R.matmul(q, turned2, out_dtype="void")
            scores2: R.Tensor((b, 2, n, m), dtype="float16") = R.add(dots2, more)
            p2: R.Tensor((b, 2, n, m), dtype="float16") = R.nn.softmax(scores2, axis=-1)
            y2: R.Tensor((b, 2, n, 8), dtype="float16") = R.matmul(p2, v, out_dtype="void")
            R.output(y, y2)
        return (y, y2)
