metadata = tvm.ir.load_json("""{
  \"root_index\": 39,
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
        \"value\": 2
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
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQACAAAAAAAAAAIAAAAAAAAAEAAAAAAAAAAAAIA\\/AAAAQAAAQEAAAIBA\"
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
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"dtype\": \"int64\",
        \"value\": 3
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        10
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 11,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 12,
        \"values\": 11
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 13,
        \"dtype\": \"int8\",
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAAIAQADAAAAAAAAAAMAAAAAAAAAAf4D\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 14,
        \"data\": 15
      }
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
      \"type\": \"ffi.Array\",
      \"data\": [
        17
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 18,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 19,
        \"values\": 18
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 20,
        \"dtype\": \"bool\",
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAYIAQACAAAAAAAAAAIAAAAAAAAAAQA=\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 21,
        \"data\": 22
      }
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
      \"type\": \"ffi.Array\",
      \"data\": [
        24
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 25,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 26,
        \"values\": 25
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 27,
        \"dtype\": \"bfloat16\",
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAQQAQACAAAAAAAAAAQAAAAAAAAAwD8AQA==\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 28,
        \"data\": 29
      }
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"dtype\": \"int64\",
        \"value\": 0
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        31
      ]
    },
    {
      \"type\": \"relax.ShapeStructInfo\",
      \"data\": {
        \"span\": 1,
        \"values\": 32,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 33,
        \"values\": 32
      }
    },
    {
      \"type\": \"relax.TensorStructInfo\",
      \"data\": {
        \"span\": 1,
        \"shape\": 34,
        \"dtype\": \"float32\",
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAAAAAAAAAAAAAAAAAAAAAA\"
    },
    {
      \"type\": \"relax.expr.Constant\",
      \"data\": {
        \"span\": 1,
        \"struct_info_\": 35,
        \"data\": 36
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        9,
        16,
        23,
        30,
        37
      ]
    },
    {
      \"type\": \"ffi.Map\",
      \"data\": [
        0,
        38
      ]
    }
  ],
  \"metadata\": {
    \"tvm_version\": \"0.25.0.post1\"
  }
}""")
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        a: R.Tensor((2, 2), dtype="float32") = metadata["relax.expr.Constant"][0]
        b: R.Tensor((3,), dtype="int8") = metadata["relax.expr.Constant"][1]
        c: R.Tensor((2,), dtype="bool") = metadata["relax.expr.Constant"][2]
        d: R.Tensor((2,), dtype="bfloat16") = metadata["relax.expr.Constant"][3]
        e: R.Tensor((0,), dtype="float32") = metadata["relax.expr.Constant"][4]
        f: R.Tensor((2, 2), dtype="float32") = R.add(x, a)
        return f
