# RUN: relax opt --pass LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR %s
# Two programs from five calls; the intermediate is allocated inside.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), "float32"), w1: R.Tensor((128, 256), "float32"), b1: R.Tensor((256,), "float32"), w2: R.Tensor((256, 10), "float32"), b2: R.Tensor((10,), "float32")) -> R.Tensor(("n", 10), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv0 = R.matmul(x, w1)
            lv1 = R.add(lv0, b1)
            lv2 = R.nn.gelu(lv1)
            lv3 = R.matmul(lv2, w2)
            lv4 = R.add(lv3, b2)
            gv = R.nn.softmax(lv4, axis=-1)
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float32"), w1: R.Tensor((128, 256), dtype="float32"), b1: R.Tensor((256,), dtype="float32"), w2: R.Tensor((256, 10), dtype="float32"), b2: R.Tensor((10,), dtype="float32")) -> R.Tensor(("n", 10), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            lv2 = R.call_tir(cls.fused_matmul_add_gelu, (x, w1, b1), out_sinfo=R.Tensor((n, 256), dtype="float32"))
            lv4 = R.call_tir(cls.fused_matmul1_add1, (lv2, w2, b2), out_sinfo=R.Tensor((n, 10), dtype="float32"))
            gv = R.call_tir(cls.softmax, (lv4,), out_sinfo=R.Tensor((n, 10), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_lv4: T.handle, var_T_softmax: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 4})
        n = T.int64()
        lv4 = T.match_buffer(var_lv4, (n, T.int64(10)))
        T_softmax = T.match_buffer(var_T_softmax, (n, T.int64(10)))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,))
        T_softmax_exp = T.sblock_alloc_buffer((n, T.int64(10)))
        T_softmax_expsum = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32("-inf")
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], lv4[v_i0, v_k])
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_softmax_exp[v_i0, v_k] = T.exp(lv4[v_i0, v_k] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0.0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, k in T.grid(n, T.int64(10)):
            with T.sblock("T_softmax"):
                v_i0, v_k = T.axis.remap("SS", [i0, k])
                T_softmax[v_i0, v_k] = T_softmax_exp[v_i0, v_k] * (T.float32(1.0) / T_softmax_expsum[v_i0])

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul_add_gelu(p_x: T.handle, w1: T.Buffer((T.int64(128), T.int64(256)), "float32"), b1: T.Buffer((T.int64(256),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(128)))
        T_gelu_intermediate = T.match_buffer(p_output0, (n, T.int64(256)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((n, T.int64(256)))
        T_add_intermediate = T.sblock_alloc_buffer((n, T.int64(256)))
        for i, j, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("matmul"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    matmul_intermediate[v_i, v_j] = T.float32(0.0)
                matmul_intermediate[v_i, v_j] = matmul_intermediate[v_i, v_j] + x[v_i, v_k] * w1[v_k, v_j]
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("T_add"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_add_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + b1[v_i1]
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("T_gelu"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_gelu_intermediate[v_i0, v_i1] = T_add_intermediate[v_i0, v_i1] * (T.float32(0.5) + T.erf(T_add_intermediate[v_i0, v_i1] * T.float32(0.70710678118654757)) * T.float32(0.5))

    @T.prim_func(private=True, s_tir=True)
    def fused_matmul1_add1(p_lv2: T.handle, w2: T.Buffer((T.int64(256), T.int64(10)), "float32"), b2: T.Buffer((T.int64(10),), "float32"), p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        lv2 = T.match_buffer(p_lv2, (n, T.int64(256)))
        T_add_intermediate = T.match_buffer(p_output0, (n, T.int64(10)))
        # with T.sblock("root"):
        matmul_intermediate = T.sblock_alloc_buffer((n, T.int64(10)))
        for i, j, k in T.grid(n, T.int64(10), T.int64(256)):
            with T.sblock("matmul"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    matmul_intermediate[v_i, v_j] = T.float32(0.0)
                matmul_intermediate[v_i, v_j] = matmul_intermediate[v_i, v_j] + lv2[v_i, v_k] * w2[v_k, v_j]
        for i0, i1 in T.grid(n, T.int64(10)):
            with T.sblock("T_add"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_add_intermediate[v_i0, v_i1] = matmul_intermediate[v_i0, v_i1] + b2[v_i1]
