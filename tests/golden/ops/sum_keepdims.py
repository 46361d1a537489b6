# RUN: relax opt --pass LegalizeOps %s
# Reduced dims of the result are written at 0.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n", 5), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            gv = R.sum(x, axis=[0, 2], keepdims=True)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n", 5), dtype="float32")) -> R.Tensor((1, "n", 1), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.sum, (x,), out_sinfo=R.Tensor((1, n, 1), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def sum(var_x: T.handle, var_sum: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (T.int64(2), n, T.int64(5)))
        sum = T.match_buffer(var_sum, (T.int64(1), n, T.int64(1)))
        # with T.sblock("root"):
        for i0, k0, k1 in T.grid(n, T.int64(2), T.int64(5)):
            with T.sblock("sum"):
                v_i0, v_k0, v_k1 = T.axis.remap("SRR", [i0, k0, k1])
                with T.init():
                    sum[T.int64(0), v_i0, T.int64(0)] = T.float32(0.0)
                sum[T.int64(0), v_i0, T.int64(0)] = sum[T.int64(0), v_i0, T.int64(0)] + x[v_k0, v_i0, v_k1]
