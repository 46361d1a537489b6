# RUN: relax opt --pass LiftWorkspace,ToNonDataflow,RemovePurityChecking,CallTIRRewrite,SplitLaunches,CanonicalizeBindings,DeadCodeElimination,StaticPlanBlockMemory:planner=arena %s >planned.py
# RUN: grep -e alloc_storage -e memory.alloc_tensor -e 'cls.pick(' planned.py
# RUN: relax eval planned.py main 'f32[3,64]' --seed 1 >got.txt
# RUN: relax eval %s main 'f32[3,64]' --seed 1 | cmp got.txt -
# RUN: relax eval planned.py main 'f32[30,64]' --seed 1 >got.txt
# RUN: relax eval %s main 'f32[30,64]' --seed 1 | cmp got.txt -
# A choice at run time between two programs with workspaces: one of them runs, so both workspaces lie in the same place.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def small(var_a: T.handle, var_c: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(64)))
        c = T.match_buffer(var_c, (n, T.int64(64)))
        W = T.sblock_alloc_buffer((n, T.int64(64)))
        for i in T.parallel(n):
            for j in range(T.int64(64)):
                with T.sblock("first"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    W[vi, vj] = a[vi, vj] + T.float32(1)
        for i in T.parallel(n):
            for j in range(T.int64(64)):
                with T.sblock("second"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    c[vi, vj] = W[vi, vj] * T.float32(2)

    @T.prim_func(private=True, s_tir=True)
    def large(var_a: T.handle, var_c: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(64)))
        c = T.match_buffer(var_c, (n, T.int64(64)))
        V = T.sblock_alloc_buffer((T.int64(2), n, T.int64(64)))
        for i in T.parallel(n):
            for j in range(T.int64(64)):
                with T.sblock("first"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    V[T.int64(1), vi, vj] = a[vi, vj] * T.float32(3)
        for i in T.parallel(n):
            for j in range(T.int64(64)):
                with T.sblock("second"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    c[vi, vj] = V[T.int64(1), vi, vj] - T.float32(1)

    @T.prim_func(private=True)
    def pick(var_a: T.handle, var_c: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(64)))
        c = T.match_buffer(var_c, (n, T.int64(64)))
        cls = Module
        if n <= T.int64(8):
            cls.small(a.data, c.data)
        else:
            cls.large(a.data, c.data)

    @R.function
    def main(x: R.Tensor(("n", 64), "float32")) -> R.Tensor(("n", 64), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.pick, (x,), out_sinfo=R.Tensor((n, 64), "float32"))
            z = R.call_tir(cls.pick, (y,), out_sinfo=R.Tensor((n, 64), "float32"))
            R.output(z)
        return z
# WANT:
        storage: R.Object = R.memory.alloc_storage(R.shape([n * 768]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        alloc: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(n * 512), R.shape([n, 64]), R.dtype("float32"), R.prim_value(0))
        alloc1: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 64]), R.dtype("float32"), R.prim_value(0))
        alloc2: R.Tensor((2, n, 64), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([2, n, 64]), R.dtype("float32"), R.prim_value(0))
        cls.pick(x, alloc, alloc1, alloc2)
        alloc4: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 64]), R.dtype("float32"), R.prim_value(0))
        alloc5: R.Tensor((2, n, 64), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([2, n, 64]), R.dtype("float32"), R.prim_value(0))
        cls.pick(alloc, alloc3, alloc4, alloc5)
