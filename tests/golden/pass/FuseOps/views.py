# RUN: relax opt --pass "LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true;views=true,RewriteDataflowReshape" %s | grep -E "call_tir|R.reshape|cls.fused"
# Reshapes at the edges of a group are views; one in its middle goes with it; the result of a block is no view.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, 4), "float32"), w: R.Tensor((3, 8), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.reshape(x, R.shape([n, 8]))
            b = R.einsum((a, w), subscripts="ak,nk->an")
            c = R.nn.relu(b)
            d = R.reshape(c, R.shape([n * 3]))
            e = R.exp(d)
            f = R.reshape(e, R.shape([n, 3]))
            g = R.nn.softmax(f, axis=-1)
            h = R.sqrt(g)
            i = R.reshape(h, R.shape([n, 1, 3]))
            R.output(i)
        return i
# WANT:
            a: R.Tensor((n, 8), dtype="float32") = R.reshape(x, R.shape([n, 8]))
            c: R.Tensor((n, 3), dtype="float32") = cls.fused_einsum_relu(a, w)
            d: R.Tensor((n * 3,), dtype="float32") = R.reshape(c, R.shape([n * 3]))
            e = R.call_tir(cls.exp, (d,), out_sinfo=R.Tensor((n * 3,), dtype="float32"), tir_vars=R.shape([n]))
            f: R.Tensor((n, 3), dtype="float32") = R.reshape(e, R.shape([n, 3]))
            h: R.Tensor((n, 3), dtype="float32") = cls.fused_softmax_sqrt(f)
            i = R.call_tir(cls.reshape3, (h,), out_sinfo=R.Tensor((n, 1, 3), dtype="float32"))
            b = R.call_tir(cls.einsum, (a, w), out_sinfo=R.Tensor((n, 3), dtype="float32"))
            c = R.call_tir(cls.relu, (b,), out_sinfo=R.Tensor((n, 3), dtype="float32"))
            g = R.call_tir(cls.softmax, (f,), out_sinfo=R.Tensor((n, 3), dtype="float32"))
            h = R.call_tir(cls.sqrt, (g,), out_sinfo=R.Tensor((n, 3), dtype="float32"))
