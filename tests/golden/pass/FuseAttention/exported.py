# RUN: relax opt --pass FuseAttention,DeadCodeElimination %s
# Masks as exporters write them: numbers that leave something of a score, and a bias beside a mask, inside and outside of it.
@I.ir_module
class Module:
    @R.function
    def finite(q: R.Tensor(("b", 2, "n", 8), "float32"), k: R.Tensor(("b", 2, "m", 8), "float32"), v: R.Tensor(("b", 2, "m", 8), "float32"), mask: R.Tensor(("b", 1, 1, "m"), "bool")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scores = R.where(mask, dots, R.const(-10000.0, "float32"))
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def half(q: R.Tensor(("b", 2, "n", 8), "float16"), k: R.Tensor(("b", 2, "m", 8), "float16"), v: R.Tensor(("b", 2, "m", 8), "float16"), mask: R.Tensor(("n", "m"), "bool")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scores = R.where(mask, dots, R.const(-65504.0, "float16"))
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def inside(q: R.Tensor((1, 2, "n", 8), "float32"), k: R.Tensor((1, 2, "n", 8), "float32"), v: R.Tensor((1, 2, "n", 8), "float32"), bias: R.Tensor((1, 2, "n", "n"), "float32")):
        n = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int64")
            mask = R.less_equal(R.reshape(at, R.shape([1, n])), R.reshape(at, R.shape([n, 1])))
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.multiply(R.matmul(q, turned), R.const(0.25, "float32"))
            scores = R.where(mask, R.add(dots, bias), R.const(float("-inf"), "float32"))
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def outside(q: R.Tensor((1, 2, "n", 8), "float32"), k: R.Tensor((1, 2, "n", 8), "float32"), v: R.Tensor((1, 2, "n", 8), "float32"), bias: R.Tensor((1, 1, 1, "n"), "float32")):
        n = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int64")
            mask = R.less_equal(R.reshape(at, R.shape([1, n])), R.reshape(at, R.shape([n, 1])))
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.multiply(R.matmul(q, turned), R.const(0.25, "float32"))
            hidden = R.where(mask, dots, R.const(-3.4e38, "float32"))
            scores = R.add(hidden, bias)
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def lowest(q: R.Tensor((1, 2, "n", 8), "float32"), k: R.Tensor((1, 2, "n", 8), "float32"), v: R.Tensor((1, 2, "n", 8), "float32"), bias: R.Tensor((1, 1, 1, "n"), "float32")):
        n = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int64")
            mask = R.less_equal(R.reshape(at, R.shape([1, n])), R.reshape(at, R.shape([n, 1])))
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.multiply(R.matmul(q, turned), R.const(0.25, "float32"))
            scores = R.where(mask, R.add(bias, dots), R.const(-3.4e38, "float32"))
            p = R.nn.softmax(scores, axis=-1)
            y = R.matmul(p, v)
            turned2 = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots2 = R.multiply(R.matmul(q, turned2), R.const(0.25, "float32"))
            scores2 = R.where(mask, dots2, R.const(-1e9, "float32"))
            p2 = R.nn.softmax(scores2, axis=-1)
            y2 = R.matmul(p2, v)
            turned3 = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots3 = R.multiply(R.matmul(q, turned3), R.const(0.25, "float32"))
            scores3 = R.where(mask, dots3, R.const(-65504.0, "float32"))
            p3 = R.nn.softmax(scores3, axis=-1)
            y3 = R.matmul(p3, v)
            R.output(y, y2, y3)
        return (y, y2, y3)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def finite(q: R.Tensor(("b", 2, "n", 8), dtype="float32"), k: R.Tensor(("b", 2, "m", 8), dtype="float32"), v: R.Tensor(("b", 2, "m", 8), dtype="float32"), mask: R.Tensor(("b", 1, 1, "m"), dtype="bool")) -> R.Tensor(("b", 2, "n", 8), dtype="float32"):
        b = T.int64()
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y_bias: R.Tensor((b, 1, 1, m), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-10000.0, "float32"))
            y: R.Tensor((b, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-10000.0)
            R.output(y)
        return y

    @R.function
    def half(q: R.Tensor(("b", 2, "n", 8), dtype="float16"), k: R.Tensor(("b", 2, "m", 8), dtype="float16"), v: R.Tensor(("b", 2, "m", 8), dtype="float16"), mask: R.Tensor(("n", "m"), dtype="bool")) -> R.Tensor(("b", 2, "n", 8), dtype="float16"):
        b = T.int64()
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y_bias: R.Tensor((n, m), dtype="float16") = R.where(mask, R.const(0.0, "float16"), R.const(-65504.0, "float16"))
            y: R.Tensor((b, 2, n, 8), dtype="float16") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-65504.0)
            R.output(y)
        return y

    @R.function
    def inside(q: R.Tensor((1, 2, "n", 8), dtype="float32"), k: R.Tensor((1, 2, "n", 8), dtype="float32"), v: R.Tensor((1, 2, "n", 8), dtype="float32"), bias: R.Tensor((1, 2, "n", "n"), dtype="float32")) -> R.Tensor((1, 2, "n", 8), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((1, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, bias, scale=0.25, causal_mask="BottomRight", hidden=0.0)
            R.output(y)
        return y

    @R.function
    def outside(q: R.Tensor((1, 2, "n", 8), dtype="float32"), k: R.Tensor((1, 2, "n", 8), dtype="float32"), v: R.Tensor((1, 2, "n", 8), dtype="float32"), bias: R.Tensor((1, 1, 1, "n"), dtype="float32")) -> R.Tensor((1, 2, "n", 8), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            at: R.Tensor((n,), dtype="int64") = R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int64")
            lv: R.Tensor((1, n), dtype="int64") = R.reshape(at, R.shape([1, n]))
            lv1: R.Tensor((n, 1), dtype="int64") = R.reshape(at, R.shape([n, 1]))
            mask: R.Tensor((n, n), dtype="bool") = R.less_equal(lv, lv1)
            y_bias: R.Tensor((n, n), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-3.3999999521443642e+38, "float32"))
            y_bias1: R.Tensor((1, 1, n, n), dtype="float32") = R.add(y_bias, bias)
            y: R.Tensor((1, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias1, scale=0.25, causal_mask=None, hidden=0.0)
            R.output(y)
        return y

    @R.function
    def lowest(q: R.Tensor((1, 2, "n", 8), dtype="float32"), k: R.Tensor((1, 2, "n", 8), dtype="float32"), v: R.Tensor((1, 2, "n", 8), dtype="float32"), bias: R.Tensor((1, 1, 1, "n"), dtype="float32")) -> R.Tuple(R.Tensor((1, 2, "n", 8), dtype="float32"), R.Tensor((1, 2, "n", 8), dtype="float32"), R.Tensor((1, 2, "n", 8), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            at: R.Tensor((n,), dtype="int64") = R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int64")
            lv: R.Tensor((1, n), dtype="int64") = R.reshape(at, R.shape([1, n]))
            lv1: R.Tensor((n, 1), dtype="int64") = R.reshape(at, R.shape([n, 1]))
            mask: R.Tensor((n, n), dtype="bool") = R.less_equal(lv, lv1)
            y_bias: R.Tensor((1, 1, n, n), dtype="float32") = R.where(mask, bias, R.const(-3.3999999521443642e+38, "float32"))
            y: R.Tensor((1, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias, scale=0.25, causal_mask=None, hidden=0.0)
            y2: R.Tensor((1, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, scale=0.25, causal_mask="BottomRight", hidden=0.0)
            y3_bias: R.Tensor((n, n), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-65504.0, "float32"))
            y3: R.Tensor((1, 2, n, 8), dtype="float32") = R.rx.dense_attention(q, k, v, y3_bias, scale=0.25, causal_mask=None, hidden=-65504.0)
            R.output(y, y2, y3)
        return (y, y2, y3)
