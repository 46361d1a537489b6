# Texts of late stages of TVM: storages that are given up before their tensors are used, captures that allocate, programs
# called with a shape.
# RUN: relax check %s && relax compile %s -o x.rlx --target cpu:host > /dev/null
# RUN: relax eval %s numbers -o in > /dev/null
# RUN: relax eval %s main x=@in/out0.npy
# RUN: relax run x.rlx -i x=@in/out0.npy | grep out
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def inc(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        y = T.match_buffer(var_y, (n,))
        for i in range(n):
            y[i] = x[i] + T.float32(1.0)

    @T.prim_func(private=True, s_tir=True)
    def add_size(var_x: T.handle, var_y: T.handle, m: T.int64):
        n = T.int64()
        x = T.match_buffer(var_x, (n,))
        y = T.match_buffer(var_y, (n,))
        for i in range(n):
            y[i] = x[i] + T.Cast("float32", m)

    @R.function(private=True)
    def kept() -> R.Tuple(R.Object):
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([12]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        gv: R.Tuple(R.Object) = (storage,)
        R.memory.kill_storage(storage)
        return gv

    @R.function(private=True)
    def captured(x: R.Tensor((3,), "float32"), a: R.Tensor((3,), "float32")) -> R.Tuple(R.Tensor((3,), "float32")):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        cls.inc(x, a)
        b: R.Tensor((3,), "float32") = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.inc(a, b)
        gv: R.Tuple(R.Tensor((3,), "float32")) = (b,)
        return gv

    @R.function
    def numbers():
        return R.const([1, 2, 3], "float32")

    @R.function
    def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        gv: R.Tuple(R.Object) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.get_cached_alloc", (cls.kept, R.prim_value(0)), sinfo_args=(R.Tuple(R.Object),))
        storage: R.Object = gv[0]
        R.vm.kill_object(gv)
        a: R.Tensor((3,), "float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([3]), R.dtype("float32"), R.prim_value(0))
        R.vm.kill_object(storage)
        gv1: R.Tuple(R.Tensor((3,), "float32")) = R.call_builtin_with_ctx("vm.builtin.cuda_graph.run_or_capture", (cls.captured, (x, a), R.prim_value(1)), sinfo_args=(R.Tuple(R.Tensor((3,), "float32")),))
        b: R.Tensor((3,), "float32") = gv1[0]
        storage1: R.Object = R.memory.alloc_storage(R.shape([12]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        c: R.Tensor((3,), "float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([3]), R.dtype("float32"), R.prim_value(0))
        R.memory.kill_storage(storage1)
        R.call_packed("vm.builtin.call_tir_dyn", cls.add_size, b, c, R.shape([10]), sinfo_args=(R.Tuple,))
        R.memory.kill_tensor(b)
        return c
# WANT:
out0: float32[3] = 13, 14, 15
out0: float32[3] = 13, 14, 15
