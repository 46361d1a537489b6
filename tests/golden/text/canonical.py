# Older and newer spellings print as TVM 0.25 spells them.
# RUN: relax fmt --canonical %s
from tvm.script import ir as I
import tvm
n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func
    def old(a: T.handle, b: T.handle) -> None:
        T.func_attr({"global_symbol": "old", "tir.noalias": True})
        A = T.match_buffer(a, [16, 16], dtype="float32")
        B = T.match_buffer(b, [16, 16])
        C = T.alloc_buffer((16, 16))
        for i, j in T.grid(16, 16):
            with T.block("copy"):
                vi = T.axis.S(16, i)
                vj = T.axis.S(16, j)
                C[vi, vj] = A[vi, vj]
        for i, j in T.grid(16, 16):
            with T.block("more"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads([C[vi, vj]])
                T.block_attr({"x": 1})
                B[vi, vj] = C[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def new(X: T.Buffer((n, 4), "float32"), Y: T.Buffer((n, 4), "float32"), k: T.int64):
        for i, j in T.grid(n, 4):
            with T.sblock("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * T.Cast("float32", k)

    @R.function
    def main(x: R.Tensor((n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.new, (x, n + 1), out_ty=R.Tensor((n, 4), "float32"))
            R.output(y)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def old(a: T.handle, b: T.handle):
        T.func_attr({"tirx.noalias": True})
        A = T.match_buffer(a, (16, 16))
        B = T.match_buffer(b, (16, 16))
        # with T.sblock("root"):
        C = T.sblock_alloc_buffer((16, 16))
        for i, j in T.grid(16, 16):
            with T.sblock("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]
        for i, j in T.grid(16, 16):
            with T.sblock("more"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(C[vi, vj])
                T.writes(B[vi, vj])
                T.sblock_attr({"x": 1})
                B[vi, vj] = C[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def new(var_X: T.handle, var_Y: T.handle, k: T.int64):
        n = T.int64()
        X = T.match_buffer(var_X, (n, 4))
        Y = T.match_buffer(var_Y, (n, 4))
        # with T.sblock("root"):
        for i, j in T.grid(n, 4):
            with T.sblock("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * T.Cast("float32", k)

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.new, (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"), tir_vars=R.shape([n + 1]))
            R.output(y)
        return y
