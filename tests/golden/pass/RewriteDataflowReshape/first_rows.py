# RUN: relax opt --pass LegalizeOps,RewriteDataflowReshape %s | grep -A 12 'def main'
# The first rows lie where they lay, but are fewer: no reshape.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 5), "float32")):
        with R.dataflow():
            y = R.strided_slice(x, axes=[0], begin=[0], end=[2])
            z = R.add(y, y)
            R.output(z)
        return z
# WANT:
    def main(x: R.Tensor(("n", 5), dtype="float32")) -> R.Tensor(("T.min(2, n)", 5), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.strided_slice, (x,), out_sinfo=R.Tensor((T.min(2, n), 5), dtype="float32"))
            z = R.call_tir(cls.add, (y, y), out_sinfo=R.Tensor((T.min(2, n), 5), dtype="float32"), tir_vars=R.shape([n]))
            R.output(z)
        return z

    @T.prim_func(private=True, s_tir=True)
    def strided_slice(var_x: T.handle, var_T_strided_slice: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
