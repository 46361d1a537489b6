# What stays two launches: results that others read, something between the calls, a product into memory that was there
# before (the first program may read it), no choice for few rows, too much for every worker to do, assertions, and
# programs whose tensors may be the same memory. The last line is the pair that is merged.
# RUN: relax opt --pass MergeLaunches %s | grep -E 'def [a-z_]+\(x:|cls\.'
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

    @T.prim_func(private=True)
    def dear(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 64))
        y = T.match_buffer(var_y, (n, 64))
        for i in T.parallel(n):
            for k in range(64):
                y[i, k] = T.exp(T.sin(T.cos(T.sin(T.cos(x[i, k] * w[k])))))

    @T.prim_func(private=True)
    def asserted(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 64))
        y = T.match_buffer(var_y, (n, 64))
        for i in T.parallel(n):
            assert x[i, 0] < T.float32(9), "too large"
            for k in range(64):
                y[i, k] = x[i, k] * w[k]

    @T.prim_func(private=True)
    def aliased(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n, 64))
        y = T.match_buffer(var_y, (n, 64))
        for i in T.parallel(n):
            for k in range(64):
                y[i, k] = x[i, k] * w[k]

    @R.function(pure=False)
    def read_twice(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return (y, z)

    @R.function(pure=False)
    def read_later(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        v = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, v)
        return (z, v)

    @R.function(pure=False)
    def between(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        u = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.dear(x, w, u)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return (u, z)

    @R.function(pure=False)
    def older(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        cls.product(y, m, z)
        return z

    @R.function(pure=False)
    def no_choice(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product_row(y, m, z)
        return z

    @R.function(pure=False)
    def much(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.dear(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return z

    @R.function(pure=False)
    def checked(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.asserted(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return z

    @R.function(pure=False)
    def same_memory(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.aliased(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return z

    @R.function(pure=False)
    def merged(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        R.func_attr({"relax.force_pure": True})
        n = T.int64()
        cls = Module
        y = R.builtin.alloc_tensor(R.shape([n, 64]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.scaled(x, w, y)
        z = R.builtin.alloc_tensor(R.shape([n, 48]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.product(y, m, z)
        return z
# WANT:
    def read_twice(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tuple(R.Tensor(("n", 64), dtype="float32"), R.Tensor(("n", 48), dtype="float32")):
        cls.scaled(x, w, y)
        cls.product(y, m, z)
    def read_later(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tuple(R.Tensor(("n", 48), dtype="float32"), R.Tensor(("n", 48), dtype="float32")):
        cls.scaled(x, w, y)
        cls.product(y, m, z)
        cls.product(y, m, v)
    def between(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tuple(R.Tensor(("n", 64), dtype="float32"), R.Tensor(("n", 48), dtype="float32")):
        cls.scaled(x, w, y)
        cls.dear(x, w, u)
        cls.product(y, m, z)
    def older(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        cls.scaled(x, w, y)
        cls.product(y, m, z)
    def no_choice(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        cls.scaled(x, w, y)
        cls.product_row(y, m, z)
    def much(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        cls.dear(x, w, y)
        cls.product(y, m, z)
    def checked(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        cls.asserted(x, w, y)
        cls.product(y, m, z)
    def same_memory(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        cls.aliased(x, w, y)
        cls.product(y, m, z)
    def merged(x: R.Tensor(("n", 64), dtype="float32"), w: R.Tensor((64,), dtype="float32"), m: R.Tensor((64, 48), dtype="float32")) -> R.Tensor(("n", 48), dtype="float32"):
        cls.scaled_product(x, w, y, m, z)
