@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("n", 8), "float32"), z: R.Tensor((8,), "float32"), i: R.Tensor(("n",), "int64"), j: R.Tensor(("n", 8), "int64")):
        n = T.int64()
        with R.dataflow():
            lv0 = R.take(x, i, axis=0)
            lv1 = R.take(x, i, axis=0, mode="clip")
            lv2 = R.take(z, i)
            lv3 = R.gather_elements(x, j, axis=1)
            lv4 = R.scatter_elements(x, j, y, axis=0, reduction="add")
            lv5 = R.scatter_nd(x, R.reshape(i, (n, 1)), y)
            lv6 = R.index_tensor(x, (i,))
            lv7 = R.slice_scatter(x, y, R.prim_value(0), R.prim_value(n), R.prim_value(1), axis=0)
            lv8 = R.clip(x, R.prim_value(0), R.prim_value(6))
            R.output(lv8)
        return lv8
