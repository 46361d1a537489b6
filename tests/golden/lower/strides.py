# Vectors stored at any constant stride, each lane by itself, the last one stays where lanes meet; under predicates only
# the lanes that they name. All types of elements, compiled for three processors, bit for bit as interpreted.
# RUN: for t in v2 v3 v4; do relax compile %s -o $t.rlx --target cpu:x86-64-$t || exit 1; done
# RUN: for f in float32 int8 float16 bool int4 float8_e4m3fn float64; do relax eval %s $f -o want >out || exit 1; for t in v2 v3 v4; do rm -rf have; relax run $t.rlx --func $f -o have >out 2>&1 || { grep -q 'needs avx512' out && continue; cat out; exit 1; }; diff -rq want have || exit 1; done; echo $f; done
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def two_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_float32(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def float32():
        cls = Module
        x = R.astype(R.floor_mod(R.multiply(R.arange(64, dtype="int64"), R.const(5, "int64")), R.const(31, "int64")), "float32")
        return (R.call_tir(cls.two_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.three_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.back_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.back_two_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.still_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.spread_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.own_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.some_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.some_back_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.some_still_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.some_run_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")), R.call_tir(cls.one_float32, (x,), out_sinfo=R.Tensor((64,), dtype="float32")))
    @T.prim_func(private=True)
    def two_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_int8(x: T.Buffer((64,), "int8"), y: T.Buffer((64,), "int8")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def int8():
        cls = Module
        x = R.astype(R.floor_mod(R.multiply(R.arange(64, dtype="int64"), R.const(5, "int64")), R.const(31, "int64")), "int8")
        return (R.call_tir(cls.two_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.three_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.back_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.back_two_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.still_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.spread_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.own_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.some_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.some_back_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.some_still_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.some_run_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")), R.call_tir(cls.one_int8, (x,), out_sinfo=R.Tensor((64,), dtype="int8")))
    @T.prim_func(private=True)
    def two_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_float16(x: T.Buffer((64,), "float16"), y: T.Buffer((64,), "float16")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def float16():
        cls = Module
        x = R.astype(R.floor_mod(R.multiply(R.arange(64, dtype="int64"), R.const(5, "int64")), R.const(31, "int64")), "float16")
        return (R.call_tir(cls.two_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.three_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.back_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.back_two_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.still_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.spread_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.own_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.some_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.some_back_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.some_still_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.some_run_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")), R.call_tir(cls.one_float16, (x,), out_sinfo=R.Tensor((64,), dtype="float16")))
    @T.prim_func(private=True)
    def two_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_bool(x: T.Buffer((64,), "bool"), y: T.Buffer((64,), "bool")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def bool():
        cls = Module
        x = R.equal(R.floor_mod(R.arange(64, dtype="int64"), R.const(3, "int64")), R.const(0, "int64"))
        return (R.call_tir(cls.two_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.three_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.back_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.back_two_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.still_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.spread_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.own_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.some_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.some_back_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.some_still_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.some_run_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")), R.call_tir(cls.one_bool, (x,), out_sinfo=R.Tensor((64,), dtype="bool")))
    @T.prim_func(private=True)
    def two_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_int4(x: T.Buffer((64,), "int4"), y: T.Buffer((64,), "int4")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def int4():
        cls = Module
        x = R.astype(R.floor_mod(R.multiply(R.arange(64, dtype="int64"), R.const(5, "int64")), R.const(31, "int64")), "int4")
        return (R.call_tir(cls.two_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.three_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.back_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.back_two_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.still_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.spread_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.own_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.some_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.some_back_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.some_still_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.some_run_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")), R.call_tir(cls.one_int4, (x,), out_sinfo=R.Tensor((64,), dtype="int4")))
    @T.prim_func(private=True)
    def two_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_float8_e4m3fn(x: T.Buffer((64,), "float8_e4m3fn"), y: T.Buffer((64,), "float8_e4m3fn")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def float8_e4m3fn():
        cls = Module
        x = R.astype(R.floor_mod(R.multiply(R.arange(64, dtype="int64"), R.const(5, "int64")), R.const(31, "int64")), "float8_e4m3fn")
        return (R.call_tir(cls.two_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.three_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.back_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.back_two_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.still_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.spread_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.own_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.some_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.some_back_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.some_still_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.some_run_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")), R.call_tir(cls.one_float8_e4m3fn, (x,), out_sinfo=R.Tensor((64,), dtype="float8_e4m3fn")))
    @T.prim_func(private=True)
    def two_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 16, 2, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def three_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 22, 3, 7)] = x[T.Ramp(i, 3, 7)]
    @T.prim_func(private=True)
    def back_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 7, -1, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def back_two_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 8 + 16, -2, 8)] = x[T.Ramp(i + 14, -2, 8)]
    @T.prim_func(private=True)
    def still_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i * 5, 0, 8)] = x[T.Ramp(i, 1, 8)]
    @T.prim_func(private=True)
    def spread_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Broadcast(i * 5, 4)] = x[T.Ramp(i, 1, 4)]
    @T.prim_func(private=True)
    def own_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y[T.Ramp(i + 7, -1, 7)] = y[T.Ramp(i + 6, -1, 7)]
    @T.prim_func(private=True)
    def some_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 16, 2, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 3, 8) % T.Broadcast(2, 8) == T.Broadcast(0, 8))
    @T.prim_func(private=True)
    def some_back_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_still_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 5, 0, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def some_run_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8, 1, 8)], x[T.Ramp(i, 1, 8)], predicate=T.Ramp(i, 1, 8) < T.Broadcast(5, 8))
    @T.prim_func(private=True)
    def one_float64(x: T.Buffer((64,), "float64"), y: T.Buffer((64,), "float64")):
        for i in range(64):
            y[i] = x[63 - i]
        for i in range(2):
            y.vstore([T.Ramp(i * 8 + 7, -1, 8)], x[T.Ramp(i, 1, 8)], predicate=i == 1)
    @R.function
    def float64():
        cls = Module
        x = R.astype(R.floor_mod(R.multiply(R.arange(64, dtype="int64"), R.const(5, "int64")), R.const(31, "int64")), "float64")
        return (R.call_tir(cls.two_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.three_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.back_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.back_two_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.still_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.spread_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.own_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.some_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.some_back_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.some_still_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.some_run_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")), R.call_tir(cls.one_float64, (x,), out_sinfo=R.Tensor((64,), dtype="float64")))
# WANT:
float32
int8
float16
bool
int4
float8_e4m3fn
float64
