# RUN: relax opt --pass FuseAttention,DeadCodeElimination %s
# A cache, heads that share keys, a factor, and a mask that lets a token see the places up to its own.
@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((1, 4, "s", 2), "float32"), k: R.Tensor((1, 2, "s", 2), "float32"), v: R.Tensor((1, 2, "s", 3), "float32"), k_before: R.Tensor((1, 2, "m", 2), "float32"), v_before: R.Tensor((1, 2, "m", 3), "float32")):
        s = T.int64()
        m = T.int64()
        with R.dataflow():
            at = R.arange(R.prim_value(m), R.prim_value(m + s), R.prim_value(1), dtype="float32")
            rows = R.reshape(at, R.shape([s, 1]))
            all_at = R.arange(R.prim_value(0), R.prim_value(m + s), R.prim_value(1), dtype="float32")
            columns = R.expand_dims(all_at, axis=0)
            mask = R.less_equal(columns, rows)
            k_all = R.concat((k_before, k), axis=2)
            v_all = R.concat((v_before, v), axis=2)
            keys = R.repeat(k_all, 2, axis=1)
            values = R.repeat(v_all, 2, axis=1)
            turned = R.permute_dims(keys, axes=[0, 1, 3, 2])
            dots = R.matmul(q, turned)
            scaled = R.multiply(dots, R.const(0.5, "float32"))
            masked = R.where(mask, scaled, R.const(-3e38, "float32"))
            p = R.nn.softmax(masked, axis=-1)
            y = R.matmul(p, values)
            R.output(y, k_all, v_all)
        return (y, k_all, v_all)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((1, 4, "s", 2), dtype="float32"), k: R.Tensor((1, 2, "s", 2), dtype="float32"), v: R.Tensor((1, 2, "s", 3), dtype="float32"), k_before: R.Tensor((1, 2, "m", 2), dtype="float32"), v_before: R.Tensor((1, 2, "m", 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 4, "s", 3), dtype="float32"), R.Tensor((1, 2, "m + s", 2), dtype="float32"), R.Tensor((1, 2, "m + s", 3), dtype="float32")):
        s = T.int64()
        m = T.int64()
        with R.dataflow():
            k_all: R.Tensor((1, 2, m + s, 2), dtype="float32") = R.concat((k_before, k), axis=2)
            v_all: R.Tensor((1, 2, m + s, 3), dtype="float32") = R.concat((v_before, v), axis=2)
            y: R.Tensor((1, 4, s, 3), dtype="float32") = R.rx.dense_attention(q, k_all, v_all, scale=0.5, causal_mask="BottomRight", hidden=0.0)
            R.output(y, k_all, v_all)
        return (y, k_all, v_all)
