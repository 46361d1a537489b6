# Sizes in a heap, as VMShapeLower leaves them: the message says what to compile instead.
# RUN: relax compile %s -o x.rlx --target cpu:host
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"relax.force_pure": True})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        return x
# WANT:
shape_heap.py:9:55: error: main: there is no function vm.builtin.alloc_shape_heap that R.call_builtin_with_ctx could call: sizes need no heap of their own; compile the module as it was before VMShapeLower
            shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int...
                                                          ^
