# Annotations that name a shape variable, through passes that build functions anew, also in and of local functions.
# RUN: relax compile %s -o out.rlx; sed 's/\["a", "b"\]/ndim=2/' shape_variables.py >unknown.py; relax compile unknown.py -o no.rlx; true
# RUN: relax run out.rlx --func cast -i x=f32[2,3] -i s='(2,3)' --seed 1 | grep -v ^time; true
# RUN: relax run out.rlx --func cast -i x=f32[2,3] -i s='(2,4)' --seed 1 | grep -v ^time; true
# RUN: relax run out.rlx --func local -i x=f32[4] -i s='(4,)' --seed 1 | grep -v ^time; true
# RUN: relax run out.rlx --func inside -i x=f32[2] -i s='(2,)' -i o=f32[2] --seed 1 | grep -v ^time; true
# RUN: relax opt --pass GuardPrograms,Normalize,LambdaLift %s
@I.ir_module
class Module:
    @R.function
    def cast(x: R.Tensor(("m", "n"), "float32"), s: R.Shape(["a", "b"])):
        y = R.match_cast(x, R.Tensor(s, dtype="float32"))
        return y

    @R.function
    def local(x: R.Tensor(("n",), "float32"), s: R.Shape(["k"])):
        @R.function
        def g(y: R.Tensor(("n",), "float32")) -> R.Tensor(s, "float32"):
            return R.reshape(y, s)

        return g(x)

    @R.function
    def inside(x: R.Tensor(("n",), "float32"), s: R.Shape(["n"]), o: R.Object) -> R.Object:
        @R.function
        def g(y: R.Tensor(s, "float32"), q: R.Object) -> R.Tensor(s, "float32"):
            z: R.Tensor(s, "float32") = R.match_cast(q, R.Tensor(s, "float32"))
            return z

        return g(x, o)
# WANT:
unknown.py:12:13: error: cast: whether a tensor has the shape s can't be checked: its dims are not known; name them, as in R.match_cast(s, R.Shape(["a", "b"]))
            y = R.match_cast(x, R.Tensor(s, dtype="float32"))
                ^
out0: float32[2, 3] = -0.0464038, 0.628788, 0.184398, 0.143969, 0.528059, 0.161209
relax: error: cast: x.shape[1] is 3, but b is 4, bound by s[1]
out0: float32[4] = -0.0464038, 0.628788, 0.184398, 0.143969
out0: float32[2] = 0.605802, 0.160008
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def cast(x: R.Tensor(("m", "n"), dtype="float32"), s: R.Shape(["a", "b"])) -> R.Tensor(s, dtype="float32"):
        m = T.int64()
        n = T.int64()
        a = T.int64()
        b = T.int64()
        y: R.Tensor(s, dtype="float32") = R.match_cast(x, R.Tensor(s, dtype="float32"))
        return y

    @R.function
    def local(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["k"])) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        k = T.int64()
        cls = Module
        g: R.Object = R.make_closure(cls.local_g, (s,))
        gv: R.Tensor(dtype="float32", ndim=1) = R.invoke_pure_closure(g, (x,), sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        return gv

    @R.function
    def inside(x: R.Tensor(("n",), dtype="float32"), s: R.Shape(["n"]), o: R.Object) -> R.Object:
        n = T.int64()
        cls = Module
        g1: R.Object = R.make_closure(cls.inside_g, (s,))
        gv1: R.Tensor(dtype="float32", ndim=1) = R.invoke_pure_closure(g1, (x, o), sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        return gv1

    @R.function(private=True)
    def local_g(y: R.Tensor(("n",), dtype="float32"), s: R.Shape(["k"])) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        k = T.int64()
        gv: R.Tensor((k,), dtype="float32") = R.reshape(y, s)
        return gv

    @R.function(private=True)
    def inside_g(y: R.Tensor(dtype="float32", ndim=1), q: R.Object, s: R.Shape(["n"])) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        z: R.Tensor(s, dtype="float32") = R.match_cast(q, R.Tensor(s, dtype="float32"))
        return z
