# NUMBERS
# Activations.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        a = R.nn.relu(x)
        b = R.nn.gelu(a)
        c = R.nn.silu(b)
        d = R.sigmoid(c)
        return d
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def gelu(var_a: T.handle, var_T_multiply: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(4)))
        T_multiply = T.match_buffer(var_T_multiply, (n, T.int64(4)))
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((n, T.int64(4)))
        compute = T.sblock_alloc_buffer((n, T.int64(4)))
        T_multiply_2 = T.sblock_alloc_buffer((n, T.int64(4)))
        T_add = T.sblock_alloc_buffer((n, T.int64(4)))
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1])
                T.writes(T_multiply_1[v_ax0, v_ax1])
                T_multiply_1[v_ax0, v_ax1] = a[v_ax0, v_ax1] * T.float32(0.70710678118654757)
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_multiply_1[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.erf(T_multiply_1[v_i0, v_i1])
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(compute[v_ax0, v_ax1])
                T.writes(T_multiply_2[v_ax0, v_ax1])
                T_multiply_2[v_ax0, v_ax1] = compute[v_ax0, v_ax1] * T.float32(0.5)
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_multiply_2[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = T.float32(0.5) + T_multiply_2[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply_2"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1], T_add[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = a[v_ax0, v_ax1] * T_add[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def relu(var_x: T.handle, var_compute: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(4)))
        compute = T.match_buffer(var_compute, (n, T.int64(4)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.max(x[v_i0, v_i1], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def silu(var_b: T.handle, var_T_multiply: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        b = T.match_buffer(var_b, (n, T.int64(4)))
        T_multiply = T.match_buffer(var_T_multiply, (n, T.int64(4)))
        # with T.sblock("root"):
        compute = T.sblock_alloc_buffer((n, T.int64(4)))
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(b[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.sigmoid(b[v_i0, v_i1])
        for ax0, ax1 in T.grid(n, T.int64(4)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1], compute[v_ax0, v_ax1])
                T.writes(T_multiply[v_ax0, v_ax1])
                T_multiply[v_ax0, v_ax1] = b[v_ax0, v_ax1] * compute[v_ax0, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def tir_sigmoid(var_c: T.handle, var_compute: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        c = T.match_buffer(var_c, (n, T.int64(4)))
        compute = T.match_buffer(var_compute, (n, T.int64(4)))
        # with T.sblock("root"):
        for i0, i1 in T.grid(n, T.int64(4)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(c[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.sigmoid(c[v_i0, v_i1])

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        b = R.call_tir(cls.gelu, (a,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        c = R.call_tir(cls.silu, (b,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        d = R.call_tir(cls.tir_sigmoid, (c,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        return d
