@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), q: R.Tensor((1, "n", 4, 16), "float16")):
        n = T.int64()
        with R.dataflow():
            lv0 = R.nn.attention(q, q, q)
            lv1 = R.nn.attention(q, q, q, causal_mask="TopLeft")
            lv2 = R.nn.attention(q, q, q, scale=T.float32(0.125), window_size=T.IntImm("int32", 8))
            lv3 = R.nn.attention_bias(q, q, q, R.const([[[[0.0]]]], "float16"))
            lv4 = R.ccl.allreduce(x, "sum")
            lv5 = R.ccl.allgather(x, 2)
            lv6 = R.ccl.broadcast_from_worker0(x)
            lv7 = R.ccl.scatter_from_worker0(x, num_workers=4, axis=1)
            R.output(lv7)
        return lv7
