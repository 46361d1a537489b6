@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(n: T.int32, m: T.int32) -> T.int32:
        if n > m:
            return n
        return n + m
