# Pointers that say what they point to and where, and memory that has such a name before it is allocated.
@I.ir_module
class Module:
    @T.prim_func
    def f(p: T.handle("float32"), q: T.handle("int8", "shared"), A: T.Buffer((16,), "float32")):
        s = T.handle("float32", "shared")
        with T.attr(s, "volatile_scope", 1):
            B = T.alloc_buffer((16,), data=s, scope="shared", annotations={"note": 1})
            for i in range(16):
                B[i] = A[i]
        C = T.Buffer((4, 4), data=A.data)
        for i in range(4):
            C[i, i] = T.float32(0.0)
