# Memory that a call writes is itself alone: what is computed alike isn't merged, and what is read of it stays where it is.
# RUN: relax check %s && relax compile %s -o x.rlx --target cpu:host > /dev/null
# RUN: relax eval %s numbers -o in > /dev/null
# RUN: for f in two_buffers two_values two_constants given_away a_view; do echo $f; relax run x.rlx -f $f -i x=@in/out0.npy | grep out; relax eval %s $f x=@in/out0.npy; done
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(x: T.Buffer((T.int64(3),), "float32"), y: T.Buffer((T.int64(3),), "float32")):
        for i in range(T.int64(3)):
            y[i] = x[i] + T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def tenfold(x: T.Buffer((T.int64(3),), "float32"), y: T.Buffer((T.int64(3),), "float32")):
        for i in range(T.int64(3)):
            y[i] = x[i] * T.float32(10.0)

    @T.prim_func(private=True, s_tir=True)
    def twice(x: T.Buffer((T.int64(3),), "float32")):
        for i in range(T.int64(3)):
            x[i] = x[i] * T.float32(2.0)

    @R.function
    def numbers():
        return R.const([1, 2, 3], "float32")

    @R.function(pure=False)
    def two_buffers(x: R.Tensor((3,), "float32")):
        cls = Module
        a: R.Tensor((3,), "float32") = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _: R.Tuple = cls.inc(x, a)
        b: R.Tensor((3,), "float32") = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _1: R.Tuple = cls.tenfold(x, b)
        return (a, b)

    @R.function(pure=False)
    def two_values(x: R.Tensor((3,), "float32")):
        cls = Module
        a = R.add(x, x)
        b = R.add(x, x)
        before = R.add(a, x)
        _: R.Tuple = cls.twice(a)
        after = R.add(a, x)
        return (a, b, before, after)

    @R.function(pure=False)
    def two_constants(x: R.Tensor((3,), "float32")):
        cls = Module
        a = R.ones(R.shape([3]), "float32")
        b = R.ones(R.shape([3]), "float32")
        _: R.Tuple = cls.twice(a)
        after = R.add(a, R.const(1.0, "float32"))
        return (a, b, after)

    @R.function
    def given_away(x: R.Tensor((3,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.add(x, x)
            b = R.add(x, x)
            c = R.call_tir_inplace(cls.twice, (a,), inplace_indices=[0], out_sinfo=R.Tensor((3,), "float32"))
            d = R.add(b, c)
            R.output(d)
        return d

    @R.function
    def a_view(x: R.Tensor((3,), "float32")):
        cls = Module
        a = R.add(x, x)
        b = R.add(x, x)
        v = R.memory.view(a, R.shape([3]))
        t = (v, x)
        c = R.call_tir_inplace(cls.twice, (t[0],), inplace_indices=[0], out_sinfo=R.Tensor((3,), "float32"))
        return R.add(b, c)
# WANT:
two_buffers
out0: float32[3] = 2, 3, 4
out1: float32[3] = 10, 20, 30
out0: float32[3] = 2, 3, 4
out1: float32[3] = 10, 20, 30
two_values
out0: float32[3] = 4, 8, 12
out1: float32[3] = 2, 4, 6
out2: float32[3] = 3, 6, 9
out3: float32[3] = 5, 10, 15
out0: float32[3] = 4, 8, 12
out1: float32[3] = 2, 4, 6
out2: float32[3] = 3, 6, 9
out3: float32[3] = 5, 10, 15
two_constants
out0: float32[3] = 2, 2, 2
out1: float32[3] = 1, 1, 1
out2: float32[3] = 3, 3, 3
out0: float32[3] = 2, 2, 2
out1: float32[3] = 1, 1, 1
out2: float32[3] = 3, 3, 3
given_away
out0: float32[3] = 6, 12, 18
out0: float32[3] = 6, 12, 18
a_view
out0: float32[3] = 6, 12, 18
out0: float32[3] = 6, 12, 18
