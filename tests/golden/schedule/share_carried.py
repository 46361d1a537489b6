# RUN: relax schedule --check --do 'b0 = block("E"); b1 = block("Y"); share(b0, b1)' %s
# FAILS: 1
# Each iteration reads what the one before it made as well.
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((32, 8), "float32"), Y: T.Buffer((32, 8), "float32")):
        E = T.sblock_alloc_buffer((32, 8))
        S = T.sblock_alloc_buffer((32,))
        for i in range(32):
            for j in range(8):
                with T.sblock("E"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    E[vi, vj] = T.exp(X[vi, vj])
            with T.sblock("S"):
                vi = T.axis.spatial(32, i)
                S[vi] = E[T.max(vi - 1, 0), 0]
            for j in range(8):
                with T.sblock("Y"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    Y[vi, vj] = E[vi, vj] + S[vi]
# WANT:
share_carried.py:7:9: error: main: share: an iteration may read of E what another one wrote
        def main(X: T.Buffer((32, 8), "float32"), Y: T.Buffer((32, 8), "float32")):
            ^
<trace>:1:35: note: this line of the trace does not apply
    b0 = block("E"); b1 = block("Y"); share(b0, b1)
                                      ^
