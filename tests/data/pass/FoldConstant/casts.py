# Changes of type.
# DIFFERS: TVM does not fold astype
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "int32")):
        with R.dataflow():
            a = R.astype(R.const(2.75, "float32"), "int32")
            b = R.add(a, x)
            R.output(b)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):
        with R.dataflow():
            a: R.Tensor((), dtype="int32") = R.astype(R.const(2.75, "float32"), dtype="int32")
            b: R.Tensor((), dtype="int32") = R.add(a, x)
            R.output(b)
        return b
