# RUN: relax opt --pass LiftWorkspace,ToNonDataflow,RemovePurityChecking,CallTIRRewrite,SplitLaunches %s | grep -A60 'def main' | grep -v -e 'R.func_attr' -e cls
# RUN: relax opt --pass LiftWorkspace,ToNonDataflow,RemovePurityChecking,CallTIRRewrite,SplitLaunches,StaticPlanBlockMemory:planner=arena %s >planned.py
# RUN: grep -e alloc_storage -e memory.alloc_tensor planned.py
# RUN: relax eval planned.py main 'f32[3,64]' 'f32[64,16]' --seed 1 >got.txt
# RUN: relax eval %s main 'f32[3,64]' 'f32[64,16]' --seed 1 | cmp got.txt -
# A split-K matmul: its partial sums W are a workspace that the graph allocates, and which the result e of another
# operator shares: both lie at offset 0.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def splitk(var_a: T.handle, b: T.Buffer((T.int64(64), T.int64(16)), "float32"), var_c: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(64)))
        c = T.match_buffer(var_c, (n, T.int64(16)))
        W = T.sblock_alloc_buffer((T.int64(4), n, T.int64(16)))
        for s in T.parallel(T.int64(4)):
            for i, j, k in T.grid(n, T.int64(16), T.int64(16)):
                with T.sblock("part"):
                    vs, vi, vj, vk = T.axis.remap("SSSR", [s, i, j, k])
                    with T.init():
                        W[vs, vi, vj] = T.float32(0)
                    W[vs, vi, vj] = W[vs, vi, vj] + a[vi, vs * T.int64(16) + vk] * b[vs * T.int64(16) + vk, vj]
        for i in T.parallel(n):
            for j, s in T.grid(T.int64(16), T.int64(4)):
                with T.sblock("sum"):
                    vi, vj, vs = T.axis.remap("SSR", [i, j, s])
                    with T.init():
                        c[vi, vj] = T.float32(0)
                    c[vi, vj] = c[vi, vj] + W[vs, vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def exp(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(16)))
        b = T.match_buffer(var_b, (n, T.int64(16)))
        for i, j in T.grid(n, T.int64(16)):
            with T.sblock("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = T.exp(a[vi, vj])

    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64, 16), "float32")) -> R.Tensor(("n", 16), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.splitk, (x, w), out_sinfo=R.Tensor((n, 16), "float32"))
            e = R.call_tir(cls.exp, (y,), out_sinfo=R.Tensor((n, 16), "float32"))
            f = R.call_tir(cls.exp, (e,), out_sinfo=R.Tensor((n, 16), "float32"))
            R.output(f)
        return f
# WANT:
    def main(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64, 16), dtype="float32")) -> R.Tensor(("n", 16), dtype="float32"):
        n = T.int64()
        alloc: R.Tensor((n, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        alloc1: R.Tensor((4, n, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([4, n, 16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        lv: R.Tuple(R.Tensor((n, 16), dtype="float32"), R.Tensor((4, n, 16), dtype="float32")) = alloc, alloc1
        y: R.Tensor((n, 16), dtype="float32") = lv[0]
        alloc2: R.Tensor((n, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        e: R.Tensor((n, 16), dtype="float32") = alloc2
        alloc3: R.Tensor((n, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 16]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        f: R.Tensor((n, 16), dtype="float32") = alloc3
        return f

    @T.prim_func(private=True, s_tir=True)
    def splitk_0(var_a: T.handle, b: T.Buffer((T.int64(64), T.int64(16)), "float32"), var_W: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(64)))
        W = T.match_buffer(var_W, (T.int64(4), n, T.int64(16)))
        # with T.sblock("root"):
        for s in T.parallel(T.int64(4)):
            for i, j, k in T.grid(n, T.int64(16), T.int64(16)):
                with T.sblock("part"):
                    vs, vi, vj, vk = T.axis.remap("SSSR", [s, i, j, k])
                    with T.init():
                        W[vs, vi, vj] = T.float32(0.0)
                    W[vs, vi, vj] = W[vs, vi, vj] + a[vi, vs * T.int64(16) + vk] * b[vs * T.int64(16) + vk, vj]

    @T.prim_func(private=True, s_tir=True)
    def splitk_1(var_c: T.handle, var_W: T.handle):
        n = T.int64()
        c = T.match_buffer(var_c, (n, T.int64(16)))
        W = T.match_buffer(var_W, (T.int64(4), n, T.int64(16)))
        # with T.sblock("root"):
        for i in T.parallel(n):
            for j, s in T.grid(T.int64(16), T.int64(4)):
                with T.sblock("sum"):
                    vi, vj, vs = T.axis.remap("SSR", [i, j, s])
                    with T.init():
                        c[vi, vj] = T.float32(0.0)
                    c[vi, vj] = c[vi, vj] + W[vs, vi, vj]
        storage: R.Object = R.memory.alloc_storage(R.shape([n * 320]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
        alloc: R.Tensor((n, 16), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(n * 256), R.shape([n, 16]), R.dtype("float32"), R.prim_value(0))
        alloc1: R.Tensor((4, n, 16), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4, n, 16]), R.dtype("float32"), R.prim_value(0))
        alloc2: R.Tensor((n, 16), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 16]), R.dtype("float32"), R.prim_value(0))
