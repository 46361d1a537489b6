@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = R.call_packed("my.func", x, sinfo_args=R.Tensor((n,), "float32"))
        b = R.call_packed("my.two", a, R.prim_value(1), R.str("s"), R.dtype("int8"), sinfo_args=R.Tuple(R.Object, R.Tensor((n,), "int8")))
        c = R.call_packed("my.nothing", x, sinfo_args=R.Tuple)
        d = R.call_pure_packed("my.pure", x, a, sinfo_args=(R.Tensor((n,), "float32"),))
        e = R.call_dps_packed("my.dps", (x, d), out_sinfo=R.Tensor((n,), "float32"))
        return (b, e)
