# RUN: relax opt --pass 'LegalizeOps:customize_legalize_map={nn.relu: my_relu};skip_ops=[exp]' %s
# The user's own program for one operator; another one is left alone.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def my_relu(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        for i in range(n):
            with T.sblock("relu"):
                vi = T.axis.spatial(n, i)
                Y[vi] = T.max(T.float32(0.0), X[vi])

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.nn.relu(x)
        z = R.exp(y)
        return z
# WANT:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def my_relu(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,))
        Y = T.match_buffer(y, (n,))
        # with T.sblock("root"):
        for i in range(n):
            with T.sblock("relu"):
                vi = T.axis.spatial(n, i)
                Y[vi] = T.max(T.float32(0.0), X[vi])

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.my_relu, (x,), out_sinfo=R.Tensor((n,), dtype="float32"))
        z: R.Tensor((n,), dtype="float32") = R.exp(y)
        return z
