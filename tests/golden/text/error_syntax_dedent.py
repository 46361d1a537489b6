# A line that fits no block around it.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        n = T.int64()
        with R.dataflow():
            y = R.exp(x)
          z = R.exp(y)
        return x
# WANT:
error_syntax_dedent.py:11:11: error: the indentation matches no open block: want 8 or 12 columns, got 10
              z = R.exp(y)
              ^
