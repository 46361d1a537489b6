# RUN: relax opt --pass LegalizeOps %s
# A call whose shapes are not known stays.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(ndim=1, dtype="float32")):
        a = R.exp(y)
        b = R.exp(x)
        return (a, b)
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        a: R.Tensor(dtype="float32", ndim=1) = R.exp(y)
        b = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
        return (a, b)

    @T.prim_func(private=True, s_tir=True)
    def exp(var_x: T.handle, var_T_exp: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        T_exp = T.match_buffer(var_T_exp, (n,))
        # with T.sblock("root"):
        for i0 in range(n):
            with T.sblock("T_exp"):
                v_i0 = T.axis.spatial(n, i0)
                T_exp[v_i0] = T.exp(x[v_i0])
