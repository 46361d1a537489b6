@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), z: R.Tensor((8,), "float32"), u: R.Tensor(dtype="float32", ndim=1)):
        n = T.int64()
        with R.dataflow():
            lv0 = R.sum(x, axis=[0, 1])
            lv1 = R.sum(x, axis=1, keepdims=True)
            lv2 = R.sum(x)
            lv3 = R.mean(x, axis=[-1])
            lv4 = R.max(x, axis=0)
            lv5 = R.min(x)
            lv6 = R.prod(x, axis=1)
            lv7 = R.std(x, axis=1)
            lv8 = R.variance(x, axis=[0])
            lv9 = R.argmax(x, axis=1)
            lv10 = R.argmin(x, axis=0, keepdims=True)
            lv11 = R.argmax(x)
            lv12 = R.cumsum(x, axis=0)
            lv13 = R.cumprod(x, axis=1, dtype="float64")
            lv14 = R.cumsum(x, 1, exclusive=True)
            lv15 = R.sort(x, axis=1, descending=True)
            lv16 = R.argsort(x, axis=-1, dtype="int64")
            lv17 = R.topk(x, k=3, axis=1)
            lv18 = R.topk(x, 2, ret_type="values")
            lv19 = R.median(x, axis=[1])
            lv20 = R.unique(u)
            lv21 = R.unique(u, sorted=False, return_index=True, axis=0)
            lv22 = R.nonzero(x)
            lv23 = R.bucketize(x, z)
            R.output(lv23)
        return lv23
