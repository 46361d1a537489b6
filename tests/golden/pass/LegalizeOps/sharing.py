# RUN: relax opt --pass LegalizeOps %s
# Equal calls share one program; a scalar constant stands in it as a number.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
        with R.dataflow():
            h = R.matmul(x, w)
            a = R.add(h, b)
            h1 = R.matmul(a, w)
            a1 = R.add(h1, b)
            y = R.divide(a1, R.const(4.0, "float32"))
            R.output(y)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            h = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            a = R.call_tir(cls.add, (h, b), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            h1 = R.call_tir(cls.matmul, (a, w), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            a1 = R.call_tir(cls.add, (h1, b), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            y = R.call_tir(cls.divide, (a1,), out_sinfo=R.Tensor((n, 8), dtype="float32"))
            R.output(y)
        return y

    @T.prim_func(private=True, s_tir=True)
    def matmul(var_x: T.handle, w: T.Buffer((T.int64(8), T.int64(8)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)))
        matmul = T.match_buffer(var_matmul, (n, T.int64(8)))
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(8), T.int64(8)):
            with T.sblock("matmul"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    matmul[v_i, v_j] = T.float32(0.0)
                matmul[v_i, v_j] = matmul[v_i, v_j] + x[v_i, v_k] * w[v_k, v_j]

    @T.prim_func(private=True, s_tir=True)
    def add(var_h: T.handle, b: T.Buffer((T.int64(8),), "float32"), var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        h = T.match_buffer(var_h, (n, T.int64(8)))
        T_add = T.match_buffer(var_T_add, (n, T.int64(8)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(8)):
            with T.sblock("T_add"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_add[v_i0, v_i1] = h[v_i0, v_i1] + b[v_i1]

    @T.prim_func(private=True, s_tir=True)
    def divide(var_a1: T.handle, var_T_divide: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a1 = T.match_buffer(var_a1, (n, T.int64(8)))
        T_divide = T.match_buffer(var_T_divide, (n, T.int64(8)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(8)):
            with T.sblock("T_divide"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_divide[v_i0, v_i1] = a1[v_i0, v_i1] / T.float32(4.0)
