# A small program in front of a product is its first phase where there is one row; for more rows both are called as before.
# RUN: relax opt --pass MergeLaunches,DeadCodeElimination,SplitLaunches --verify --verify-numerics %s
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scaled(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 64))
        y = T.match_buffer(var_y, (n, 64))
        for i in T.parallel(n):
            for k in range(64):
                y[i, k] = x[i, k] * w[k]

    @T.prim_func(private=True)
    def product_row(var_y: T.handle, m: T.Buffer((64, 48), "float32"), var_z: T.handle):
        T.func_attr({"tirx.noalias": True})
        t = T.int64()
        y = T.match_buffer(var_y, (t, 64))
        z = T.match_buffer(var_z, (t, 48))
        for j in T.parallel(t * T.int64(48)):
            z[j // T.int64(48), j % T.int64(48)] = T.float32(0)
            for k in range(64):
                z[j // T.int64(48), j % T.int64(48)] = z[j // T.int64(48), j % T.int64(48)] + y[j // T.int64(48), k] * m[k, j % T.int64(48)]

    @T.prim_func(private=True)
    def product_rows(var_y: T.handle, m: T.Buffer((64, 48), "float32"), var_z: T.handle):
        T.func_attr({"tirx.noalias": True})
        t = T.int64()
        y = T.match_buffer(var_y, (t, 64))
        z = T.match_buffer(var_z, (t, 48))
        for i in T.parallel(t):
            for j in range(48):
                z[i, j] = T.float32(0)
                for k in range(64):
                    z[i, j] = z[i, j] + y[i, k] * m[k, j]

    @T.prim_func(private=True)
    def product(var_y: T.handle, m: T.Buffer((64, 48), "float32"), var_z: T.handle):
        T.func_attr({"tirx.noalias": True})
        t = T.int64()
        y = T.match_buffer(var_y, (t, 64))
        z = T.match_buffer(var_z, (t, 48))
        if t <= T.int64(1):
            Module.product_row(var_y, m, var_z)
        else:
            Module.product_rows(var_y, m, var_z)

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return z
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scaled(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 64))
        y = T.match_buffer(var_y, (n, 64))
        for i in T.parallel(n):
            for k in range(64):
                y[i, k] = x[i, k] * w[k]

    @T.prim_func(private=True)
    def product_rows(var_y: T.handle, m: T.Buffer((64, 48), "float32"), var_z: T.handle):
        T.func_attr({"tirx.noalias": True})
        t = T.int64()
        y = T.match_buffer(var_y, (t, 64))
        z = T.match_buffer(var_z, (t, 48))
        for i in T.parallel(t):
            for j in range(48):
                z[i, j] = T.float32(0.0)
                for k in range(64):
                    z[i, j] = z[i, j] + y[i, k] * m[k, j]

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        y: R.Tensor((n, 64), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        z: R.Tensor((n, 48), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled_product(x, w, y, m, z)
        return z

    @T.prim_func(private=True)
    def scaled_product_row(var_x: T.handle, w: T.Buffer((64,), "float32"), m: T.Buffer((64, 48), "float32"), var_z: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.first_phase": "scaled", "relax.work": T.index_map(lambda t: (t * T.int64(6208), T.int64(0), T.int64(0), t * T.int64(960) + T.min(t * T.int64(3072), T.int64(3072)) * T.int64(4) + T.int64(256)))})
        t = T.int64()
        x = T.match_buffer(var_x, (t, 64))
        z = T.match_buffer(var_z, (t, 48))
        with T.sblock("root"):
            y = T.sblock_alloc_buffer((t, 64), scope="local")
            for i, k in T.grid(t, 64):
                y[i, k] = x[i, k] * w[k]
            for j in T.parallel(t * T.int64(48)):
                z[j // T.int64(48), j % T.int64(48)] = T.float32(0.0)
                for k in range(64):
                    z[j // T.int64(48), j % T.int64(48)] = z[j // T.int64(48), j % T.int64(48)] + y[j // T.int64(48), k] * m[k, j % T.int64(48)]

    @T.prim_func(private=True)
    def scaled_product(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle, m: T.Buffer((64, 48), "float32"), var_z: T.handle):
        T.func_attr({"tirx.noalias": True})
        t = T.int64()
        x = T.match_buffer(var_x, (t, 64))
        y = T.match_buffer(var_y, (t, 64))
        z = T.match_buffer(var_z, (t, 48))
        if t <= T.int64(1):
            Module.scaled_product_row(var_x, w, m, var_z)
        else:
            Module.scaled(var_x, w, var_y)
            Module.product_rows(var_y, m, var_z)
