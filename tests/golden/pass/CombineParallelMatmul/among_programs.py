# RUN: relax opt --pass CombineParallelMatmul %s | grep 'R\.'
# Matmuls among calls of loop programs, whose arguments stand in tuples: what the right factors need moves in front.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.Buffer((T.int64(8), T.int64(4)), "float32"), b: T.Buffer((T.int64(8), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(8), T.int64(4)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, vj] + a[vi, vj]

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32"), v: R.Tensor((8, 4), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            w1 = R.call_tir(cls.twice, (w,), out_sinfo=R.Tensor((8, 4), "float32"))
            a = R.matmul(x, w1)
            v1 = R.call_tir(cls.twice, (v,), out_sinfo=R.Tensor((8, 4), "float32"))
            v2 = R.call_tir(cls.twice, (v1,), out_sinfo=R.Tensor((8, 4), "float32"))
            b = R.matmul(x, v2)
            t = (a, b)
            R.output(t)
        return t
# WANT:
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w: R.Tensor((8, 4), dtype="float32"), v: R.Tensor((8, 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        with R.dataflow():
            w1 = R.call_tir(cls.twice, (w,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            v1 = R.call_tir(cls.twice, (v,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            v2 = R.call_tir(cls.twice, (v1,), out_sinfo=R.Tensor((8, 4), dtype="float32"))
            lv: R.Tensor((8, 8), dtype="float32") = R.concat((w1, v2), axis=1)
            lv1: R.Tensor((n, 8), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = R.split(lv1, indices_or_sections=[4], axis=1)
            a: R.Tensor((n, 4), dtype="float32") = lv2[0]
            b: R.Tensor((n, 4), dtype="float32") = lv2[1]
            t: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, b
            R.output(t)
