# NUMBERS
# Softmax and its logarithm.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        a = R.nn.softmax(x, axis=-1)
        b = R.nn.log_softmax(x, axis=0)
        t = (a, b)
        return t
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def log_softmax(var_x: T.handle, var_compute: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, m = T.int64(), T.int64()
        x = T.match_buffer(var_x, (n, m))
        compute = T.match_buffer(var_compute, (n, m))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((m,))
        compute_1 = T.sblock_alloc_buffer((m,))
        for i0, k in T.grid(m, n):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_k, v_i0])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], x[v_k, v_i0])
        for i0, k in T.grid(m, n):
            with T.sblock("compute"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_k, v_i0], T_softmax_maxelem[v_i0])
                T.writes(compute_1[v_i0])
                with T.init():
                    compute_1[v_i0] = T.float32(0.0)
                compute_1[v_i0] = compute_1[v_i0] + T.exp(x[v_k, v_i0] - T_softmax_maxelem[v_i0])
        for i0, i1 in T.grid(n, m):
            with T.sblock("compute_1"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1], T_softmax_maxelem[v_i1], compute_1[v_i1])
                T.writes(compute[v_i0, v_i1])
                T.sblock_attr({"axis": 0})
                compute[v_i0, v_i1] = x[v_i0, v_i1] - T_softmax_maxelem[v_i1] - T.log(compute_1[v_i1])

    @T.prim_func(private=True, s_tir=True)
    def softmax(var_x: T.handle, var_T_softmax_norm: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, m = T.int64(), T.int64()
        x = T.match_buffer(var_x, (n, m))
        T_softmax_norm = T.match_buffer(var_T_softmax_norm, (n, m))
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((n,))
        T_softmax_exp = T.sblock_alloc_buffer((n, m))
        T_softmax_expsum = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, m):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(x[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], x[v_i0, v_k])
        for i0, i1 in T.grid(n, m):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(x[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(n, m):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0.0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(n, m):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tuple(R.Tensor(("n", "m"), dtype="float32"), R.Tensor(("n", "m"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        a = R.call_tir(cls.softmax, (x,), out_sinfo=R.Tensor((n, m), dtype="float32"))
        b = R.call_tir(cls.log_softmax, (x,), out_sinfo=R.Tensor((n, m), dtype="float32"))
        t: R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor((n, m), dtype="float32")) = a, b
        return t
