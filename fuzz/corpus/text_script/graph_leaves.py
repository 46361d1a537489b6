@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = R.str("text with \"quotes\" and \\ and \n")
        b = R.dtype("float16")
        c = R.shape([n, 4])
        d = R.prim_value(5)
        e = R.prim_value(T.float32(0.5))
        f = R.prim_value(n * 2)
        g = R.shape([])
        h = x
        i = h
        j = R.prim_value(T.int32(3))
        return i
