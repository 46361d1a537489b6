# A closure with effects.
# DIFFERS: TVM calls a closure with effects by R.invoke_pure_closure, which later passes may drop or merge
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        @R.function(pure=False)
        def f(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            p = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
            r = R.add(z, x)
            return r
        a = f(x)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(pure=False, private=True)
    def main_f(z: R.Tensor((4,), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        p: R.Tensor(ndim=1) = R.call_packed("foo", x, sinfo_args=(R.Tensor(ndim=1),))
        r: R.Tensor((4,), dtype="float32") = R.add(z, x)
        return r

    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        f: R.Object = R.make_closure(cls.main_f, (x,))
        a: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(f, (x,), sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return a
