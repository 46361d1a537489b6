# RUN: relax compile %s -o a.rlx
# FAILS: 1
# A file is for the processor alone: other devices and other kinds of memory are refused.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                y[vi] = x[vi] + T.float32(1)
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([16]), R.prim_value(1), R.str("global"), R.dtype("float32"))
        a: R.Tensor((4,), "float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"))
        _: R.Tuple = cls.f(x, a)
        return a
# WANT:
places.py:16:29: error: main: vm.alloc_storage: device 1: a file is for one device, 0
            storage: R.Object = R.memory.alloc_storage(R.shape([16]), R.prim_value(1), R.str("global"), R.dtype("float32"))
                                ^
