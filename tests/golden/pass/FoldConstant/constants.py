# RUN: relax opt --pass FoldConstant %s
# Operators and programs of constants; what is too large or not known stays.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def addc(A: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("b"):
            B[()] = A[()] + T.float32(1)
    @T.prim_func(private=True, s_tir=True)
    def add2(A: T.Buffer((), "float32"), C: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("b"):
            B[()] = A[()] + C[()]
    @R.function
    def main(x: R.Tensor((), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.addc, (R.const(1.0, "float32"),), out_sinfo=R.Tensor((), "float32"))
            b = R.call_tir(cls.addc, (a,), out_sinfo=R.Tensor((), "float32"))
            c = R.call_tir(cls.add2, (b, x), out_sinfo=R.Tensor((), "float32"))
            d = R.add(R.const(1.0, "float32"), R.const(2.0, "float32"))
            e = R.exp(d)
            k = R.const(3.0, "float32")
            f = R.add(e, k)
            g = R.add(f, x)
            z = R.zeros(R.shape([]), "float32")
            y = R.add(z, R.const(2.0, "float32"))
            s = R.shape_to_tensor(R.shape([2, 3]))
            R.output(b, c, g, y, s)
        return (b, c, g, y, s)
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def addc(A: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("b"):
            B[()] = A[()] + T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def add2(A: T.Buffer((), "float32"), C: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("b"):
            B[()] = A[()] + C[()]

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((2,), dtype="int64")):
        cls = Module
        with R.dataflow():
            c = R.call_tir(cls.add2, (R.const(3.0, "float32"), x), out_sinfo=R.Tensor((), dtype="float32"))
            g: R.Tensor((), dtype="float32") = R.add(R.const(23.08553695678711, "float32"), x)
            s: R.Tensor((2,), dtype="int64") = R.shape_to_tensor(R.shape([2, 3]))
            R.output(c, g, s)
        return (R.const(3.0, "float32"), c, g, R.const(2.0, "float32"), s)
