# A call that gives an empty tuple gives a value, and `_` is a name like others.
# RUN: relax compile %s -o m.rlx
# RUN: for f in printed nested chosen blank stated; do relax eval %s $f x=f32[1,2]:1,2 c=bool[]:1 >eval; relax run m.rlx -f $f -i x=f32[1,2]:1,2 -i c=bool[]:1 2>&1 | grep -v ^time >run; echo "$f:"; cat run; diff eval run; done
@I.ir_module
class Module:
    @R.function(pure=False)
    def printed(x: R.Tensor(("n", 2), "float32"), c: R.Tensor((), "bool")):
        y = R.print(x)
        return y
    @R.function(pure=False)
    def nested(x: R.Tensor(("n", 2), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        y = cls.printed(x, c)
        z = cls.printed(x, c)
        a = y
        return (a, (y, x), z)
    @R.function(pure=False)
    def chosen(x: R.Tensor(("n", 2), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        y = cls.printed(x, c)
        if c:
            r = y
        else:
            r = cls.printed(x, c)
        return (r, y)
    @R.function(pure=False)
    def blank(x: R.Tensor(("n", 2), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        _ = cls.nested(x, c)
        return _
    @R.function(pure=False)
    def stated(x: R.Tensor(("n", 2), "float32"), c: R.Tensor((), "bool")):
        _ = R.unique(x)
        y = R.assert_op(c, format="c")
        w = R.match_cast(y, R.Tuple())
        return (_, w, y)
# WANT:
printed:
[1, 2]
nested:
[1, 2]
[1, 2]
out1.1: float32[1, 2] = 1, 2
chosen:
[1, 2]
blank:
[1, 2]
[1, 2]
out1.1: float32[1, 2] = 1, 2
stated:
out0: float32[2] = 1, 2
