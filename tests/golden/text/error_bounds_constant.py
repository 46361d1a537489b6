# Sizes that are numbers.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_a: T.handle, var_b: T.handle):
        n = T.int64()
        A = T.match_buffer(var_a, (n,))
        B = T.match_buffer(var_b, (n,))
        local = T.alloc_buffer((T.int64(4),))
        for i in range(T.int64(5)):
            local[i] = T.float32(0)
# WANT:
error_bounds_constant.py:13:13: error: f: index 0 of local is 4 where i = 4, outside of the extent 4
                local[i] = T.float32(0)
                ^
