# Unrolled loops in unrolled loops: the inner ones are written out, the outer ones run in order where it would be too
# much (a million statements here). A local buffer of 400 MB is no stack: the file's caller gives the memory.
# RUN: relax compile %s -o m.rlx --target cpu:x86-64-v2 --no-cache && [ $(wc -c <m.rlx) -lt 1000000 ]
# RUN: for f in deep large; do relax eval %s $f 'x=f32[32]:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32' -o want >out && relax run m.rlx --func $f -i 'x=f32[32]:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32' --expect out0=@want/out0.npy >out 2>&1 || cat out; echo $f; done
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def nest(x: T.Buffer((32,), "float32"), y: T.Buffer((32,), "float32")):
        for i in range(32):
            y[i] = x[i]
        for a in T.unroll(32):
            for b in T.unroll(32):
                for c in T.unroll(32):
                    for d in T.unroll(32):
                        y[(a + b + c + d) % 32] = x[a] * x[b] + x[c] - x[d]
    @T.prim_func(private=True)
    def big(x: T.Buffer((32,), "float32"), y: T.Buffer((32,), "float32")):
        with T.sblock("root"):
            T.reads()
            T.writes()
            loc = T.sblock_alloc_buffer((100000000,), scope="local")
            for a in range(32):
                loc[a * 1000000] = x[a]
            for a in range(32):
                y[a] = loc[a * 1000000] * T.float32(2)
    @R.function
    def deep(x: R.Tensor((32,), "float32")):
        cls = Module
        return R.call_tir(cls.nest, (x,), out_sinfo=R.Tensor((32,), "float32"))
    @R.function
    def large(x: R.Tensor((32,), "float32")):
        cls = Module
        return R.call_tir(cls.big, (x,), out_sinfo=R.Tensor((32,), "float32"))
# WANT:
deep
large
