# Integers of less than a byte are kernels' operands as any: arithmetic wraps, neighbours in a byte stay, rows begin
# anywhere in one. Compiled for three processors, on one thread and on two, as interpreted.
# RUN: relax compile %s -o g.rlx --target cpu:x86-64-v2 && relax run g.rlx --func given -i 's=(7,37)' -o in >out; ls in
# RUN: for t in v2 v3 v4; do relax compile %s -o $t.rlx --target cpu:x86-64-$t || exit 1; done
# RUN: for f in arithmetic sums turned chosen halves small; do relax eval %s $f @in/out0.npy @in/out1.npy -o want >out || exit 1; for t in v2 v3 v4; do for n in 1 2; do relax run $t.rlx --func $f -i @in/out0.npy -i @in/out1.npy --threads $n --expect out0=@want/out0.npy >out 2>&1 || grep -q 'needs avx512' out || { echo $f $t; cat out; exit 1; }; done; done; echo $f; done
@I.ir_module
class Module:
    @R.function
    def given(s: R.Shape(["n", "m"])):
        n = T.int64()
        m = T.int64()
        x = R.reshape(R.arange(R.prim_value(0), R.prim_value(n * m), R.prim_value(1), dtype="int64"), R.shape([n, m]))
        y = R.multiply(x, R.const(7, "int64"))
        return (R.astype(y, "int4"), R.astype(R.add(y, R.floor_divide(x, R.const(3, "int64"))), "int4"))

    @R.function
    def arithmetic(x: R.Tensor(("n", "m"), "int4"), y: R.Tensor(("n", "m"), "int4")):
        with R.dataflow():
            z = R.maximum(R.add(R.multiply(x, y), R.floor_divide(x, R.const(3, "int4"))), R.negative(y))
            R.output(z)
        return z

    @R.function
    def sums(x: R.Tensor(("n", "m"), "int4"), y: R.Tensor(("n", "m"), "int4")):
        with R.dataflow():
            z = R.add(R.sum(R.astype(x, "int32"), axis=1), R.astype(R.max(y, axis=1), "int32"))
            R.output(z)
        return z

    @R.function
    def turned(x: R.Tensor(("n", "m"), "int4"), y: R.Tensor(("n", "m"), "int4")):
        return R.concat([R.permute_dims(x), R.flip(R.permute_dims(y), axis=0)], axis=0)

    @R.function
    def chosen(x: R.Tensor(("n", "m"), "int4"), y: R.Tensor(("n", "m"), "int4")):
        return R.take(x, R.const([5, 0, 6, -1, 5], "int64"), axis=0)

    @R.function
    def halves(x: R.Tensor(("n", "m"), "int4"), y: R.Tensor(("n", "m"), "int4")):
        with R.dataflow():
            a = R.astype(x, "float16")
            z = R.astype(R.multiply(a, R.astype(y, "float16")), "uint4")
            R.output(z)
        return z

    @R.function
    def small(x: R.Tensor(("n", "m"), "int4"), y: R.Tensor(("n", "m"), "int4")):
        with R.dataflow():
            a = R.add(R.astype(x, "uint2"), R.astype(y, "uint2"))
            z = R.add(R.astype(a, "int8"), R.astype(R.astype(y, "int1"), "int8"))
            R.output(z)
        return z
# WANT:
out0.npy
out1.npy
arithmetic
sums
turned
chosen
halves
small
