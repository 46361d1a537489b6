@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((64,), "float32"), n: T.int32):
        T.call_packed("my.packed", n, A.data, "text", 1)
        T.call_extern("int32", "c_function", A.data, n)
        T.evaluate(T.call_pure_extern("float32", "sinf", A[0]))
        T.tvm_storage_sync("shared")
        T.evaluate(T.address_of(A[3]))
        T.evaluate(T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 16, 1))
        T.evaluate(n)
        T.evaluate(0)
        T.evaluate(A[0])
        T.evaluate(T.isnullptr(A.data))
