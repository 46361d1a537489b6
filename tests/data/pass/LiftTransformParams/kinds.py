# OTHER ARGUMENTS
# Constants alone, programs, stop_lift_params, symbols of weights and of inputs, a weight nobody needs, and a function
# without num_input.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def prep(a: T.Buffer((T.int64(8), T.int64(8)), "float32"), b: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        for i, j in T.grid(T.int64(8), T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vj, vi]
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32"), g: R.Tensor((8,), "float32"), u: R.Tensor((8, 8), "float32"), k: R.Tensor(("m", 8), "float32"), unused: R.Tensor((3,), "float32")) -> R.Tuple(R.Tensor(("n", 8), "float32"), R.Tensor(("m", 8), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            z0 = R.zeros(R.shape([8]), "float32")
            g0 = R.add(g, z0)
            wt = R.permute_dims(w, [1, 0])
            y = R.matmul(x, wt)
            ug = R.call_tir(cls.prep, (u,), out_sinfo=R.Tensor((8, 8), "float32"))
            s = R.builtin.stop_lift_params(g)
            s1 = R.exp(s)
            k1 = R.exp(k)
            k2 = R.add(k1, g0)
            c1 = R.zeros(R.shape([n, 8]), "float32")
            y1 = R.add(y, c1)
            y2 = R.matmul(y1, ug)
            y3 = R.add(y2, s1)
            y4 = R.add(y3, g)
            y5 = R.add(y4, g0)
            t = (y5, k2)
            R.output(t)
        return t
    @R.function
    def other(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((8, 4), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        wt = R.permute_dims(w, [1, 0])
        y = R.matmul(x, wt)
        return y
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def prep(a: T.Buffer((T.int64(8), T.int64(8)), "float32"), b: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        # with T.sblock("root"):
        for i, j in T.grid(T.int64(8), T.int64(8)):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vj, vi])
                T.writes(b[vi, vj])
                b[vi, vj] = a[vj, vi]

    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((8,), dtype="float32"), R.Tensor((8, 8), dtype="float32"), R.Tensor(("m", 8), dtype="float32"), R.Tensor((3,), dtype="float32"))) -> R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((8,), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8, 8), dtype="float32"), R.Tensor(("m", 8), dtype="float32")):
        m = T.int64()
        R.func_attr({"num_input": 0})
        cls = Module
        with R.dataflow():
            z0: R.Tensor((8,), dtype="float32") = R.zeros(R.shape([8]), dtype="float32")
            g: R.Tensor((8,), dtype="float32") = model_params[1]
            g0: R.Tensor((8,), dtype="float32") = R.add(g, z0)
            w: R.Tensor((8, 4), dtype="float32") = model_params[0]
            wt: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            u: R.Tensor((8, 8), dtype="float32") = model_params[2]
            ug = R.call_tir(cls.prep, (u,), out_sinfo=R.Tensor((8, 8), dtype="float32"))
            k: R.Tensor((m, 8), dtype="float32") = model_params[3]
            k1: R.Tensor((m, 8), dtype="float32") = R.exp(k)
            k2: R.Tensor((m, 8), dtype="float32") = R.add(k1, g0)
            g1: R.Tensor((8,), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((8,), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8, 8), dtype="float32"), R.Tensor((m, 8), dtype="float32")) = g1, g0, wt, ug, k2
            R.output(output_tuple)
        return output_tuple

    @R.function
    def other(x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((8, 4), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        wt: R.Tensor((4, 8), dtype="float32") = R.permute_dims(w, axes=[1, 0])
        y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
        return y

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), g: R.Tensor((8,), dtype="float32"), g0: R.Tensor((8,), dtype="float32"), wt: R.Tensor((4, 8), dtype="float32"), ug: R.Tensor((8, 8), dtype="float32"), k2: R.Tensor(("m", 8), dtype="float32")) -> R.Tuple(R.Tensor(("n", 8), dtype="float32"), R.Tensor(("m", 8), dtype="float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z0: R.Tensor((8,), dtype="float32") = R.zeros(R.shape([8]), dtype="float32")
            y: R.Tensor((n, 8), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            s1: R.Tensor((8,), dtype="float32") = R.exp(g)
            c1: R.Tensor((n, 8), dtype="float32") = R.zeros(R.shape([n, 8]), dtype="float32")
            y1: R.Tensor((n, 8), dtype="float32") = R.add(y, c1)
            y2: R.Tensor((n, 8), dtype="float32") = R.matmul(y1, ug, out_dtype="void")
            y3: R.Tensor((n, 8), dtype="float32") = R.add(y2, s1)
            y4: R.Tensor((n, 8), dtype="float32") = R.add(y3, g)
            y5: R.Tensor((n, 8), dtype="float32") = R.add(y4, g0)
            t: R.Tuple(R.Tensor((n, 8), dtype="float32"), R.Tensor((m, 8), dtype="float32")) = y5, k2
            R.output(t)
        return t
