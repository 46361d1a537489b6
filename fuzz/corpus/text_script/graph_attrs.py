@I.ir_module
class Module:
    I.module_attrs({"system_lib_prefix": "hexagon_", "version": 3, "flag": True, "list": [1, "two", 3.5, None, {"deep": [False]}]})
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1, "Primitive": True, "tir_var_upper_bound": {"n": 1024}, "relax.force_pure": False, "name": "abc", "ratio": 0.25, "items": [1, 2, 3]})
        return x
