# RUN: relax opt --pass LegalizeOps %s
# Indices go round; they are int64 in the program.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((5, "n"), dtype="float32"), i: R.Tensor((3,), dtype="int32")):
        n = T.int64()
        with R.dataflow():
            gv = R.take(x, i, axis=0, mode="wrap")
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((5, "n"), dtype="float32"), i: R.Tensor((3,), dtype="int32")) -> R.Tensor((3, "n"), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.take, (x, i), out_sinfo=R.Tensor((3, n), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def take(var_x: T.handle, i: T.Buffer((T.int64(3),), "int32"), var_T_take: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (T.int64(5), n))
        T_take = T.match_buffer(var_T_take, (T.int64(3), n))
        # with T.sblock("root"):
        for j0, b0 in T.grid(T.int64(3), n):
            with T.sblock("T_take"):
                v_j0, v_b0 = T.axis.remap("SS", [j0, b0])
                T_take[v_j0, v_b0] = x[T.Cast("int64", i[v_j0]) % T.int64(5), v_b0]
