# What is rounded where it is computed has the bits of what is rounded afterwards: gates of each kind, attention of one
# token and of several, with sums as floats, as integers and in bytes. Elements that differ, on one thread and on two.
# RUN: relax compile %s -o m.rlx --target cpu:host
# RUN: for t in 1 2; do for n in 1 2 7; do relax run m.rlx --func gates -i x=f32[$n,128] --threads $t; relax run m.rlx --func seen -i x=f32[$n,8,64] -i k=f16[3,16,2,64] -i v=f16[3,16,2,64] --threads $t; done; done | grep -v time
@I.ir_module
class Module:
    @R.function
    def gates(x: R.Tensor(("n", 128), "float32")):
        with R.dataflow():
            h = R.split(x, 2, axis=1)
            a = R.rx.quantize_int8(x, gate="silu")
            b = R.rx.quantize_int8(R.multiply(R.nn.silu(h[0]), h[1]))
            c = R.rx.quantize_int8(x, gate="gelu", unit=16, low=-32)
            d = R.rx.quantize_int8(R.multiply(R.nn.gelu(h[0]), h[1]), unit=16, low=-32)
            e = R.rx.quantize_int8(x, gate="gelu_tanh")
            f = R.rx.quantize_int8(R.multiply(R.nn.gelu_tanh(h[0]), h[1]))
            g = R.rx.quantize_int8(x, gate="relu")
            i = R.rx.quantize_int8(R.multiply(R.nn.relu(h[0]), h[1]))
            z = R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.sum(R.astype(R.not_equal(a[0], b[0]), "int32")), R.sum(R.astype(R.not_equal(a[1], b[1]), "int32"))), R.sum(R.astype(R.not_equal(a[2], b[2]), "int32"))), R.sum(R.astype(R.not_equal(c[0], d[0]), "int32"))), R.sum(R.astype(R.not_equal(c[1], d[1]), "int32"))), R.sum(R.astype(R.not_equal(c[2], d[2]), "int32"))), R.sum(R.astype(R.not_equal(e[0], f[0]), "int32"))), R.sum(R.astype(R.not_equal(e[1], f[1]), "int32"))), R.sum(R.astype(R.not_equal(e[2], f[2]), "int32"))), R.sum(R.astype(R.not_equal(g[0], i[0]), "int32"))), R.sum(R.astype(R.not_equal(g[1], i[1]), "int32"))), R.sum(R.astype(R.not_equal(g[2], i[2]), "int32")))
            R.output(z)
        return z

    @R.function
    def seen(x: R.Tensor(("n", 8, 64), "float32"), k: R.Tensor((3, 16, 2, 64), "float16"), v: R.Tensor((3, 16, 2, 64), "float16")):
        n = T.int64()
        with R.dataflow():
            p = R.add(R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int32"), R.const(30, "int32"))
            s = R.arange(R.prim_value(0), R.prim_value(n + n), R.prim_value(n), dtype="int32")
            t = R.reshape(R.arange(R.prim_value(0), R.prim_value(3), R.prim_value(1), dtype="int32"), R.shape([1, 3]))
            row = R.reshape(R.rx.attention(x, k, v, p, s, t, scale=0.125), R.shape([n, 512]))
            a = R.rx.attention(x, k, v, p, s, t, scale=0.125, unit=32)
            b = R.rx.quantize_int8(row)
            c = R.rx.attention(x, k, v, p, s, t, scale=0.125, unit=16, low=-32, turns=6)
            d = R.rx.quantize_int8(row, unit=16, low=-32, turns=6)
            e = R.rx.attention(x, k, v, p, s, t, scale=0.125, unit=32, turns=4)
            f = R.rx.quantize_int8(row, unit=32, turns=4)
            z = R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.add(R.sum(R.astype(R.not_equal(a[0], b[0]), "int32")), R.sum(R.astype(R.not_equal(a[1], b[1]), "int32"))), R.sum(R.astype(R.not_equal(a[2], b[2]), "int32"))), R.sum(R.astype(R.not_equal(c[0], d[0]), "int32"))), R.sum(R.astype(R.not_equal(c[1], d[1]), "int32"))), R.sum(R.astype(R.not_equal(c[2], d[2]), "int32"))), R.sum(R.astype(R.not_equal(e[0], f[0]), "int32"))), R.sum(R.astype(R.not_equal(e[1], f[1]), "int32"))), R.sum(R.astype(R.not_equal(e[2], f[2]), "int32")))
            R.output(z)
        return z
# WANT:
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
out0: int32[] = 0
