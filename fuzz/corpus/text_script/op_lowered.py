@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("n", 8), "float32")):
        n = T.int64()
        lv0 = R.memory.alloc_storage(R.shape([n * 32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        lv1 = R.vm.alloc_storage(R.shape([256]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        lv2 = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        lv3 = R.null_value()
        lv4 = R.call_pure_packed("f", x, sinfo_args=R.Tensor((n, 8), "float32"))
        lv5 = R.call_dps_packed("g", (x, y), out_sinfo=R.Tensor((n, 8), "float32"))
        lv6 = R.call_dps_packed("h", (x,), out_sinfo=[R.Tensor((n, 8), "float32"), R.Tensor((n,), "int64")])
        lv7 = R.call_packed("p", x, R.prim_value(1), R.str("a"), sinfo_args=(R.Object,))
        lv9 = R.call_builtin_with_ctx("vm.builtin.x", (x,), sinfo_args=(R.Object,))
        lv10 = R.invoke_closure(R.call_pure_packed("mk", sinfo_args=R.Object), (x,), sinfo_args=R.Tensor)
        lv8 = R.call_inplace_packed("ip", x, y, inplace_indices=[0], sinfo_args=R.Tensor((n, 8), "float32"))
        return lv10
