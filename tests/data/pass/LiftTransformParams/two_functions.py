# OTHER ARGUMENTS
# Each function gets a function of its weights; what they call stays.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.handle, b: T.handle):
        n = T.int64()
        m = T.int64()
        x = T.match_buffer(a, (n, m))
        y = T.match_buffer(b, (n, m))
        for i, j in T.grid(n, m):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(2)

    @R.function
    def prefill(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            w1 = R.call_tir(cls.twice, (w,), out_sinfo=R.Tensor((4, 4), "float32"))
            y = R.matmul(x, w1)
            z = R.call_tir(cls.twice, (y,), out_sinfo=R.Tensor((n, 4), "float32"))
            R.output(z)
        return z

    @R.function
    def decode(x: R.Tensor((1, 4), "float32"), w: R.Tensor((4, 4), "float32")) -> R.Tensor((1, 4), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w1 = R.multiply(w, R.const(2.0, "float32"))
            w2 = R.exp(w1)
            y = R.matmul(x, w2)
            y1 = R.add(y, x)
            z = R.matmul(y1, w1)
            R.output(z)
        return z
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.handle, b: T.handle):
        n, m = T.int64(), T.int64()
        x = T.match_buffer(a, (n, m))
        y = T.match_buffer(b, (n, m))
        # with T.sblock("root"):
        for i, j in T.grid(n, m):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                y[vi, vj] = x[vi, vj] * T.float32(2.0)

    @R.function
    def decode(x: R.Tensor((1, 4), dtype="float32"), w1: R.Tensor((4, 4), dtype="float32"), w2: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((1, 4), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((1, 4), dtype="float32") = R.matmul(x, w2, out_dtype="void")
            y1: R.Tensor((1, 4), dtype="float32") = R.add(y, x)
            z: R.Tensor((1, 4), dtype="float32") = R.matmul(y1, w1, out_dtype="void")
            R.output(z)
        return z

    @R.function
    def decode_transform_params(model_params: R.Tuple(R.Tensor((4, 4), dtype="float32"))) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((4, 4), dtype="float32") = model_params[0]
            w1: R.Tensor((4, 4), dtype="float32") = R.multiply(w, R.const(2.0, "float32"))
            w2: R.Tensor((4, 4), dtype="float32") = R.exp(w1)
            output_tuple: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = w1, w2
            R.output(output_tuple)
        return output_tuple

    @R.function
    def prefill(x: R.Tensor(("n", 4), dtype="float32"), w1: R.Tensor((4, 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            y: R.Tensor((n, 4), dtype="float32") = R.matmul(x, w1, out_dtype="void")
            z = R.call_tir(cls.twice, (y,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            R.output(z)
        return z

    @R.function
    def prefill_transform_params(model_params: R.Tuple(R.Tensor((4, 4), dtype="float32"))) -> R.Tuple(R.Tensor((4, 4), dtype="float32")):
        R.func_attr({"num_input": 0})
        cls = Module
        with R.dataflow():
            w: R.Tensor((4, 4), dtype="float32") = model_params[0]
            w1 = R.call_tir(cls.twice, (w,), out_sinfo=R.Tensor((4, 4), dtype="float32"))
            output_tuple: R.Tuple(R.Tensor((4, 4), dtype="float32")) = (w1,)
            R.output(output_tuple)
        return output_tuple
