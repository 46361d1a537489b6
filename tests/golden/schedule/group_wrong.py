# RUN: relax schedule --do 'b0 = block("C"); group(b0, 4)' %s
# FAILS: 1
# The number from memory may be any.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(var_A: T.handle, W: T.Buffer((3, 16, 4), "float32"), var_e: T.handle, var_C: T.handle):
        t = T.int64()
        A = T.match_buffer(var_A, (t, T.int64(4)))
        e = T.match_buffer(var_e, (t, T.int64(2)), "int32")
        C = T.match_buffer(var_C, (t, T.int64(2), T.int64(16)))
        for i, j, n, k in T.grid(t, T.int64(2), T.int64(16), T.int64(4)):
            with T.sblock("C"):
                vi, vj, vn, vk = T.axis.remap("SSSR", [i, j, n, k])
                with T.init():
                    C[vi, vj, vn] = T.float32(0)
                C[vi, vj, vn] = C[vi, vj, vn] + A[vi, vk] * W[e[vi, vj], vn, vk]
# WANT:
group_wrong.py:7:9: error: main: group: rows of block C choose nothing by a number from memory
        def main(var_A: T.handle, W: T.Buffer((3, 16, 4), "float32"), var_e: T.handle, var_C: T.handle):
            ^
<trace>:1:18: note: this line of the trace does not apply
    b0 = block("C"); group(b0, 4)
                     ^
