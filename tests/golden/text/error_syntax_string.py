# A string that is never closed.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        y = R.const(1.0, "float32)
        return y
# WANT:
error_syntax_string.py:7:9: error: function 'main' has no 'return'
        def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
            ^
error_syntax_string.py:9:20: error: this bracket is never closed
            y = R.const(1.0, "float32)
                       ^
error_syntax_string.py:9:26: error: this string is never closed
            y = R.const(1.0, "float32)
                             ^
