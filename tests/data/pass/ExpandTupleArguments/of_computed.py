# The tuple comes from a call.
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"))) -> R.Tensor((2,), "float32"):
        a = z[1]
        b = z[0]
        c = R.add(a, b)
        return c

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            t = R.split(x, 2)
            c = cls.sub(t)
            R.output(c)
        return c
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def sub(z_0: R.Tensor((2,), dtype="float32"), z_1: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        c: R.Tensor((2,), dtype="float32") = R.add(z_1, z_0)
        return c

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        with R.dataflow():
            t: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
            lv: R.Tensor((2,), dtype="float32") = t[0]
            lv1: R.Tensor((2,), dtype="float32") = t[1]
            c: R.Tensor((2,), dtype="float32") = cls.sub(lv, lv1)
            R.output(c)
        return c
