# RUN: relax opt --pass ApplySchedules --target cpu:x86-64-v4 %s | grep -e 'def ' -e 'if n' -e 'else' -e 'Module\.' -e parallel
# One row and many have programs of their own where the weights are large; the function becomes the choice.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def linear(x: T.handle, w: T.Buffer((T.int64(256), T.int64(256)), "float32"), y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, T.int64(256)))
        Y = T.match_buffer(y, (n, T.int64(256)))
        for i, j, k in T.grid(n, T.int64(256), T.int64(256)):
            with T.sblock("linear"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Y[vi, vj] = T.float32(0)
                Y[vi, vj] = Y[vi, vj] + X[vi, vk] * w[vj, vk]
# WANT:
    def linear(x: T.handle, w: T.Buffer((T.int64(256), T.int64(256)), "float32"), y: T.handle):
        if n <= T.int64(1):
            Module.linear_row(x, w, y)
        elif n <= T.int64(32):
            Module.linear_few_rows(x, w, y)
        else:
            Module.linear_rows(x, w, y)
    def linear_row(x: T.handle, w: T.Buffer((T.int64(256), T.int64(256)), "float32"), y: T.handle):
        for j_0_i_0_fused in T.parallel(n * T.int64(8)):
    def linear_few_rows(x: T.handle, w: T.Buffer((T.int64(256), T.int64(256)), "float32"), y: T.handle):
        for j_0_i_0_fused in T.parallel((n + T.int64(5)) // T.int64(6) * T.int64(8)):
    def linear_rows(x: T.handle, w: T.Buffer((T.int64(256), T.int64(256)), "float32"), y: T.handle):
        for j_0 in T.parallel(T.int64(8)):
