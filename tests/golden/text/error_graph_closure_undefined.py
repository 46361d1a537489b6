# A closure that uses what comes later.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(y: R.Tensor((4,), "float32")):
        n = T.int64()
        @R.function
        def inner(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return R.add(a, later)
        later = inner(y)
        return later
# WANT:
error_graph_closure_undefined.py:11:29: error: 'later' is not defined
                return R.add(a, later)
                                ^
