# Tuples, items, shapes, casts, constants.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        a = R.add(x, y)
        t = (a, x)
        t1 = (a, x)
        t0 = t[0]
        t2 = t1[0]
        m1 = R.match_cast(x, R.Tensor((n, 4), "float32"))
        m2 = R.match_cast(x, R.Tensor((n, 4), "float32"))
        s = R.shape([n, 4])
        s2 = R.shape([n, 4])
        co = R.add(x, R.const(1.0, "float32"))
        co2 = R.add(x, R.const(1.0, "float32"))
        co3 = R.add(x, R.const(2.0, "float32"))
        return (t0, t2, m2, s2, co, co2, co3)
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor(("n", 4), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Shape(["n", 4]), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32"), R.Tensor(("n", 4), dtype="float32")):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.add(x, y)
        t: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = a, x
        t1: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = t
        t0: R.Tensor((n, 4), dtype="float32") = t[0]
        t2: R.Tensor((n, 4), dtype="float32") = t0
        m1: R.Tensor((n, 4), dtype="float32") = R.match_cast(x, R.Tensor((n, 4), dtype="float32"))
        m2: R.Tensor((n, 4), dtype="float32") = m1
        s: R.Shape([n, 4]) = R.shape([n, 4])
        s2: R.Shape([n, 4]) = s
        co: R.Tensor((n, 4), dtype="float32") = R.add(x, R.const(1.0, "float32"))
        co2: R.Tensor((n, 4), dtype="float32") = co
        co3: R.Tensor((n, 4), dtype="float32") = R.add(x, R.const(2.0, "float32"))
        return (t0, t0, m1, s, co, co, co3)
