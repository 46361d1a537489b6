# The attribute of merged programs in a text: what writes a result, or reads what the loop writes, is no first phase that
# each worker could do anew, whatever it is called; it is a launch of its own. What only fills memory of its own is one.
# RUN: relax compile %s -o m.rlx --target cpu:x86-64-v3; relax inspect m.rlx --bytecode | grep -o 'launch .*'
# RUN: relax compile %s -o m.rlx --target cpu:host; for t in 1 2 3; do relax run m.rlx -i f32[3,8]:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 --threads $t | grep out; done
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def writes(var_x: T.handle, var_y: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.first_phase": "said"})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 8))
        y = T.match_buffer(var_y, (n, 8))
        for j in range(8):
            y[0, j] = x[0, j]
        for j in range(8):
            y[0, j] = y[0, j] + T.float32(1)
        for i in T.parallel(n):
            for j in range(8):
                y[i, j] = T.if_then_else(i == T.int64(0), y[i, j], x[i, j])

    @T.prim_func(private=True)
    def fills(var_x: T.handle, var_y: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.first_phase": "said"})
        n = T.int64()
        x = T.match_buffer(var_x, (n, 8))
        y = T.match_buffer(var_y, (n, 8))
        with T.block("root"):
            s = T.alloc_buffer((8,), scope="local")
            for j in range(8):
                s[j] = x[0, j]
            for i in T.parallel(n):
                for j in range(8):
                    y[i, j] = x[i, j] + s[j]

    @R.function
    def main(x: R.Tensor(("n", 8), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.writes, (x,), out_sinfo=R.Tensor((n, 8), "float32"))
        z = R.call_tir(cls.fills, (x,), out_sinfo=R.Tensor((n, 8), "float32"))
        return (y, z)
# WANT:
launch writes_0, (%0, %2), ([s0])
launch writes_1, (%0, %2), ([s0])
launch fills, (%0, %3), ([s0])
out0: float32[3, 8] = 1, 2, 3, 4, 5, 6, ...
out1: float32[3, 8] = 0, 2, 4, 6, 8, 10, ...
out0: float32[3, 8] = 1, 2, 3, 4, 5, 6, ...
out1: float32[3, 8] = 0, 2, 4, 6, 8, 10, ...
out0: float32[3, 8] = 1, 2, 3, 4, 5, 6, ...
out1: float32[3, 8] = 0, 2, 4, 6, 8, 10, ...
