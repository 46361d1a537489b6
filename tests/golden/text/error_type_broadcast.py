# Shapes that do not broadcast.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        y = R.add(x, w)
        return y
# WANT:
error_type_broadcast.py:9:13: error: add: dims do not broadcast: 8 and 4 at dim -1
            y = R.add(x, w)
                ^
