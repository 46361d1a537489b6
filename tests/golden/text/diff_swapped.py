# Two symbols that change places are a difference.
# RUN: sed 's/R.shape(\[n, m\])/R.shape([m, n])/' %s > other.py; relax diff %s other.py
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        y = R.exp(x)
        z = R.reshape(y, R.shape([n, m]))
        return z
# WANT:
main: the expressions differ
      m = T.int64()
      y: R.Tensor((n, m), dtype="float32") = R.exp(x)
-     z: R.Tensor((n, m), dtype="float32") = R.reshape(y, R.shape([n, m]))
+     z: R.Tensor((m, n), dtype="float32") = R.reshape(y, R.shape([m, n]))
