# Powers of integers are whole: 15 ** 1 is not 14, 2 ** -1 is 0.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1), "int32"), y: R.Tensor(("m",), "int32")) -> R.Tensor(("n", "m"), "int32"):
        n = T.int64()
        m = T.int64()
        a = R.bitwise_and(x, R.const(15, "int32"))
        b = R.bitwise_and(y, R.const(7, "int32"))
        c = R.power(a, b)
        return c

    @R.function
    def negative(x: R.Tensor(("n", 1), "int64"), y: R.Tensor(("m",), "int64")) -> R.Tensor(("n", "m"), "int64"):
        n = T.int64()
        m = T.int64()
        a = R.add(R.bitwise_and(x, R.const(15, "int64")), R.const(1, "int64"))
        b = R.subtract(R.const(2, "int64"), R.bitwise_and(y, R.const(7, "int64")))
        c = R.power(R.negative(a), b)
        return c
