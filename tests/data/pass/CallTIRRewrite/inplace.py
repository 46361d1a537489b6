# A result in the place of an input, a fresh one beside it, several results, scalars, a library call.

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def bump(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                C[vi] = A[vi] + B[vi]
                A[vi] = A[vi] + T.float32(1)

    @T.prim_func(private=True, s_tir=True)
    def both(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32"), n: T.int64):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                B[vi] = A[vi] + T.Cast("float32", n)
                C[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), s: R.Shape(["n"])) -> R.Tensor((4,), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = R.call_tir_inplace(cls.bump, (x, y), out_sinfo=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[0, -1])
        b = a[1]
        c = R.call_tir(cls.both, (b,), out_sinfo=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], tir_vars=R.shape([n]))
        d = c[0]
        e = R.call_dps_packed("my.add", (d, y), out_sinfo=R.Tensor((4,), "float32"))
        return e
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def both(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32"), n: T.int64):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(A[vi])
                T.writes(B[vi], C[vi])
                B[vi] = A[vi] + T.Cast("float32", n)
                C[vi] = A[vi] * T.float32(2.0)

    @T.prim_func(private=True, s_tir=True)
    def bump(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(A[vi], B[vi])
                T.writes(C[vi], A[vi])
                C[vi] = A[vi] + B[vi]
                A[vi] = A[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor((4,), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        alloc: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        cls.bump(x, y, alloc)
        a: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = x, alloc
        b: R.Tensor((4,), dtype="float32") = a[1]
        alloc1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        alloc2: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        R.vm.call_tir_dyn(cls.both, (b, alloc1, alloc2, R.shape([n])))
        c: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = alloc1, alloc2
        d: R.Tensor((4,), dtype="float32") = c[0]
        alloc3: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        _2: R.Object = R.call_packed("my.add", d, y, alloc3)
        e: R.Tensor((4,), dtype="float32") = alloc3
        return e
