# An archive whose array is no array of numbers: the file and the array are named once.
# RUN: sh %S/objects.sh o; ! relax compile %s --weights o.npz -o m.rlx
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32"), w: R.Tensor((3,), "float32")):
        R.func_attr({"num_input": 1})
        return R.add(x, w)
# WANT:
relax: error: o.npz: w: npy: the elements ('|O') are pickled Python objects, which can run code when loaded; save an array of numbers instead
