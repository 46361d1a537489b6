@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.attr(T.int32(0), "pragma_x", 3):
            A[0] = T.float32(1)
        with T.attr({"pragma_y": 4, "pragma_z": "text"}):
            A[1] = T.float32(1)
        with T.attr(A.data, "storage_alignment", 16):
            A[2] = T.float32(1)
        with T.attr("default", "k", 1):
            A[3] = T.float32(1)
