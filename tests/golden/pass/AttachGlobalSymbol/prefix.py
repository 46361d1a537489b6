# RUN: relax opt --pass AttachGlobalSymbol %s
# RUN: relax opt --pass AttachGlobalSymbol %s | relax check - && echo "a module"
# Nothing stays private; programs have the prefix before their names, also where another program calls them.
@I.ir_module
class Module:
    I.module_attrs({"system_lib_prefix": "lib_"})
    @T.prim_func(private=True, s_tir=True)
    def twice(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,), "float32")
        b = T.match_buffer(var_b, (n,), "float32")
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                b[vi] = a[vi] + a[vi]

    @R.function(private=True)
    def helper(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        cls = Module
        a = R.call_tir(cls.twice, (y,), out_sinfo=R.Tensor((k,), "float32"))
        return a

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        y = cls.helper(x)
        return y
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_attrs({"system_lib_prefix": "lib_"})
    @T.prim_func(s_tir=True)
    def lib_twice(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        a = T.match_buffer(var_a, (n,))
        b = T.match_buffer(var_b, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("b"):
                vi = T.axis.spatial(n, i)
                b[vi] = a[vi] + a[vi]

    @R.function
    def helper(y: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("k",), dtype="float32"):
        k = T.int64()
        cls = Module
        a = R.call_tir(cls.lib_twice, (y,), out_sinfo=R.Tensor((k,), dtype="float32"))
        return a

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y: R.Tensor((n,), dtype="float32") = cls.helper(x)
        return y
a module
