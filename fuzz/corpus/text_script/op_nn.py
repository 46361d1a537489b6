@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("n", 8), "float32"), z: R.Tensor((8,), "float32"), i: R.Tensor(("n",), "int64"), w: R.Tensor((8, 16), "float32"), im: R.Tensor((1, 4, 16, 16), "float32"), g4: R.Tensor((4,), "float32"), q8: R.Tensor((4, 8), "int8"), sc: R.Tensor((8,), "float32"), zp: R.Tensor((8,), "int8")):
        n = T.int64()
        with R.dataflow():
            lv0 = R.nn.softmax(x, axis=-1)
            lv1 = R.nn.log_softmax(x)
            lv2 = R.nn.leakyrelu(x, 0.2)
            lv3 = R.nn.prelu(x, z, axis=1)
            lv4 = R.nn.softplus(x, beta=2.0)
            lv5 = R.nn.layer_norm(x, z, z, axes=[-1], epsilon=1e-6)
            lv6 = R.nn.rms_norm(x, z, axes=[-1])
            lv7 = R.nn.group_norm(im, g4, g4, num_groups=2, channel_axis=1, axes=[2, 3])
            lv8 = R.nn.instance_norm(im, g4, g4, channel_axis=1, axes=[2, 3])
            lv9 = R.nn.batch_norm(im, g4, g4, g4, g4, axis=1)
            lv10 = R.nn.dropout(x, rate=0.1)
            lv11 = R.nn.pad(x, [0, 0, 1, 1])
            lv12 = R.nn.pad(x, (1, 2, 3, 4), "constant", 1.5)
            lv13 = R.nn.cross_entropy_with_logits(x, y)
            lv14 = R.nn.nll_loss(R.nn.log_softmax(x), i, z)
            lv15 = R.nn.pixel_shuffle(im, 2)
            lv16 = R.matmul(x, w)
            lv17 = R.matmul(x, w, out_dtype="float16")
            lv18 = R.linear(x, R.permute_dims(w))
            lv19 = R.einsum((x, w), "ij,jk->ik")
            lv20 = R.quantize(R.const([[1.0]]), R.const([1.0]), R.const([0], "int8"), axis=-1, out_dtype="int8")
            lv21 = R.dequantize(q8, sc, zp, axis=-1, out_dtype="float32")
            R.output(lv21)
        return lv21
