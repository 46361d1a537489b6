# Functions the user names stay too.
# PASS: DeadCodeElimination:entry_functions=[kept]
@I.ir_module
class Module:
    @R.function(private=True)
    def kept(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        cls = Module
        a = cls.under(n)
        return a

    @R.function(private=True)
    def under(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        return n

    @R.function(private=True)
    def gone(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        return n

    @R.function
    def main(x: R.Tensor((), "int64")):
        return x
# TVM 0.25.0.post1:
@I.ir_module
class Module:
    @R.function(private=True)
    def kept(n: R.Tensor((), dtype="int64")) -> R.Tensor((), dtype="int64"):
        cls = Module
        a: R.Tensor((), dtype="int64") = cls.under(n)
        return a

    @R.function(private=True)
    def under(n: R.Tensor((), dtype="int64")) -> R.Tensor((), dtype="int64"):
        return n

    @R.function
    def main(x: R.Tensor((), dtype="int64")) -> R.Tensor((), dtype="int64"):
        return x
