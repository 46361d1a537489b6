# What a call writes is no constant, and no other argument of it.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(x: T.Buffer((T.int64(3),), "float32")):
        for i in range(T.int64(3)):
            x[i] = x[i] + T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def flip(x: T.Buffer((T.int64(3),), "float32"), y: T.Buffer((T.int64(3),), "float32")):
        for i in range(T.int64(3)):
            x[i] = x[i] + y[T.int64(2) - i]

    @R.function
    def a_constant(x: R.Tensor((3,), "float32")):
        cls = Module
        z = R.const([1.0, 2.0, 3.0], "float32")
        y = R.call_tir_inplace(cls.inc, (z,), inplace_indices=[0], out_sinfo=R.Tensor((3,), "float32"))
        return y

    @R.function
    def one_twice(x: R.Tensor((3,), "float32")):
        cls = Module
        z = R.add(x, x)
        w = R.match_cast(z, R.Tensor((3,), "float32"))
        y = R.call_tir_inplace(cls.flip, (w, z), inplace_indices=[0], out_sinfo=R.Tensor((3,), "float32"))
        return y

    @R.function(pure=False)
    def called_as_it_is(x: R.Tensor((3,), "float32")):
        cls = Module
        z = R.add(x, x)
        _: R.Tuple = cls.flip(z, x)
        _1: R.Tuple = cls.flip(z, z)
        _2: R.Tuple = cls.inc(R.const([1.0, 2.0, 3.0], "float32"))
        return z

    @R.function
    def given_twice(x: R.Tensor((3,), "float32")):
        z = R.add(x, x)
        y = R.call_inplace_packed("my.update", z, z, inplace_indices=[0], sinfo_args=R.Tensor((3,), "float32"))
        return y
# WANT:
error_written_argument.py:20:13: error: call_tir_inplace: argument 1 is a constant, which can't be written over; give it a computed value, or use R.call_tir
            y = R.call_tir_inplace(cls.inc, (z,), inplace_indices=[0], out_sinfo=R.Tensor((3,), "float32"))
                ^
error_written_argument.py:28:13: error: call_tir_inplace: arguments 1 and 2 are the same memory, and the call writes over it; compute one of them anew, or use R.call_tir
            y = R.call_tir_inplace(cls.flip, (w, z), inplace_indices=[0], out_sinfo=R.Tensor((3,), "float32"))
                ^
error_written_argument.py:36:27: error: flip: arguments 1 and 2 are the same memory, and the call writes over it; compute one of them anew, or use R.call_tir
            _1: R.Tuple = cls.flip(z, z)
                              ^
error_written_argument.py:37:27: error: inc: argument 1 is a constant, which can't be written over; give it a computed value, or use R.call_tir
            _2: R.Tuple = cls.inc(R.const([1.0, 2.0, 3.0], "float32"))
                              ^
error_written_argument.py:43:13: error: call_inplace_packed: arguments 1 and 2 are the same memory, and the call writes over it; compute one of them anew, or use R.call_tir
            y = R.call_inplace_packed("my.update", z, z, inplace_indices=[0], sinfo_args=R.Tensor((3,), "float32"))
                ^
