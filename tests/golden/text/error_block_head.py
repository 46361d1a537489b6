# What a block says of itself stands in it directly, as TVM has it too.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        with T.sblock("outer"):
            for i, j in T.grid(16, 16):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[i, j])
                T.sblock_attr({"k": 1})
                C = T.sblock_alloc_buffer((i,))
                D = T.match_buffer(A[i, 0:16], (16,))
                B[vi, vj] = A[vi, vj]
# WANT:
error_block_head.py:10:33: error: T.axis.remap belongs into T.sblock itself, not into a statement inside of it
                    vi, vj = T.axis.remap("SS", [i, j])
                                    ^
error_block_head.py:11:17: error: T.reads belongs into T.sblock itself, not into a statement inside of it
                    T.reads(A[i, j])
                    ^
error_block_head.py:12:17: error: T.sblock_attr belongs into T.sblock itself, not into a statement inside of it
                    T.sblock_attr({"k": 1})
                    ^
error_block_head.py:13:17: error: T.sblock_alloc_buffer of other than constant dims belongs into T.sblock itself, not into a statement inside of it
                    C = T.sblock_alloc_buffer((i,))
                    ^
error_block_head.py:14:36: error: T.match_buffer belongs into T.sblock itself, not into a statement inside of it
                    D = T.match_buffer(A[i, 0:16], (16,))
                                       ^
