# A program that is the first phase of the one behind it gives the same bits as both apart (elements that differ, for
# several numbers of rows and threads), profiles show the phases as rows, and files with phases are written and read.
# RUN: relax compile %s -o m.rlx --target cpu:host; relax inspect m.rlx --bytecode | grep -o 'kernel .*phase.*' | sed 's/ buffers.*phase/ phase/'
# RUN: for n in 0 1 2 5; do for t in 1 2 3; do relax run m.rlx -i x=f32[$n,64] -i w=f32[64] -i m=f32[64,48] --threads $t; done; done | grep -v time
# RUN: relax run m.rlx -i x=f32[1,64] -i w=f32[64] -i m=f32[64,48] --repeat 3 --profile | grep -o 'scaled_product.*\|scaled in.*' | LC_ALL=C sort
# RUN: relax run m.rlx -i x=f32[1,64] -i w=f32[64] -i m=f32[64,48] --trace t.json >/dev/null; grep -o '"name": "scaled[a-z_ ]*"' t.json
# RUN: relax inspect m.rlx --bytecode >m.txt; relax inspect m.rlx --assemble m.txt -o n.rlx; relax inspect n.rlx --bytecode | cmp - m.txt && echo read back
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
    def scaled_apart(var_x: T.handle, w: T.Buffer((64,), "float32"), var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 64))
        y = T.match_buffer(var_y, (n, 64))
        for i in T.parallel(n):
            for k in range(64):
                y[i, k] = w[k] * x[i, k]

    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64,), "float32"), m: R.Tensor((64, 48), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.scaled, (x, w), out_sinfo=R.Tensor((n, 64), "float32"))
            z = R.call_tir(cls.product, (y, m), out_sinfo=R.Tensor((n, 48), "float32"))
            a = R.call_tir(cls.scaled_apart, (x, w), out_sinfo=R.Tensor((n, 64), "float32"))
            b = R.call_tir(cls.product_rows, (a, m), out_sinfo=R.Tensor((n, 48), "float32"))
            c = R.sum(R.astype(R.not_equal(z, b), "int32"))
            R.output(c)
        return c
# WANT:
kernel 0 scaled_product_row phase "scaled"
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
scaled in scaled_product_row (1,64) (64) (64,48) (1,48)
scaled_product_row (1,64) (64) (64,48) (1,48)
"name": "scaled_product_row"
"name": "scaled"
"name": "scaled_apart"
read back
