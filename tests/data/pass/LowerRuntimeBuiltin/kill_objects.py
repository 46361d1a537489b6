# Objects that are given up: as they are.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        o: R.Object = R.call_packed("g", x, sinfo_args=(R.Object,))
        t: R.Tuple(R.Tensor((n,), "float32"), R.Object) = R.call_packed("h", o, sinfo_args=(R.Tuple(R.Tensor((n,), "float32"), R.Object),))
        R.vm.kill_object(o)
        a = t[0]
        R.vm.kill_object(t)
        b: R.Tensor((n,), "float32") = R.call_packed("h", a, sinfo_args=(R.Tensor((n,), "float32"),))
        R.memory.kill_tensor(a)
        return b
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        o: R.Object = R.call_packed("g", x, sinfo_args=(R.Object,))
        t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Object) = R.call_packed("h", o, sinfo_args=(R.Tuple(R.Tensor((n,), dtype="float32"), R.Object),))
        R.vm.kill_object(o)
        a: R.Tensor((n,), dtype="float32") = t[0]
        R.vm.kill_object(t)
        b: R.Tensor((n,), dtype="float32") = R.call_packed("h", a, sinfo_args=(R.Tensor((n,), dtype="float32"),))
        R.vm.kill_object(a)
        return b
