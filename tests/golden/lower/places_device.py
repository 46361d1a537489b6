# RUN: relax compile %s -o a.rlx
# FAILS: 1
# Tensors on a device that the file has no code for.
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0, "global")]})
    @R.function
    def main(x: R.Tensor((4,), "float32", "cuda:0")) -> R.Tensor((4,), "float32", "cuda:0"):
        with R.dataflow():
            y = R.add(x, x)
            R.output(y)
        return y
# WANT:
places_device.py:8:14: error: main: a tensor is said to be on cuda:0, but a file is for one device: the processor (llvm); leave the device out
        def main(x: R.Tensor((4,), "float32", "cuda:0")) -> R.Tensor((4,), "float32", "cuda:0"):
                 ^
