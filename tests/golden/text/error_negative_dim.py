# Buffers of less than nothing.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        local = T.alloc_buffer((T.int64(-4),))
        with T.sblock("b"):
            own = T.sblock_alloc_buffer((T.int64(0) - n,))
            own[0] = T.float32(0)
# WANT:
error_negative_dim.py:11:9: error: f: extent 0 of local is -4, which is negative
            local = T.alloc_buffer((T.int64(-4),))
            ^
error_negative_dim.py:12:9: error: f: dim 0 of own is 0 - n, which is negative
            with T.sblock("b"):
            ^
error_negative_dim.py:14:13: error: f: index 0 of own is 0, outside of the extent 0 - n
                own[0] = T.float32(0)
                ^
