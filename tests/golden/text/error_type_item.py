# An element that the tuple has not.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        t = (x, w)
        y = t[2]
        return y
# WANT:
error_type_item.py:10:13: error: t[2]: the tuple has 2 fields, counted from 0
            y = t[2]
                ^
