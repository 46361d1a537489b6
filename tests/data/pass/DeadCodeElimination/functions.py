# Private functions that nobody reaches, also where they call each other.
@I.ir_module
class Module:
    @R.function(private=True)
    def even(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        cls = Module
        never = R.const(False, "bool")
        if never:
            a: R.Tensor((), "int64") = cls.odd(n)
        else:
            a: R.Tensor((), "int64") = n
        return a

    @R.function(private=True)
    def odd(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        cls = Module
        never = R.const(False, "bool")
        if never:
            a: R.Tensor((), "int64") = cls.even(n)
        else:
            a: R.Tensor((), "int64") = n
        return a

    @R.function(private=True)
    def used(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        return n

    @R.function
    def main(x: R.Tensor((), "int64")):
        cls = Module
        with R.dataflow():
            a = cls.used(x)
            b = cls.even(x)
            R.output(a, b)
        return a
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def used(n: R.Tensor((), dtype="int64")) -> R.Tensor((), dtype="int64"):
        return n

    @R.function
    def main(x: R.Tensor((), dtype="int64")) -> R.Tensor((), dtype="int64"):
        cls = Module
        with R.dataflow():
            a: R.Tensor((), dtype="int64") = cls.used(x)
            R.output(a)
        return a
