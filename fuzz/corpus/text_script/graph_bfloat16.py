@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "bfloat16"), y: R.Tensor((4,), "float8_e4m3fn"), z: R.Tensor((4,), "uint4")):
        a = R.add(x, R.const([1.0, 3.140625], "bfloat16"))
        return a
