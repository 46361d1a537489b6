# Tensors spread over a mesh of devices, as TVM's relax.distributed prints them.
@I.ir_module
class Module:
    I.module_attrs({"device_num": 10})
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((1,), I.Range(4, 5))]})
    @T.prim_func
    def tir_func(x: T.Buffer((T.int64(128), T.int64(128)), "float32"), y: T.Buffer((T.int64(128), T.int64(128)), "float32")):
        for i, j in T.grid(T.int64(128), T.int64(128)):
            y[i, j] = x[i, j] + T.float32(1.0)

    @R.function
    def foo(x: R.DTensor((128, 128), "float32", "mesh[0]", "S[0], R")) -> R.DTensor((128, 128), "float32", "mesh[0]", "S[0], R"):
        cls = Module
        gv0 = R.dist.call_tir(cls.tir_func, (x,), out_sinfo=R.DTensor((128, 128), "float32", "mesh[0]", "S[0], R"))
        gv1: R.DTensor((128, 128), "float32", "mesh[0]", "S[0], R") = R.dist.annotate_sharding(gv0, device_mesh="mesh[0]", placement="S[0], R")
        return gv1
