# RUN: relax schedule --check --do 'b0 = block("Y"); l1 = loop(b0, 1); bind(l1, "threadIdx.x")' %s
# FAILS: 1
# Threads would meet in the sum.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((8, 4), "float32"), Y: T.Buffer((8,), "float32")):
        for i, k in T.grid(8, 4):
            with T.sblock("Y"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Y[vi] = T.float32(0)
                Y[vi] = Y[vi] + X[vi, vk]
# WANT:
bind_carried.py:7:9: error: main: bind: loop k carries the reduction vk of block Y
        def main(X: T.Buffer((8, 4), "float32"), Y: T.Buffer((8,), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("Y"); l1 = loop(b0, 1); bind(l1, "threadIdx.x")
                                       ^
