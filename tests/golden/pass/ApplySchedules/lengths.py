# RUN: relax opt --pass ApplySchedules --target cpu:x86-64-v3 %s | grep -B 5 -A 3 'if n'
# Only where a row is long it is cut into chunks.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((), "float32")):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        for k in range(n):
            with T.sblock("B"):
                vk = T.axis.reduce(n, k)
                with T.init():
                    B[()] = T.float32(0)
                B[()] = B[()] + A[vk]
# WANT:
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, B: T.Buffer((), "float32")):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        if n <= T.int64(65536):
            Module.main_short(a, B)
        else:
            Module.main_long(a, B)
