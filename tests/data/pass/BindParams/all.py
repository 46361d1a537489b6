# PASS: BindParams:func_name=main;params={w: %S/v4.npy, b: %S/v4.npy}
# OTHER ARGUMENTS
# All weights.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")):
        n = T.int64()
        a = R.multiply(x, w)
        c = R.add(a, b)
        return c
# TVM 0.25.0.post1:
metadata = tvm.ir.load_json("""{
  \"root_index\": 17,
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
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAEAAAAAAAAABAAAAAAAAAAAACAPwAAAEAAAEDAAAAAPw==\"
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
        9
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 10,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 11,
        \"values\": 10
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 12,
        \"dtype\": \"float32\",
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAEAAAAAAAAABAAAAAAAAAAAACAPwAAAEAAAEDAAAAAPw==\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 13,
        \"data\": 14
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        8,
        15
      ]
    },
    {
      \"type\": \"ffi.Map\",
      \"data\": [
        0,
        16
      ]
    }
  ],
  \"metadata\": {
    \"tvm_version\": \"0.25.0.post1\"
  }
}""")

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.multiply(x, metadata["relax.expr.Constant"][0])
        c: R.Tensor((n, 4), dtype="float32") = R.add(a, metadata["relax.expr.Constant"][1])
        return c
