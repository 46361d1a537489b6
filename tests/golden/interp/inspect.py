# R.print prints before the results; R.inspect looks at tensors; R.memory.view is the same memory.
# RUN: relax eval %s main n=2
# RUN: relax eval %s check n=3
# FAILS: 1
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        r = R.inspect.tensor_ndim(x)
        d = R.inspect.tensor_shape_i(x, R.prim_value(0))
        s = R.inspect.tensor_stride_i(x, R.prim_value(0))
        _ = R.print(x, R.shape([n, 4]), format="x is {} of shape {}")
        v = R.memory.view(x, R.shape([n * 2, 2]))
        y = R.negative(v)
        return (r, d, s, y)

    @R.function(pure=False)
    def check(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        _ = R.assert_op(R.const(False, "bool"), R.prim_value(n), format="n must not be {}")
        return x
# WANT:
x is [0.870127, -0.513026, -0.360605, -0.671451, 0.43688, 0.99562, -0.8316, -0.641491] of shape (2, 4)
out0: 2
out1: 2
out2: 4
out3: float32[4, 2] = -0.870127, 0.513026, 0.360605, 0.671451, -0.43688, -0.99562, ...
inspect.py:21:13: error: check: assertion failed: n must not be 3
            _ = R.assert_op(R.const(False, "bool"), R.prim_value(n), format="n must not be {}")
                ^
