# Something between a signature and its colon.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor) = 3; ) foo:
        return x

    @R.function
    def other(x: R.Tensor) -> R.Tensor y:
        return x

    @T.prim_func(s_tir=True)
    def loop(A: T.Buffer((16,), "float32")) = 3:
        A[0] = T.float32(1)
# WANT:
error_graph_signature_end.py:7:27: error: expected ':', got '='
        def main(x: R.Tensor) = 3; ) foo:
                              ^
error_graph_signature_end.py:11:40: error: expected ':', got 'y'
        def other(x: R.Tensor) -> R.Tensor y:
                                           ^
error_graph_signature_end.py:15:45: error: expected ':', got '='
        def loop(A: T.Buffer((16,), "float32")) = 3:
                                                ^
