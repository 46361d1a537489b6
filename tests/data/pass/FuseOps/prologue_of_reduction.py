# Elementwise calls before a reduction; none after it.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def ew(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.exp(A[vi, vj])

    @T.prim_func(private=True, s_tir=True)
    def red(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 3, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n,))
        for i, k in T.grid(n, T.int64(16)):
            with T.sblock("red"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def vec(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n,))
        B = T.match_buffer(var_B, (n,))
        for i in range(n):
            with T.sblock("vec"):
                vi = T.axis.spatial(n, i)
                B[vi] = T.exp(A[vi])

    @R.function
    def main(x: R.Tensor(("n", 16), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), "float32"))
            c = R.call_tir(cls.red, (a,), out_sinfo=R.Tensor((n,), "float32"))
            d = R.call_tir(cls.vec, (c,), out_sinfo=R.Tensor((n,), "float32"))
            e = R.call_tir(cls.vec, (d,), out_sinfo=R.Tensor((n,), "float32"))
            R.output(e)
        return (e)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def ew(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n, T.int64(16)))
        # with T.sblock("root"):
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("ew"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = T.exp(A[vi, vj])

    @T.prim_func(private=True, s_tir=True)
    def red(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 3, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n, T.int64(16)))
        B = T.match_buffer(var_B, (n,))
        # with T.sblock("root"):
        for i, k in T.grid(n, T.int64(16)):
            with T.sblock("red"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(0.0)
                B[vi] = B[vi] + A[vi, vk]

    @T.prim_func(private=True, s_tir=True)
    def vec(var_A: T.handle, var_B: T.handle):
        T.func_attr({"op_pattern": 0, "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(var_A, (n,))
        B = T.match_buffer(var_B, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("vec"):
                vi = T.axis.spatial(n, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = T.exp(A[vi])

    @R.function(private=True)
    def fused_ew_red(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.ew, (x,), out_sinfo=R.Tensor((n, 16), dtype="float32"))
            gv = R.call_tir(cls.red, (a,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function(private=True)
    def fused_vec_vec(c: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            d = R.call_tir(cls.vec, (c,), out_sinfo=R.Tensor((n,), dtype="float32"))
            gv = R.call_tir(cls.vec, (d,), out_sinfo=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n,), dtype="float32") = cls.fused_ew_red(x)
            gv: R.Tensor((n,), dtype="float32") = cls.fused_vec_vec(lv)
            R.output(gv)
        return gv
