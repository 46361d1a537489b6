# RUN: relax opt --pass 'LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true' %s | grep 'lv\|gv\|fused'
# A weight of 16 bits that is multiplied in 32: the cast goes into the matmul, so that half the bytes are read and none
# written. A cast to fewer bits stays, and so does arithmetic that makes the operand no larger.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64, 32), "float16"), v: R.Tensor((64, 32), "float32")):
        n = T.int64()
        with R.dataflow():
            lv = R.astype(w, "float32")
            lv1 = R.matmul(x, lv)
            lv2 = R.nn.relu(x)
            lv3 = R.matmul(lv2, v)
            lv4 = R.astype(x, "float16")
            lv5 = R.matmul(lv4, w)
            gv = (lv1, lv3, lv5)
            R.output(gv)
        return gv
# WANT:
            lv1: R.Tensor((n, 32), dtype="float32") = cls.fused_astype_matmul(w, x)
            lv2 = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((n, 64), dtype="float32"))
            lv3 = R.call_tir(cls.matmul, (lv2, v), out_sinfo=R.Tensor((n, 32), dtype="float32"))
            lv4 = R.call_tir(cls.astype1, (x,), out_sinfo=R.Tensor((n, 64), dtype="float16"))
            lv5 = R.call_tir(cls.matmul1, (lv4, w), out_sinfo=R.Tensor((n, 32), dtype="float16"))
            gv: R.Tuple(R.Tensor((n, 32), dtype="float32"), R.Tensor((n, 32), dtype="float32"), R.Tensor((n, 32), dtype="float16")) = lv1, lv3, lv5
            R.output(gv)
        return gv
    def matmul(var_x: T.handle, lv: T.Buffer((T.int64(64), T.int64(32)), "float32"), var_matmul: T.handle):
                matmul[v_i, v_j] = matmul[v_i, v_j] + x[v_i, v_k] * lv[v_k, v_j]
    def matmul1(var_lv4: T.handle, w: T.Buffer((T.int64(64), T.int64(32)), "float16"), var_matmul: T.handle):
        lv4 = T.match_buffer(var_lv4, (n, T.int64(64)), "float16")
                matmul_acc[v_i, v_j] = matmul_acc[v_i, v_j] + T.Cast("float32", lv4[v_i, v_k]) * T.Cast("float32", w[v_k, v_j])
    def fused_astype_matmul(w: R.Tensor((64, 32), dtype="float16"), x: R.Tensor(("n", 64), dtype="float32")) -> R.Tensor(("n", 32), dtype="float32"):
            lv = R.call_tir(cls.astype, (w,), out_sinfo=R.Tensor((64, 32), dtype="float32"))
            lv1 = R.call_tir(cls.matmul, (x, lv), out_sinfo=R.Tensor((n, 32), dtype="float32"))
            R.output(lv1)
        return lv1
