# RUN: relax opt --pass LegalizeOps %s
# Updates run in order: their index reduces.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 3), dtype="float32"), i: R.Tensor((2, 3), dtype="int64"), u: R.Tensor((2, 3), dtype="float32")):
        with R.dataflow():
            gv = R.scatter_elements(x, i, u, axis=0, reduction="add")
            R.output(gv)
        return gv
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 3), dtype="float32"), i: R.Tensor((2, 3), dtype="int64"), u: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((4, 3), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.scatter_elements, (x, i, u), out_sinfo=R.Tensor((4, 3), dtype="float32"))
            R.output(gv)
        return gv

    @T.prim_func(private=True, s_tir=True)
    def scatter_elements(x: T.Buffer((T.int64(4), T.int64(3)), "float32"), i: T.Buffer((T.int64(2), T.int64(3)), "int64"), u: T.Buffer((T.int64(2), T.int64(3)), "float32"), T_scatter_elements: T.Buffer((T.int64(4), T.int64(3)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1 in T.grid(T.int64(4), T.int64(3)):
            with T.sblock("T_scatter_elements"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T_scatter_elements[v_i0, v_i1] = x[v_i0, v_i1]
        for i0, k in T.grid(T.int64(3), T.int64(2)):
            with T.sblock("T_scatter_elements_1"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T_scatter_elements[T.max(T.min(T.Select(i[v_k, v_i0] < T.int64(0), i[v_k, v_i0] + T.int64(4), i[v_k, v_i0]), T.int64(3)), T.int64(0)), v_i0] = T_scatter_elements[T.max(T.min(T.Select(i[v_k, v_i0] < T.int64(0), i[v_k, v_i0] + T.int64(4), i[v_k, v_i0]), T.int64(3)), T.int64(0)), v_i0] + u[v_k, v_i0]
