# RUN: relax opt --pass 'LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true' %s | grep call_tir
# RUN: relax opt --pass 'LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true;copies=1' %s | grep call_tir
# A weight that is unpacked for two matmuls: 4.5 bits instead of 16 are read twice rather than 16 written once and read
# twice. With copies=1 it is written. A transpose with two readers is written either way: it is as large as what it reads.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def decode(w: T.Buffer((T.int64(64), T.int64(8)), "uint32"), s: T.Buffer((T.int64(64), T.int64(2)), "float16"), o: T.Buffer((T.int64(64), T.int64(64)), "float16")):
        for i, j in T.grid(T.int64(64), T.int64(64)):
            with T.sblock("decode"):
                vi, vj = T.axis.remap("SS", [i, j])
                o[vi, vj] = (T.Cast("float16", T.bitwise_and(T.shift_right(w[vi, vj // T.int64(8)], T.Cast("uint32", vj % T.int64(8) * T.int64(4))), T.uint32(15))) - T.float16(7)) * s[vi, vj // T.int64(32)]

    @R.function
    def main(x: R.Tensor(("n", 64), "float16"), y: R.Tensor(("n", 64), "float16"), v: R.Tensor((64, 64), "float16"), w: R.Tensor((64, 8), "uint32"), s: R.Tensor((64, 2), "float16")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            d = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((64, 64), "float16"))
            a = R.matmul(x, d)
            b = R.nn.relu(a)
            c = R.matmul(y, d)
            t = R.permute_dims(v)
            e = R.matmul(b, t)
            f = R.matmul(c, t)
            g = R.concat((e, f), axis=0)
            R.output(g)
        return g
# WANT:
            t = R.call_tir(cls.permute_dims, (v,), out_sinfo=R.Tensor((64, 64), dtype="float16"))
            e = R.call_tir(cls.matmul, (b, t), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            f = R.call_tir(cls.matmul, (c, t), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            g = R.call_tir(cls.concat, (e, f), out_sinfo=R.Tensor((n + n, 64), dtype="float16"))
            d1 = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((64, 64), dtype="float16"))
            a = R.call_tir(cls.matmul, (x, d1), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            b = R.call_tir(cls.relu, (a,), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            d = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((64, 64), dtype="float16"))
            c = R.call_tir(cls.matmul, (y, d), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            d = R.call_tir(cls.decode, (w, s), out_sinfo=R.Tensor((64, 64), dtype="float16"))
            c = R.call_tir(cls.matmul, (y, d), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            t = R.call_tir(cls.permute_dims, (v,), out_sinfo=R.Tensor((64, 64), dtype="float16"))
            e = R.call_tir(cls.matmul, (b, t), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            f = R.call_tir(cls.matmul, (c, t), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            g = R.call_tir(cls.concat, (e, f), out_sinfo=R.Tensor((n + n, 64), dtype="float16"))
            a = R.call_tir(cls.matmul, (x, d), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            b = R.call_tir(cls.relu, (a,), out_sinfo=R.Tensor((n, 64), dtype="float16"))
