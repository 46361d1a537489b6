# Uses inside branches, tuples that are taken apart, constants, second names.
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                y[vi] = x[vi] + T.float32(1)
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32"), s: R.Shape(["n"])) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        n = T.int64()
        storage: R.Object = R.memory.alloc_storage(R.shape([16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        cls.f(x, a)
        b = a
        sh = R.shape([n, 4])
        un = R.shape([n, 5])
        k = R.const([1.0, 2.0, 3.0, 4.0], "float32")
        t = (a, x, k)
        t0 = t[0]
        t2 = t[2]
        a2: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        cls.f(t2, a2)
        o: R.Object = R.call_packed("g", t0, sh, sinfo_args=(R.Object,))
        p = R.call_packed("h", o, k, sinfo_args=(R.Tensor((4,), "float32"),))
        e = p
        q = R.reshape(e, R.shape([2, 2]))
        if c:
            w: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            cls.f(a2, w)
            z = w
        else:
            w1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            cls.f(b, w1)
            w2: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            cls.f(w1, w2)
            z = w2
        w3: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.f(z, w3)
        return w3
# TVM 0.25.0.post1:
metadata = tvm.ir.load_json("""{
  \"root_index\": 10,
  \"nodes\": [
    {
      \"type\": \"ffi.String\",
      \"data\": \"relax.expr.Constant\"
    },
    {
      \"type\": \"None\"
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"dtype\": \"int64\",
        \"value\": 4
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        2
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 3,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 4,
        \"values\": 3
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 5,
        \"dtype\": \"float32\",
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAEAAAAAAAAABAAAAAAAAAAAACAPwAAAEAAAEBAAACAQA==\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 6,
        \"data\": 7
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        8
      ]
    },
    {
      \"type\": \"ffi.Map\",
      \"data\": [
        0,
        9
      ]
    }
  ],
  \"metadata\": {
    \"tvm_version\": \"0.25.0.post1\"
  }
}""")

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi] + T.float32(1.0)

    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32"), s: R.Shape(["n"])) -> R.Tensor((4,), dtype="float32"):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage: R.Object = R.memory.alloc_storage(R.shape([16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        cls.f(x, a)
        sh: R.Shape([n, 4]) = R.shape([n, 4])
        un: R.Shape([n, 5]) = R.shape([n, 5])
        k: R.Tensor((4,), dtype="float32") = metadata["relax.expr.Constant"][0]
        t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = a, x, metadata["relax.expr.Constant"][0]
        a2: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"), R.prim_value(0))
        R.memory.kill_storage(storage)
        cls.f(metadata["relax.expr.Constant"][0], a2)
        o: R.Object = R.call_packed("g", a, sh, sinfo_args=(R.Object,))
        p: R.Tensor((4,), dtype="float32") = R.call_packed("h", o, metadata["relax.expr.Constant"][0], sinfo_args=(R.Tensor((4,), dtype="float32"),))
        R.vm.kill_object(o)
        q: R.Tensor((2, 2), dtype="float32") = R.reshape(p, R.shape([2, 2]))
        R.memory.kill_tensor(p)
        if c:
            w: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            cls.f(a2, w)
            z: R.Tensor((4,), dtype="float32") = w
        else:
            w1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            cls.f(a, w1)
            w2: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
            cls.f(w1, w2)
            R.memory.kill_tensor(w1)
            z: R.Tensor((4,), dtype="float32") = w2
        w3: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.f(z, w3)
        return w3
