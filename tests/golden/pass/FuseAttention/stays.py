# RUN: relax opt --pass FuseAttention,DeadCodeElimination %s
# What is not such attention stays: weights that are a result, hidden scores that are above others, or are a number that
# leaves something of a score and has a bias beside it, one head of the query for all of the keys or of the values. Masks that don't let each token see the places up to its own are biases: one
# that hides other places, one that hides everything from a token where there are fewer places than tokens, places that
# float16 can't tell apart.
@I.ir_module
class Module:
    @R.function
    def shown(q: R.Tensor((1, 2, "s", 4), "float32"), k: R.Tensor((1, 2, "t", 4), "float32"), v: R.Tensor((1, 2, "t", 4), "float32")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            p = R.nn.softmax(dots)
            y = R.matmul(p, v)
            R.output(p, y)
        return (p, y)

    @R.function
    def later(q: R.Tensor((1, 2, "s", 4), "float32"), k: R.Tensor((1, 2, "s", 4), "float32"), v: R.Tensor((1, 2, "s", 4), "float32")):
        s = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(1), R.prim_value(s + 1), R.prim_value(1), dtype="float32")
            rows = R.reshape(at, R.shape([s, 1]))
            all_at = R.arange(R.prim_value(0), R.prim_value(s), R.prim_value(1), dtype="float32")
            columns = R.reshape(all_at, R.shape([1, s]))
            mask = R.less_equal(columns, rows)
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            masked = R.where(mask, dots, R.const(-3e38, "float32"))
            p = R.nn.softmax(masked)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def fewer(q: R.Tensor((1, 2, "s", 4), "float32"), k: R.Tensor((1, 2, "t", 4), "float32"), v: R.Tensor((1, 2, "t", 4), "float32")):
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(t - s), R.prim_value(t), R.prim_value(1), dtype="int64")
            rows = R.reshape(at, R.shape([s, 1]))
            all_at = R.arange(R.prim_value(0), R.prim_value(t), R.prim_value(1), dtype="int64")
            columns = R.reshape(all_at, R.shape([1, t]))
            mask = R.less_equal(columns, rows)
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            masked = R.where(mask, dots, R.const(-3e38, "float32"))
            p = R.nn.softmax(masked)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def lightly(q: R.Tensor((1, 2, "s", 4), "float32"), k: R.Tensor((1, 2, "s", 4), "float32"), v: R.Tensor((1, 2, "s", 4), "float32")):
        s = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(0), R.prim_value(s), R.prim_value(1), dtype="float32")
            rows = R.reshape(at, R.shape([s, 1]))
            columns = R.reshape(at, R.shape([1, s]))
            mask = R.less_equal(columns, rows)
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            masked = R.where(mask, dots, R.const(10.0, "float32"))
            p = R.nn.softmax(masked)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def one_head(q: R.Tensor((1, 1, "s", 4), "float32"), k: R.Tensor((1, 1, "t", 4), "float32"), v: R.Tensor((1, 1, "t", 4), "float32")):
        with R.dataflow():
            keys = R.repeat(k, 3, axis=1)
            turned = R.permute_dims(keys, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            p = R.nn.softmax(dots)
            y = R.matmul(p, v)
            turned2 = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots2 = R.matmul(q, turned2)
            p2 = R.nn.softmax(dots2)
            values = R.repeat(v, 3, axis=1)
            y2 = R.matmul(p2, values)
            R.output(y, y2)
        return (y, y2)

    @R.function
    def rounded(q: R.Tensor((1, 2, "s", 4), "float32"), k: R.Tensor((1, 2, "s", 4), "float32"), v: R.Tensor((1, 2, "s", 4), "float32")):
        s = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(0), R.prim_value(s), R.prim_value(1), dtype="float16")
            rows = R.reshape(at, R.shape([s, 1]))
            columns = R.reshape(at, R.shape([1, s]))
            mask = R.less_equal(columns, rows)
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            masked = R.where(mask, dots, R.const(-1e38, "float32"))
            p = R.nn.softmax(masked)
            y = R.matmul(p, v)
            R.output(y)
        return y

    @R.function
    def beside(q: R.Tensor((1, 2, "s", 4), "float32"), k: R.Tensor((1, 2, "t", 4), "float32"), v: R.Tensor((1, 2, "t", 4), "float32"), mask: R.Tensor(("s", "t"), "bool"), bias: R.Tensor(("s", "t"), "float32")):
        with R.dataflow():
            turned = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            masked = R.where(mask, dots, R.const(-10000.0, "float32"))
            scores = R.add(masked, bias)
            p = R.nn.softmax(scores)
            y = R.matmul(p, v)
            R.output(y)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def shown(q: R.Tensor((1, 2, "s", 4), dtype="float32"), k: R.Tensor((1, 2, "t", 4), dtype="float32"), v: R.Tensor((1, 2, "t", 4), dtype="float32")) -> R.Tuple(R.Tensor((1, 2, "s", "t"), dtype="float32"), R.Tensor((1, 2, "s", 4), dtype="float32")):
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            turned: R.Tensor((1, 2, 4, t), dtype="float32") = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots: R.Tensor((1, 2, s, t), dtype="float32") = R.matmul(q, turned, out_dtype="void")
            p: R.Tensor((1, 2, s, t), dtype="float32") = R.nn.softmax(dots, axis=-1)
            y: R.Tensor((1, 2, s, 4), dtype="float32") = R.matmul(p, v, out_dtype="void")
            R.output(p, y)
        return (p, y)

    @R.function
    def later(q: R.Tensor((1, 2, "s", 4), dtype="float32"), k: R.Tensor((1, 2, "s", 4), dtype="float32"), v: R.Tensor((1, 2, "s", 4), dtype="float32")) -> R.Tensor((1, 2, "s", 4), dtype="float32"):
        s = T.int64()
        with R.dataflow():
            at: R.Tensor((s,), dtype="float32") = R.arange(R.prim_value(1), R.prim_value(s + 1), R.prim_value(1), dtype="float32")
            rows: R.Tensor((s, 1), dtype="float32") = R.reshape(at, R.shape([s, 1]))
            all_at: R.Tensor((s,), dtype="float32") = R.arange(R.prim_value(0), R.prim_value(s), R.prim_value(1), dtype="float32")
            columns: R.Tensor((1, s), dtype="float32") = R.reshape(all_at, R.shape([1, s]))
            mask: R.Tensor((s, s), dtype="bool") = R.less_equal(columns, rows)
            y_bias: R.Tensor((s, s), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-3.0000000054977558e+38, "float32"))
            y: R.Tensor((1, 2, s, 4), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-3.0000000054977558e+38)
            R.output(y)
        return y

    @R.function
    def fewer(q: R.Tensor((1, 2, "s", 4), dtype="float32"), k: R.Tensor((1, 2, "t", 4), dtype="float32"), v: R.Tensor((1, 2, "t", 4), dtype="float32")) -> R.Tensor((1, 2, "s", 4), dtype="float32"):
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            at: R.Tensor((s,), dtype="int64") = R.arange(R.prim_value(t - s), R.prim_value(t), R.prim_value(1), dtype="int64")
            rows: R.Tensor((s, 1), dtype="int64") = R.reshape(at, R.shape([s, 1]))
            all_at: R.Tensor((t,), dtype="int64") = R.arange(R.prim_value(0), R.prim_value(t), R.prim_value(1), dtype="int64")
            columns: R.Tensor((1, t), dtype="int64") = R.reshape(all_at, R.shape([1, t]))
            mask: R.Tensor((s, t), dtype="bool") = R.less_equal(columns, rows)
            y_bias: R.Tensor((s, t), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-3.0000000054977558e+38, "float32"))
            y: R.Tensor((1, 2, s, 4), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-3.0000000054977558e+38)
            R.output(y)
        return y

    @R.function
    def lightly(q: R.Tensor((1, 2, "s", 4), dtype="float32"), k: R.Tensor((1, 2, "s", 4), dtype="float32"), v: R.Tensor((1, 2, "s", 4), dtype="float32")) -> R.Tensor((1, 2, "s", 4), dtype="float32"):
        s = T.int64()
        with R.dataflow():
            at: R.Tensor((s,), dtype="float32") = R.arange(R.prim_value(0), R.prim_value(s), R.prim_value(1), dtype="float32")
            rows: R.Tensor((s, 1), dtype="float32") = R.reshape(at, R.shape([s, 1]))
            columns: R.Tensor((1, s), dtype="float32") = R.reshape(at, R.shape([1, s]))
            mask: R.Tensor((s, s), dtype="bool") = R.less_equal(columns, rows)
            turned: R.Tensor((1, 2, 4, s), dtype="float32") = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots: R.Tensor((1, 2, s, s), dtype="float32") = R.matmul(q, turned, out_dtype="void")
            masked: R.Tensor((1, 2, s, s), dtype="float32") = R.where(mask, dots, R.const(10.0, "float32"))
            p: R.Tensor((1, 2, s, s), dtype="float32") = R.nn.softmax(masked, axis=-1)
            y: R.Tensor((1, 2, s, 4), dtype="float32") = R.matmul(p, v, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def one_head(q: R.Tensor((1, 1, "s", 4), dtype="float32"), k: R.Tensor((1, 1, "t", 4), dtype="float32"), v: R.Tensor((1, 1, "t", 4), dtype="float32")) -> R.Tuple(R.Tensor((1, 3, "s", 4), dtype="float32"), R.Tensor((1, 3, "s", 4), dtype="float32")):
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            keys: R.Tensor((1, 3, t, 4), dtype="float32") = R.repeat(k, repeats=3, axis=1)
            turned: R.Tensor((1, 3, 4, t), dtype="float32") = R.permute_dims(keys, axes=[0, 1, 3, 2])
            dots: R.Tensor((1, 3, s, t), dtype="float32") = R.matmul(q, turned, out_dtype="void")
            p: R.Tensor((1, 3, s, t), dtype="float32") = R.nn.softmax(dots, axis=-1)
            y: R.Tensor((1, 3, s, 4), dtype="float32") = R.matmul(p, v, out_dtype="void")
            turned2: R.Tensor((1, 1, 4, t), dtype="float32") = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots2: R.Tensor((1, 1, s, t), dtype="float32") = R.matmul(q, turned2, out_dtype="void")
            p2: R.Tensor((1, 1, s, t), dtype="float32") = R.nn.softmax(dots2, axis=-1)
            values: R.Tensor((1, 3, t, 4), dtype="float32") = R.repeat(v, repeats=3, axis=1)
            y2: R.Tensor((1, 3, s, 4), dtype="float32") = R.matmul(p2, values, out_dtype="void")
            R.output(y, y2)
        return (y, y2)

    @R.function
    def rounded(q: R.Tensor((1, 2, "s", 4), dtype="float32"), k: R.Tensor((1, 2, "s", 4), dtype="float32"), v: R.Tensor((1, 2, "s", 4), dtype="float32")) -> R.Tensor((1, 2, "s", 4), dtype="float32"):
        s = T.int64()
        with R.dataflow():
            at: R.Tensor((s,), dtype="float16") = R.arange(R.prim_value(0), R.prim_value(s), R.prim_value(1), dtype="float16")
            rows: R.Tensor((s, 1), dtype="float16") = R.reshape(at, R.shape([s, 1]))
            columns: R.Tensor((1, s), dtype="float16") = R.reshape(at, R.shape([1, s]))
            mask: R.Tensor((s, s), dtype="bool") = R.less_equal(columns, rows)
            y_bias: R.Tensor((s, s), dtype="float32") = R.where(mask, R.const(0.0, "float32"), R.const(-9.999999680285692e+37, "float32"))
            y: R.Tensor((1, 2, s, 4), dtype="float32") = R.rx.dense_attention(q, k, v, y_bias, scale=1.0, causal_mask=None, hidden=-9.999999680285692e+37)
            R.output(y)
        return y

    @R.function
    def beside(q: R.Tensor((1, 2, "s", 4), dtype="float32"), k: R.Tensor((1, 2, "t", 4), dtype="float32"), v: R.Tensor((1, 2, "t", 4), dtype="float32"), mask: R.Tensor(("s", "t"), dtype="bool"), bias: R.Tensor(("s", "t"), dtype="float32")) -> R.Tensor((1, 2, "s", 4), dtype="float32"):
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            turned: R.Tensor((1, 2, 4, t), dtype="float32") = R.permute_dims(k, axes=[0, 1, 3, 2])
            dots: R.Tensor((1, 2, s, t), dtype="float32") = R.matmul(q, turned, out_dtype="void")
            masked: R.Tensor((1, 2, s, t), dtype="float32") = R.where(mask, dots, R.const(-10000.0, "float32"))
            scores: R.Tensor((1, 2, s, t), dtype="float32") = R.add(masked, bias)
            p: R.Tensor((1, 2, s, t), dtype="float32") = R.nn.softmax(scores, axis=-1)
            y: R.Tensor((1, 2, s, 4), dtype="float32") = R.matmul(p, v, out_dtype="void")
            R.output(y)
        return y
