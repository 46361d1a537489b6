# RUN: relax opt --pass LegalizeOps %s
# The largest of halves in float32, which it is exactly, and rounded once: halves have no such instruction.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float16")):
        n = T.int64()
        with R.dataflow():
            y = R.max(x, axis=[1])
            R.output(y)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float16")) -> R.Tensor(("n",), dtype="float16"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.max, (x,), out_sinfo=R.Tensor((n,), dtype="float16"))
            R.output(y)
        return y

    @T.prim_func(private=True, s_tir=True)
    def max(var_x: T.handle, var_max: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)), "float16")
        max = T.match_buffer(var_max, (n,), "float16")
        # with T.sblock("root"):
        max_acc = T.sblock_alloc_buffer((n,))
        for i0, k0 in T.grid(n, T.int64(8)):
            with T.sblock("max_acc"):
                v_i0, v_k0 = T.axis.remap("SR", [i0, k0])
                with T.init():
                    max_acc[v_i0] = T.float32("-inf")
                max_acc[v_i0] = T.max(max_acc[v_i0], T.Cast("float32", x[v_i0, v_k0]))
        for i0 in range(n):
            with T.sblock("max"):
                v_i0 = T.axis.spatial(n, i0)
                max[v_i0] = T.Cast("float16", max_acc[v_i0])
