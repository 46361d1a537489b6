@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        a = R.concat(t, axis=0)
        b = R.concat((x, x, t[0]), axis=0)
        c = R.split(b, 3)
        d = R.stack(c, axis=1)
        return d
