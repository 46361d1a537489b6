# RUN: relax schedule --check --do 'b0 = block("Y"); l1 = loop(b0, 0); vectorize(l1)' %s
# FAILS: 1
# There is no loop around in which each lane's memory could lie.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((5, 8), "float32"), Y: T.Buffer((5, 8), "float32")):
        for j in range(8):
            with T.sblock("Y"):
                vj = T.axis.spatial(8, j)
                acc = T.sblock_alloc_buffer((), scope="local")
                acc[()] = T.float32(0)
                for i in range(5):
                    acc[()] = acc[()] + X[i, vj]
                    Y[i, vj] = acc[()]
# WANT:
vectorize_own_top.py:7:9: error: main: vectorize: acc is allocated inside loop j
        def main(X: T.Buffer((5, 8), "float32"), Y: T.Buffer((5, 8), "float32")):
            ^
<trace>:1:36: note: this line of the trace does not apply
    b0 = block("Y"); l1 = loop(b0, 0); vectorize(l1)
                                       ^
