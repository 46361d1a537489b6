@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), "float32")):
        a = R.const(1.5, "float32")
        b = R.const(3, "int64")
        c = R.const(True, "bool")
        d = R.const([[1.0, 2.0], [3.0, 4.0]], "float32")
        e = R.const([1, 2, 3], "int8")
        f = R.const([0.1, 1e-8, 65504.0], "float16")
        g = R.const(-7, "int32")
        h = R.const([True, False], "bool")
        i = R.const(2.5)
        j = R.const(7)
        k = R.const([[[1]], [[2]]], "uint8")
        l = R.const([1.5, 2.0], "float64")
        m = R.const(1e30, "float32")
        return R.add(x, d)
