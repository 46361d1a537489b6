# R.memory.view as TVM's Python function takes it: dtypes as strings, None and left-out arguments.
# RUN: relax fmt %s
# RUN: relax opt --pass Normalize %s
# RUN: x='x=R.Tensor((4,), dtype="float32")'; for call in 'x, R.shape([4]), dtype="float64"' 'x, dtype="float64"' 'x, None, None, R.prim_value(4)' 'x, R.shape([99]), "float64", 0' 'x, R.shape([2]), dtype="flot64"'; do relax infer "R.memory.view($call)" --var "$x" && echo accepted; done; true
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = R.memory.view(x, shape=R.shape([2]), dtype="float64")
        b = R.memory.view(x, dtype="int32")
        c = R.memory.view(x, None, "int32", None)
        d = R.memory.view(x, R.shape([2]), relative_byte_offset=R.prim_value(8))
        e = R.memory.view(x, None, None)
        return (a, b, c, d, e)
# WANT:
# R.memory.view as TVM's Python function takes it: dtypes as strings, None and left-out arguments.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = R.memory.view(x, shape=R.shape([2]), dtype="float64")
        b = R.memory.view(x, dtype="int32")
        c = R.memory.view(x, None, "int32", None)
        d = R.memory.view(x, R.shape([2]), relative_byte_offset=R.prim_value(8))
        e = R.memory.view(x, None, None)
        return (a, b, c, d, e)
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float64"), R.Tensor((4,), dtype="int32"), R.Tensor((4,), dtype="int32"), R.Tensor((2,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        a: R.Tensor((2,), dtype="float64") = R.memory.view(x, R.shape([2]), R.dtype("float64"))
        b: R.Tensor((4,), dtype="int32") = R.memory.view(x, R.tuple(), R.dtype("int32"))
        c: R.Tensor((4,), dtype="int32") = R.memory.view(x, R.tuple(), R.dtype("int32"), R.tuple())
        d: R.Tensor((2,), dtype="float32") = R.memory.view(x, R.shape([2]), R.tuple(), R.prim_value(8))
        e: R.Tensor((4,), dtype="float32") = R.memory.view(x, R.tuple(), R.tuple())
        return (a, b, c, d, e)
relax: error: memory.view: the view needs 32 bytes, x has 16
relax: error: memory.view: the view needs 32 bytes, x has 16
relax: error: memory.view: the view needs 20 bytes, x has 16
relax: error: memory.view: the view needs 792 bytes, x has 16
relax: error: R.memory.view: 'dtype': unknown dtype "flot64"; did you mean "float64"?
