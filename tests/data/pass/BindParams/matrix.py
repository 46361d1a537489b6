# PASS: BindParams:func_name=main;params={w: %S/m24.npy}
# OTHER ARGUMENTS
# A matrix that is multiplied.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), "float32"), w: R.Tensor((2, 4), "float32")):
        n = T.int64()
        a = R.matmul(x, w)
        return a
# TVM 0.25.0.post1:
metadata = tvm.ir.load_json("""{
  \"root_index\": 11,
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
        \"value\": 2
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
        2,
        3
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 4,
        \"ndim\": 2
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 5,
        \"values\": 4
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 6,
        \"dtype\": \"float32\",
        \"vdevice\": 1,
        \"ndim\": 2
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQACAAAAAAAAAAQAAAAAAAAAIAAAAAAAAAAAAAAAAACAPgAAAD8AAEA\\/AACAPwAAoD8AAMA\\/AADgPw==\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 7,
        \"data\": 8
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        9
      ]
    },
    {
      \"type\": \"ffi.Map\",
      \"data\": [
        0,
        10
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
    def main(x: R.Tensor(("n", 2), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        a: R.Tensor((n, 4), dtype="float32") = R.matmul(x, metadata["relax.expr.Constant"][0], out_dtype="void")
        return a
