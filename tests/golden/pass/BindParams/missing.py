# RUN: relax opt --pass 'BindParams:params={w: nowhere.npy}' %s; true
# RUN: relax opt --pass 'BindParams:params={v: nowhere.npy}' %s; true
# RUN: relax opt --pass 'BindParams:func_name=other' %s; true
# RUN: relax eval %s main 'f32[2,3]' 'f32[3]' --output made >/dev/null && relax opt --pass 'BindParams:params={w: made/out1.npy}' %s
# RUN: relax opt --pass 'BindParams:params={w: made/out0.npy}' %s; true
# What can't be bound, and a value that decides a symbol of its parameter.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m",), "float32")) -> R.Tuple(R.Tensor(("n", "m"), "float32"), R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        a = R.multiply(x, w)
        b = R.zeros(R.shape([m]), "float32")
        return (a, b)
# WANT:
relax: error: BindParams: w: nowhere.npy: can't open it: No such file or directory
missing.py:10:9: error: BindParams: main has no parameter 'v'
        def main(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m",), "float32")) -> R.Tuple(R.Tensor(("n", "m"), "float32"), R.Tensor(("m",), "float32")):
            ^
relax: error: BindParams: func_name: there is no function 'other'
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32")) -> R.Tuple(R.Tensor(("n", 3), dtype="float32"), R.Tensor((3,), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n, 3), dtype="float32") = R.multiply(x, R.const([0.0, 0.0, 0.0], "float32"))
        b: R.Tensor((3,), dtype="float32") = R.zeros(R.shape([3]), dtype="float32")
        return (a, b)
missing.py:10:50: error: BindParams: w is R.Tensor((m,), dtype="float32"), the value given is R.Tensor((2, 3), dtype="float32")
        def main(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m",), "float32")) -> R.Tuple(R.Tensor(("n", "m"), "float32"), R.Tensor(("m",), "float32")):
                                                     ^
