# Attributes of functions count, in any order.
# RUN: sed 's/"a": 1, "b": 2/"b": 2, "a": 1/' %s > same.py && relax diff %s same.py && sed 's/"b": 2/"b": 3/' %s > other.py; relax diff %s other.py
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"a": 1, "b": 2})
        return x
# WANT:
main: the attributes differ
  @R.function
  def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
-     R.func_attr({"a": 1, "b": 2})
+     R.func_attr({"a": 1, "b": 3})
