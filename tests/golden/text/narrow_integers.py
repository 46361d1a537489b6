# Integers of other dtypes than int64 as sizes and positions are counted in int64: the dims say so, and nothing overflows.
# RUN: relax check %s
# RUN: relax opt --pass Normalize %s
# RUN: relax eval %s main y=f32[3,8] p=i32:5 --seed 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), y: R.Tensor(("m", 8), "float32"), p: R.Prim("int32")):
        n = T.int32()
        _ = R.match_cast(p, R.Prim(value=n))
        a = R.slice_scatter(x, y, R.prim_value(T.int8(0)), R.prim_value(T.int16(3)), R.prim_value(T.uint8(1)), axis=0)
        b = R.slice_scatter(x, y, R.prim_value(0), R.prim_value(n), R.prim_value(T.int32(2)), axis=0)
        c = R.arange(R.prim_value(1), R.prim_value(n), R.prim_value(1), dtype="int64")
        d = R.arange(R.prim_value(T.int8(-4)), R.prim_value(T.uint64(8)), R.prim_value(T.int16(5)), dtype="float32")
        e = R.eye(R.prim_value(T.int8(2)), R.prim_value(T.uint64(3)), R.prim_value(T.int32(1)), dtype="float32")
        f = R.hamming_window(R.prim_value(n), R.prim_value(1), R.prim_value(T.float32(0.54)), R.prim_value(T.float32(0.46)))
        g = R.memory.view(x, R.shape([2]), R.dtype("float32"), R.prim_value(n * 4))
        return (c, d, e)
# WANT:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), dtype="float32"), y: R.Tensor(("m", 8), dtype="float32"), p: R.Prim("int32")) -> R.Tuple(R.Tensor(dtype="int64", ndim=1), R.Tensor((3,), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        m = T.int64()
        n = T.int32()
        _: R.Prim(value=n) = R.match_cast(p, R.Prim(value=n))
        a: R.Tensor((8, 8), dtype="float32") = R.slice_scatter(x, y, R.prim_value(T.int8(0)), R.prim_value(T.int16(3)), R.prim_value(T.uint8(1)), axis=0)
        b: R.Tensor((8, 8), dtype="float32") = R.slice_scatter(x, y, R.prim_value(0), R.prim_value(n), R.prim_value(T.int32(2)), axis=0)
        c: R.Tensor((T.Cast("int64", n) - 1,), dtype="int64") = R.arange(R.prim_value(1), R.prim_value(n), R.prim_value(1), dtype="int64")
        d: R.Tensor((3,), dtype="float32") = R.arange(R.prim_value(T.int8(-4)), R.prim_value(T.uint64(8)), R.prim_value(T.int16(5)), dtype="float32")
        e: R.Tensor((2, 3), dtype="float32") = R.eye(R.prim_value(T.int8(2)), R.prim_value(T.uint64(3)), R.prim_value(T.int32(1)), dtype="float32")
        f: R.Tensor((T.Cast("int64", n),), dtype="float32") = R.hamming_window(R.prim_value(n), R.prim_value(1), R.prim_value(T.float32(0.54000000000000004)), R.prim_value(T.float32(0.46000000000000002)), dtype="float32")
        g: R.Tensor((2,), dtype="float32") = R.memory.view(x, R.shape([2]), R.dtype("float32"), R.prim_value(n * T.int32(4)))
        return (c, d, e)
out0: int64[4] = 1, 2, 3, 4
out1: float32[3] = -4, 1, 6
out2: float32[2, 3] = 0, 1, 0, 0, 0, 1
