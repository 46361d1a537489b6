# Floats of less than a byte have no arithmetic in kernels; the message says what to do.
# RUN: relax compile %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float4_e2m1fn"), y: R.Tensor(("n",), "float6_e2m3fn")):
        return (R.astype(x, "float32"), R.astype(y, "float32"))
# WANT:
packed_floats.py:8:17: error: astype: parameter x: kernels can't read or write float4_e2m1fn, of which a byte holds several; hold it in bytes (uint8) and spell out how they are taken apart
            return (R.astype(x, "float32"), R.astype(y, "float32"))
                    ^
packed_floats.py:8:41: error: astype1: parameter y: kernels can't read or write float6_e2m3fn, of which a byte holds several; hold it in bytes (uint8) and spell out how they are taken apart
            return (R.astype(x, "float32"), R.astype(y, "float32"))
                                            ^
