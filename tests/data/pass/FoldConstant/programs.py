# Calls of loop programs.
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
            R.output(b, c)
        return (b, c)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add2(A: T.Buffer((), "float32"), C: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("b"):
            T.reads()
            T.writes()
            B[()] = A[()] + C[()]

    @T.prim_func(private=True, s_tir=True)
    def addc(A: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("b"):
            T.reads()
            T.writes()
            B[()] = A[()] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        cls = Module
        with R.dataflow():
            c = R.call_tir(cls.add2, (R.const(3.0, "float32"), x), out_sinfo=R.Tensor((), dtype="float32"))
            R.output(c)
        return (R.const(3.0, "float32"), c)
