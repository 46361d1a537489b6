# RUN: relax opt --pass LegalizeOps,AnnotateTIROpPattern,FuseOps %s
# Epilogues go to their matmuls.

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
            lv2: R.Tensor((n, 256), dtype="float32") = cls.fused_matmul_add_gelu(x, w1, b1)
            lv4: R.Tensor((n, 10), dtype="float32") = cls.fused_matmul1_add1(lv2, w2, b2)
            gv = R.call_tir(cls.softmax, (lv4,), out_sinfo=R.Tensor((n, 10), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def matmul(var_x: T.handle, w1: T.Buffer((T.int64(128), T.int64(256)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 4})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(128)))
        matmul = T.match_buffer(var_matmul, (n, T.int64(256)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("matmul"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    matmul[v_i, v_j] = T.float32(0.0)
                matmul[v_i, v_j] = matmul[v_i, v_j] + x[v_i, v_k] * w1[v_k, v_j]

    @T.prim_func(private=True, s_tir=True)
    def add(var_lv0: T.handle, b1: T.Buffer((T.int64(256),), "float32"), var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 0})
        n = T.int64()
        lv0 = T.match_buffer(var_lv0, (n, T.int64(256)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(256)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("T_add"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_add[v_i0, v_i1] = lv0[v_i0, v_i1] + b1[v_i1]

    @T.prim_func(private=True, s_tir=True)
    def gelu(var_lv1: T.handle, var_T_gelu: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 0})
        n = T.int64()
        lv1 = T.match_buffer(var_lv1, (n, T.int64(256)))
        T_gelu = T.match_buffer(var_T_gelu, (n, T.int64(256)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(256)):
            with T.sblock("T_gelu"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_gelu[v_i0, v_i1] = lv1[v_i0, v_i1] * (T.float32(0.5) + T.erf(lv1[v_i0, v_i1] * T.float32(0.70710678118654757)) * T.float32(0.5))

    @T.prim_func(private=True, s_tir=True)
    def matmul1(var_lv2: T.handle, w2: T.Buffer((T.int64(256), T.int64(10)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 4})
        n = T.int64()
        lv2 = T.match_buffer(var_lv2, (n, T.int64(256)))
        matmul = T.match_buffer(var_matmul, (n, T.int64(10)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(10), T.int64(256)):
            with T.sblock("matmul"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    matmul[v_i, v_j] = T.float32(0.0)
                matmul[v_i, v_j] = matmul[v_i, v_j] + lv2[v_i, v_k] * w2[v_k, v_j]

    @T.prim_func(private=True, s_tir=True)
    def add1(var_lv3: T.handle, b2: T.Buffer((T.int64(10),), "float32"), var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True, "op_pattern": 0})
        n = T.int64()
        lv3 = T.match_buffer(var_lv3, (n, T.int64(10)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(10)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(10)):
            with T.sblock("T_add"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_add[v_i0, v_i1] = lv3[v_i0, v_i1] + b2[v_i1]

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

    @R.function(private=True)
    def fused_matmul_add_gelu(x: R.Tensor(("n", 128), dtype="float32"), w1: R.Tensor((128, 256), dtype="float32"), b1: R.Tensor((256,), dtype="float32")) -> R.Tensor(("n", 256), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            lv0 = R.call_tir(cls.matmul, (x, w1), out_sinfo=R.Tensor((n, 256), dtype="float32"))
            lv1 = R.call_tir(cls.add, (lv0, b1), out_sinfo=R.Tensor((n, 256), dtype="float32"))
            lv2 = R.call_tir(cls.gelu, (lv1,), out_sinfo=R.Tensor((n, 256), dtype="float32"))
            R.output(lv2)
        return lv2

    @R.function(private=True)
    def fused_matmul1_add1(lv2: R.Tensor(("n", 256), dtype="float32"), w2: R.Tensor((256, 10), dtype="float32"), b2: R.Tensor((10,), dtype="float32")) -> R.Tensor(("n", 10), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            lv3 = R.call_tir(cls.matmul1, (lv2, w2), out_sinfo=R.Tensor((n, 10), dtype="float32"))
            lv4 = R.call_tir(cls.add1, (lv3, b2), out_sinfo=R.Tensor((n, 10), dtype="float32"))
            R.output(lv4)
        return lv4
