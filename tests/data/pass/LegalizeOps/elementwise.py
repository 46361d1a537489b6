# NUMBERS
# Scalar operators on symbolic dims, with broadcasting.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), b: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        a = R.add(x, b)
        c = R.multiply(a, R.const(0.5, "float32"))
        d = R.tanh(c)
        e = R.maximum(d, x)
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(var_x: T.handle, var_b: T.handle, var_T_add: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, m = T.int64(), T.int64()
        x = T.match_buffer(var_x, (n, m))
        b = T.match_buffer(var_b, (m,))
        T_add = T.match_buffer(var_T_add, (n, m))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, m):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], b[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = x[v_ax0, v_ax1] + b[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def maximum(var_d: T.handle, var_x: T.handle, var_T_maximum: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, m = T.int64(), T.int64()
        d = T.match_buffer(var_d, (n, m))
        x = T.match_buffer(var_x, (n, m))
        T_maximum = T.match_buffer(var_T_maximum, (n, m))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, m):
            with T.sblock("T_maximum"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(d[v_ax0, v_ax1], x[v_ax0, v_ax1])
                T.writes(T_maximum[v_ax0, v_ax1])
                T_maximum[v_ax0, v_ax1] = T.max(d[v_ax0, v_ax1], x[v_ax0, v_ax1])

    @T.prim_func(private=True, s_tir=True)
    def multiply(var_a: T.handle, var_T_multiply: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, m = T.int64(), T.int64()
        a = T.match_buffer(var_a, (n, m))
        T_multiply = T.match_buffer(var_T_multiply, (n, m))
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(n, m):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = a[v_ax0, v_ax1] * T.float32(0.5)

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh(var_c: T.handle, var_compute: T.handle):
        T.func_attr({"tirx.noalias": True})
        n, m = T.int64(), T.int64()
        c = T.match_buffer(var_c, (n, m))
        compute = T.match_buffer(var_compute, (n, m))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, m):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(c[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.tanh(c[v_i0, v_i1])

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), b: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        a = R.call_tir(cls.add, (x, b), out_sinfo=R.Tensor((n, m), dtype="float32"))
        c = R.call_tir(cls.multiply, (a,), out_sinfo=R.Tensor((n, m), dtype="float32"))
        d = R.call_tir(cls.tir_tanh, (c,), out_sinfo=R.Tensor((n, m), dtype="float32"))
        e = R.call_tir(cls.maximum, (d, x), out_sinfo=R.Tensor((n, m), dtype="float32"))
        return e
