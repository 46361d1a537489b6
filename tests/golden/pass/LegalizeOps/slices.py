# RUN: relax opt --pass LegalizeOps:slices=true,DeadCodeElimination,AnnotateTIROpPattern:precise=true,FuseOps,FuseTIR:inline=true %s
# RUN: relax opt --pass LegalizeOps:slices=true --verify-numerics %s | grep -c 'cls.split'
# The items of a split are slices, which fuse with what reads them; a split whose tuple is used as a whole stays one. Sizes
# of pieces may be symbolic. The second command counts: the split is there until dead code goes, and the whole one is.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("m * 2",), "float32"), z: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            t = R.split(x, 2, axis=1)
            a = t[0]
            b = t[1]
            c = R.negative(b)
            d = R.concat((c, a), axis=1)
            u = R.split(y, 2, axis=0)
            e = u[1]
            f = R.add(e, z)
            w = R.split(x, [3], axis=-1)
            R.output(d, f, w)
        return (d, f, w)
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), y: R.Tensor(("m * 2",), dtype="float32"), z: R.Tensor(("m",), dtype="float32")) -> R.Tuple(R.Tensor(("n", 8), dtype="float32"), R.Tensor(("m",), dtype="float32"), R.Tuple(R.Tensor(("n", 3), dtype="float32"), R.Tensor(("n", 5), dtype="float32"))):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            d = R.call_tir(cls.fused_strided_slice_strided_slice1_negative_concat, (x,), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            f = R.call_tir(cls.fused_strided_slice2_add, (y, z), out_sinfo=R.Tensor((m,), dtype="float32"))
            w = R.call_tir(cls.split2, (x,), out_sinfo=[R.Tensor((n, 3), dtype="float32"), R.Tensor((n, 5), dtype="float32")])
            R.output(d, f, w)
        return (d, f, w)

    @T.prim_func(private=True, s_tir=True)
    def split2(var_x: T.handle, var_T_split_out0: T.handle, var_T_split_out1: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 2})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)))
        T_split_out0 = T.match_buffer(var_T_split_out0, (n, T.int64(3)))
        T_split_out1 = T.match_buffer(var_T_split_out1, (n, T.int64(5)))
        # with T.sblock("root"):
        for i0, k in T.grid(n, T.int64(3)):
            with T.sblock("T_split_out0"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_split_out0[v_i0, v_k] = x[v_i0, v_k]
        for i0, k in T.grid(n, T.int64(5)):
            with T.sblock("T_split_out1"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_split_out1[v_i0, v_k] = x[v_i0, v_k + T.int64(3)]

    @T.prim_func(private=True, s_tir=True)
    def fused_strided_slice_strided_slice1_negative_concat(p_x: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(8)))
        T_concat_intermediate = T.match_buffer(p_output0, (n, T.int64(8)))
        # with T.sblock("root"):
        for i0, k in T.grid(n, T.int64(8)):
            with T.sblock("T_concat"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_concat_intermediate[v_i0, v_k] = T.if_then_else(v_k < T.int64(4), x[v_i0, v_k + T.int64(4)] * T.float32(-1.0), x[v_i0, v_k - T.int64(4)])

    @T.prim_func(private=True, s_tir=True)
    def fused_strided_slice2_add(p_y: T.handle, p_z: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        m = T.int64()
        y = T.match_buffer(p_y, (m * T.int64(2),))
        z = T.match_buffer(p_z, (m,))
        T_add_intermediate = T.match_buffer(p_output0, (m,))
        # with T.sblock("root"):
        for i0 in range(m):
            with T.sblock("T_add"):
                v_i0 = T.axis.spatial(m, i0)
                T_add_intermediate[v_i0] = y[v_i0 + m] + z[v_i0]
3
