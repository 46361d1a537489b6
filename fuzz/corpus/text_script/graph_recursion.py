@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            y = R.add(x, x)
            z = cls.main(c, y)
        else:
            z = x
        return z
