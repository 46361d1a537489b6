# RUN: relax opt --pass LiftTransformParams:shared_transform=true %s | tee out.py | relax check - && cat out.py
# Two functions compute exp of the same weight, whose number of rows only the weight told: both take it as a shape.
@I.ir_module
class Module:
    @R.function
    def a(x: R.Tensor(("n",), "float32"), w: R.Tensor(("k", 4), "float32")):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            f = R.reshape(w, R.shape([k * 4]))
            e = R.exp(f)
            z = R.zeros(R.shape([k]), "float32")
            s = R.sum(e)
            t = R.add(x, s)
            R.output(t, z)
        return (t, z)

    @R.function
    def b(x: R.Tensor(("n",), "float32"), w: R.Tensor(("k", 4), "float32")):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            f = R.reshape(w, R.shape([k * 4]))
            e = R.exp(f)
            s = R.max(e)
            t = R.multiply(x, s)
            R.output(t)
        return t
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def a(x: R.Tensor(("n",), dtype="float32"), weight_symbols: R.Shape(["k"]), e: R.Tensor(("k * 4",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("k",), dtype="float32")):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
            s: R.Tensor((), dtype="float32") = R.sum(e, axis=None, keepdims=False)
            t: R.Tensor((n,), dtype="float32") = R.add(x, s)
            R.output(t, z)
        return (t, z)

    @R.function
    def b(x: R.Tensor(("n",), dtype="float32"), weight_symbols: R.Shape(["k"]), e: R.Tensor(("k * 4",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            s: R.Tensor((), dtype="float32") = R.max(e, axis=None, keepdims=False)
            t: R.Tensor((n,), dtype="float32") = R.multiply(x, s)
            R.output(t)
        return t

    @R.function
    def transform_params(model_params: R.Tuple(R.Tensor(("k", 4), dtype="float32"))) -> R.Tuple(R.Shape(["k"]), R.Tensor(("k * 4",), dtype="float32")):
        k = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((k, 4), dtype="float32") = model_params[0]
            f: R.Tensor((k * 4,), dtype="float32") = R.reshape(w, R.shape([k * 4]))
            e: R.Tensor((k * 4,), dtype="float32") = R.exp(f)
            output_tuple: R.Tuple(R.Shape([k]), R.Tensor((k * 4,), dtype="float32")) = R.shape([k]), e
            R.output(output_tuple)
        return output_tuple
