# An annotation that does not exist.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensr((4,), "float32")):
        n = T.int64()
        return x
# WANT:
error_name_annotation.py:7:17: error: there is no operator R.Tensr; did you mean R.Tensor?
        def main(x: R.Tensr((4,), "float32")):
                    ^
