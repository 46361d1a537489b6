# Fields of tensors: known ones, and those that only the run knows.
@I.ir_module
class Module:
    @R.function
    def known(x: R.Tensor(("n", 4), dtype="float16")):
        n = T.int64()
        a = R.inspect.tensor_shape_i(x, 0)
        b = R.inspect.tensor_stride_i(x, 0)
        return (a, b, R.inspect.tensor_ndim(x), R.inspect.tensor_dtype_code(x), R.inspect.tensor_dtype_bits(x), R.inspect.tensor_dtype_lanes(x), R.inspect.tensor_byte_offset(x), R.inspect.tensor_elem_offset(x))

    @R.function
    def asked(x: R.Tensor(dtype="float32", ndim=2), k: R.Prim("int64")):
        a = R.inspect.tensor_shape_i(x, 1)
        b = R.inspect.tensor_stride_i(x, 0)
        return (a, b, R.inspect.tensor_ndim(x), R.inspect.tensor_elem_offset(x))

    @R.function
    def anything(x: R.Tensor):
        return (R.inspect.tensor_ndim(x), R.inspect.tensor_dtype_code(x), R.inspect.tensor_dtype_bits(x), R.inspect.tensor_dtype_lanes(x), R.inspect.tensor_byte_offset(x))
