@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=2), o: R.Object, s: R.Shape(ndim=2)):
        n = T.int32()
        m = T.int64()
        k = T.itn(46)
        a = R.match_cast(x, R.Tensor((n, m), "float32"))
        b = R.match_cast(o, R.Tuple(R.Tensor((n,), "int32"), R.Object))
        c = R.match_cast(s, R.Shape([n, k]))
        d = R.match_cast(x, R.Tensor((n, m), "float33"))
        e = R.reshape(a, R.shape([n * m]))
        return (e, b, c, d)
