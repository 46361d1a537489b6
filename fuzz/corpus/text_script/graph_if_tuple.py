@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        if c:
            a = R.exp(x)
            z = (a, x)
        else:
            b = R.exp(y)
            z = (b, y)
        return z
