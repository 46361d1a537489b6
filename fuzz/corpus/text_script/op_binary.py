@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("n", 8), "float32"), z: R.Tensor((8,), "float32"), j: R.Tensor(("n", 8), "int64"), b: R.Tensor(("n", 8), "bool")):
        n = T.int64()
        with R.dataflow():
            lv0 = R.add(x, y)
            lv1 = R.subtract(x, y)
            lv2 = R.multiply(x, y)
            lv3 = R.divide(x, y)
            lv4 = R.floor_divide(x, y)
            lv5 = R.power(x, y)
            lv6 = R.atan2(x, y)
            lv7 = R.mod(x, y)
            lv8 = R.floor_mod(x, y)
            lv9 = R.log_add_exp(x, y)
            lv10 = R.maximum(x, y)
            lv11 = R.minimum(x, y)
            lv12 = R.equal(x, y)
            lv13 = R.not_equal(x, y)
            lv14 = R.greater(x, y)
            lv15 = R.greater_equal(x, y)
            lv16 = R.less(x, y)
            lv17 = R.less_equal(x, y)
            lv18 = R.bitwise_and(j, j)
            lv19 = R.bitwise_or(j, j)
            lv20 = R.bitwise_xor(j, j)
            lv21 = R.left_shift(j, j)
            lv22 = R.right_shift(j, j)
            lv23 = R.logical_and(b, b)
            lv24 = R.logical_or(b, b)
            lv25 = R.logical_xor(b, b)
            lv26 = R.outer(z, z)
            lv27 = R.where(b, x, y)
            lv28 = R.ewise_fma(x, y, x)
            lv29 = x + y
            lv30 = x - y
            lv31 = x * y
            lv32 = x / y
            lv33 = x // y
            lv34 = -x
            lv35 = x < y
            lv36 = x >= y
            R.output(lv36)
        return lv36
