@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "uint8"), D: T.Buffer((64,), "bool"), n: T.int32, m: T.int64):
        A[0] = A[1] + A[2] * A[3] - A[4] / A[5]
        A[1] = (A[1] + A[2]) * (A[3] - A[4])
        A[2] = T.max(A[0], T.float32(0)) + T.min(A[1], T.float32(6))
        B[0] = n // 2 + n % 3 - n * 4
        B[1] = T.truncdiv(n, 2) + T.truncmod(n, 2)
        B[2] = T.Select(n > 1, n, 3)
        B[3] = T.if_then_else(n > 1 and n < 7 or n == 9, n, B[4])
        B[4] = T.Cast("int32", A[0])
        B[5] = T.shift_left(n, 2)
        B[6] = T.bitwise_and(n, 3) | T.bitwise_xor(n, 1)
        B[7] = (n >> 1) & 7
        B[8] = ~n
        B[9] = -n
        B[10] = n + 1 - (2 - n)
        B[11] = n - (n - 1) - 1
        A[6] = T.exp(A[0]) + T.log(A[1]) + T.sqrt(A[2]) + T.rsqrt(A[3]) + T.tanh(A[4]) + T.sigmoid(A[5]) + T.erf(A[6])
        A[7] = T.pow(A[0], T.float32(2)) + T.floor(A[1]) + T.ceil(A[2]) + T.round(A[3]) + T.fabs(A[4]) + T.trunc(A[5])
        A[8] = T.sin(A[0]) + T.cos(A[1]) + T.atan2(A[2], A[3]) + T.fma(A[0], A[1], A[2])
        D[0] = not D[1]
        D[1] = D[0] and n != 3
        D[2] = T.isnan(A[0]) or T.isinf(A[1])
        D[3] = n <= 3 or n >= 5
        C[0] = T.Cast("uint8", n)
        C[1] = T.uint8(255)
        A[9] = T.reinterpret("float32", n)
        A[10] = T.float32("inf")
        A[11] = T.float32("-inf")
        A[12] = T.float32("nan")
        A[13] = T.float32(1e-7)
        A[14] = T.float32(-3.4028234663852886e38)
        B[12] = T.Cast("int32", m + T.int64(4))
        B[T.Cast("int32", m)] = T.popcount(n) + T.clz(n)
