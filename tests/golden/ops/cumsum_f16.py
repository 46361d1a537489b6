# RUN: relax opt --pass LegalizeOps %s
# One block per row, a running sum in float32 inside.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float16")):
        n = T.int64()
        with R.dataflow():
            gv = R.cumsum(x, axis=1)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float16")) -> R.Tensor(("n", 4), dtype="float16"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.cumsum, (x,), out_sinfo=R.Tensor((n, 4), dtype="float16"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def cumsum(var_x: T.handle, var_cumsum: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)), "float16")
        cumsum = T.match_buffer(var_cumsum, (n, T.int64(4)), "float16")
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("cumsum"):
                v_i0 = T.axis.spatial(n, i0)
                cumsum_acc = T.sblock_alloc_buffer((), scope="local")
                cumsum_acc[()] = T.float32(0.0)
                for v_k in range(T.int64(4)):
                    cumsum_acc[()] = cumsum_acc[()] + T.Cast("float32", x[v_i0, v_k])
                    cumsum[v_i0, v_k] = T.Cast("float16", cumsum_acc[()])
