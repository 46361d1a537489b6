# A size that is divided has a bound of its own (below 2**56), which is no memory to take: it is computed at each call.
# RUN: relax compile %s -o x.rlx --target cpu:host > /dev/null && relax compile %s --emit ir | grep -o 'alloc_storage(R.shape(.*]), R.prim'
# RUN: relax run x.rlx -f strided -i x=f32[256,1]:$(seq -s, 256) | grep out
# RUN: relax run x.rlx -f bits -i x=f32[9]:1,0,2,3,0,0,0,0,5 | grep out
@I.ir_module
class Module:
    @R.function
    def strided(x: R.Tensor(("n", 1), "float32")):
        a = R.strided_slice(x, axes=[0], begin=[0], end=[9223372036854775807], strides=[128])
        return R.sort(R.cumsum(a, axis=0), axis=0)

    @R.function
    def pooled(x: R.Tensor((1, 1, "h", 8), "float32")):
        return R.sort(R.cumsum(R.nn.max_pool2d(x, pool_size=[64, 1], strides=[64, 1]), axis=2))

    @R.function
    def bits(x: R.Tensor(("n",), "float32")):
        a = R.flip(R.astype(R.greater(x, R.const(0.0, "float32")), "uint1"), axis=0)
        return R.astype(a, "int32")

    # Bounds that are small are taken at once, stated ones however large.
    @R.function
    def small(x: R.Tensor(("n",), "float32"), s: R.Shape(["n", "n % 8"])):
        n = T.int64()
        return R.sort(R.cumsum(R.zeros(R.shape([n % 8]), "float32"), axis=0))

    @R.function
    def stated(x: R.Tensor(("n",), "float32")):
        R.func_attr({"tir_var_upper_bound": {"n": 100000000}})
        a = R.strided_slice(x, axes=[0], begin=[0], end=[9223372036854775807], strides=[128])
        return R.sort(R.cumsum(a, axis=0))
# WANT:
alloc_storage(R.shape([(n + 2047) // 2048 * 128]), R.prim
alloc_storage(R.shape([4 * ((n + 127) // 128)]), R.prim
alloc_storage(R.shape([(h + 64) // 128 * 128]), R.prim
alloc_storage(R.shape([4 * (h // 64) * 8]), R.prim
alloc_storage(R.shape([(n + 63) // 64 * 64 + (n + 511) // 512 * 64]), R.prim
alloc_storage(R.shape([4 * n]), R.prim
alloc_storage(R.shape([128]), R.prim
alloc_storage(R.shape([4 * (n % 8)]), R.prim
alloc_storage(R.shape([6250112]), R.prim
alloc_storage(R.shape([4 * ((n + 127) // 128)]), R.prim
out0: float32[2, 1] = 1, 130
out0: int32[9] = 1, 0, 0, 0, 0, 1, ...
