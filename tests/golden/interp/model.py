# A model with dynamic rows: missing arguments are random, of sizes that fit.
# RUN: relax eval %s main x=f32[3,128] --seed 1
# RUN: relax eval %s main n=0 --json
# RUN: relax eval %s main n=2 --output %t/out > /dev/null && relax eval %s main n=2 --expect out0=@%t/out/out0.npy

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 128), "float32"), w1: R.Tensor((128, 256), "float32"), b1: R.Tensor((256,), "float32"), w2: R.Tensor((256, 10), "float32"), b2: R.Tensor((10,), "float32")) -> R.Tensor(("n", 10), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv0 = R.matmul(x, w1)
            lv1 = R.add(lv0, b1)
            lv2 = R.nn.gelu(lv1)
            lv3 = R.matmul(lv2, w2)
            lv4 = R.add(lv3, b2)
            gv = R.nn.softmax(lv4, axis=-1)
            R.output(gv)
        return gv
# WANT:
out0: float32[3, 10] = 0, 6.89139e-25, 5.25538e-06, 1.51432e-11, 5.26283e-25, 3.28671e-16, ...
[{"name": "out0", "value": "float32[0, 10]"}]
out0: float32[2, 10] = 2.08406e-27, 3.07619e-27, 2.13624e-14, 5.0984e-19, 2.27642e-13, 1.69284e-19, ...
