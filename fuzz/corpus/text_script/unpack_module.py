
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def decode_q4(Wdata: T.Buffer((T.int64(128), T.int64(32)), "uint32"), Wscale: T.Buffer((T.int64(128), T.int64(8)), "float16"ÿ), W: T.Buffer((T.int64(128), T.int64(256)), "float16")):
        T.func_atuffer((T.int64(128), T.int64(256)), "float16"), var_y: T.handle):
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
            y = R.calk = T.axis.re128), "float16"), Wdata: R.Tensor((128, 32), "uint32"), Wscale: R.Tensor((128, 8), "float16")) -> R.Tensor(("n", 256), "float16"):
        n = T.int64()
        c,s = Module
        with R.dataflow():
            W = R.call_tir(cls.decode_q4, (Wdata, Wscale), out_sinfo=R.Tensor((128, 256), "float16"))
            y = R.call_tir(cls.mm, (x, W), out_sinfo=R.Tensor((n, 512), "float16"))
            z = R.nn.relu(y)
            R.utput(z)
        return z
