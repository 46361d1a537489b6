# RUN: relax opt --pass 'LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true' %s | grep call_tir
# A quantised embedding that is also the head: the rows that are gathered are unpacked alone, the rest inside the matmul.
# Eight bits instead of 16 are no gain for two whole readers, but one of these reads a few rows.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def decode(w: T.Buffer((T.int64(512), T.int64(64)), "int8"), s: T.Buffer((T.int64(512), T.int64(2)), "float16"), o: T.Buffer((T.int64(512), T.int64(64)), "float16")):
        for i, j in T.grid(T.int64(512), T.int64(64)):
            with T.sblock("decode"):
                vi, vj = T.axis.remap("SS", [i, j])
                o[vi, vj] = T.Cast("float16", w[vi, vj]) * s[vi, vj // T.int64(32)]

    @R.function
    def main(ids: R.Tensor(("n",), "int32"), g: R.Tensor((64,), "float16"), w: R.Tensor((512, 64), "int8"), s: R.Tensor((512, 2), "float16")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            d = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((512, 64), "float16"))
            h = R.take(d, ids, axis=0)
            m = R.nn.rms_norm(h, g, axes=[-1])
            t = R.permute_dims(d)
            lg = R.matmul(m, t)
            R.output(lg)
        return lg
# WANT:
            d1 = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((512, 64), dtype="float16"))
            h = R.call_tir(cls.take, (d1, ids), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            m = R.call_tir(cls.rms_norm, (h, g), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            d = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((512, 64), dtype="float16"))
            t = R.call_tir(cls.permute_dims, (d,), out_sinfo=R.Tensor((64, 512), dtype="float16"))
            lg = R.call_tir(cls.matmul, (m, t), out_sinfo=R.Tensor((n, 512), dtype="float16"))
