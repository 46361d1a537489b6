# Something of I. that is not known.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    I.module_stuff({"a": 1})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# WANT:
error_name_info.py:6:5: error: I.module_stuff is not known; there are I.module_attrs and I.module_global_infos
        I.module_stuff({"a": 1})
        ^
