# RUN: relax opt --pass 'AnnotateTIROpPattern:precise=true,FuseOps:producers=true,FuseTIR:inline=true' %s
# A quantised weight unpacked: several reads, each a function of the output's index.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def decode_q4(Wdata: T.Buffer((T.int64(128), T.int64(32)), "uint32"), Wscale: T.Buffer((T.int64(128), T.int64(8)), "float16"), W: T.Buffer((T.int64(128), T.int64(256)), "float16")):
        T.func_attr({"tirx.noalias": True})
        for i, j in T.grid(T.int64(128), T.int64(256)):
            with T.sblock("decode"):
                vi, vj = T.axis.remap("SS", [i, j])
                W[vi, vj] = (T.Cast("float16", T.bitwise_and(T.shift_right(Wdata[vi, vj // T.int64(8)], T.Cast("uint32", vj % T.int64(8) * T.int64(4))), T.uint32(15))) - T.float16(7)) * Wscale[vi, vj // T.int64(32)]
    @T.prim_func(private=True, s_tir=True)
    def mm(var_x: T.handle, W: T.Buffer((T.int64(128), T.int64(256)), "float16"), var_y: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        X = T.match_buffer(var_x, (n, T.int64(128)), "float16")
        Y = T.match_buffer(var_y, (n, T.int64(256)), "float16")
        for i, j, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Y[vi, vj] = T.float16(0)
                Y[vi, vj] = Y[vi, vj] + X[vi, vk] * W[vk, vj]
    @R.function
    def main(x: R.Tensor(("n", 128), "float16"), Wdata: R.Tensor((128, 32), "uint32"), Wscale: R.Tensor((128, 8), "float16")) -> R.Tensor(("n", 256), "float16"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            W = R.call_tir(cls.decode_q4, (Wdata, Wscale), out_sinfo=R.Tensor((128, 256), "float16"))
            y = R.call_tir(cls.mm, (x, W), out_sinfo=R.Tensor((n, 256), "float16"))
            z = R.nn.relu(y)
            R.output(z)
        return z
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), dtype="float16"), Wdata: R.Tensor((128, 32), dtype="uint32"), Wscale: R.Tensor((128, 8), dtype="float16")) -> R.Tensor(("n", 256), dtype="float16"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.fused_decode_q4_mm, (Wdata, Wscale, x), out_sinfo=R.Tensor((n, 256), dtype="float16"))
            z: R.Tensor((n, 256), dtype="float16") = R.nn.relu(y)
            R.output(z)
        return z

    @T.prim_func(private=True, s_tir=True)
    def fused_decode_q4_mm(Wdata: T.Buffer((T.int64(128), T.int64(32)), "uint32"), Wscale: T.Buffer((T.int64(128), T.int64(8)), "float16"), p_x: T.handle, p_output0: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(128)), "float16")
        Y_intermediate = T.match_buffer(p_output0, (n, T.int64(256)), "float16")
        # with T.sblock("root"):
        for i, j, k in T.grid(n, T.int64(256), T.int64(128)):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Y_intermediate[vi, vj] = T.float16(0.0)
                Y_intermediate[vi, vj] = Y_intermediate[vi, vj] + x[vi, vk] * ((T.Cast("float16", T.bitwise_and(T.shift_right(Wdata[vk, vj // T.int64(8)], T.Cast("uint32", vj % T.int64(8) * T.int64(4))), T.uint32(15))) - T.float16(7.0)) * Wscale[vk, vj // T.int64(32)])
