# What has no machine form for these operands is said by check.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def normed(x: R.Tensor((64,), "float32"), w: R.Tensor((64,), "float32")):
        return R.rx.quantize_int8(x, w, epsilon=0.001)

    @R.function
    def taken(q: R.Tensor((1, "q8", 4, 16), "uint32"), s: R.Tensor((1, 1, "q8", 16), "float32"), i: R.Tensor(("n",), "int64")):
        return R.rx.packed_take(q, s, i, rows=16, format="q4_k")
# WANT:
error_packed_vector.py:8:16: error: rx.quantize_int8: x: want rows to norm with the weight, got a vector; reshape it to one row
            return R.rx.quantize_int8(x, w, epsilon=0.001)
                   ^
error_packed_vector.py:12:16: error: rx.packed_take: quants: want a known number as dim 1 (the weight's columns / 32), got (1, q8, 4, 16)
            return R.rx.packed_take(q, s, i, rows=16, format="q4_k")
                   ^
