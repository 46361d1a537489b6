# RUN: relax opt --pass 'LegalizeOps,AnnotateTIROpPattern,FuseOps' %s | grep call_tir
# RUN: relax opt --pass 'LegalizeOps,AnnotateTIROpPattern,FuseOps:max_arguments=4' %s | grep call_tir
# A kernel of a target may take four tensors: a group reads three and writes one. What a group hands on inside of it, and
# what it reads twice, counts once or not at all.
@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("n", 4), "float32"), c: R.Tensor(("n", 4), "float32"), d: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        with R.dataflow():
            p = R.add(a, b)
            q = R.multiply(p, p)
            r = R.add(q, a)
            s = R.subtract(r, c)
            t = R.add(s, d)
            u = R.exp(t)
            R.output(u)
        return u
# WANT:
            p = R.call_tir(cls.add, (a, b), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            q = R.call_tir(cls.multiply, (p, p), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            r = R.call_tir(cls.add, (q, a), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            s = R.call_tir(cls.subtract, (r, c), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            t = R.call_tir(cls.add, (s, d), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            u = R.call_tir(cls.exp, (t,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            p = R.call_tir(cls.add, (a, b), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            q = R.call_tir(cls.multiply, (p, p), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            r = R.call_tir(cls.add, (q, a), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            s = R.call_tir(cls.subtract, (r, c), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            t = R.call_tir(cls.add, (s, d), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            u = R.call_tir(cls.exp, (t,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
