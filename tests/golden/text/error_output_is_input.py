# The output would replace what is read.
# RUN: cp %s in.py && ln in.py link.py && cp in.py weights.npz
# RUN: for words in "compile in.py -o in.py" "compile in.py -o ./link.py --emit asm" "compile in.py --weights weights.npz -o weights.npz" "reduce --check false in.py -o in.py"; do relax $words && echo accepted; done; cmp in.py %s
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return x
# WANT:
relax compile: in.py is what is read; want another name for the output
`relax compile --help` explains it.
relax compile: ./link.py is what is read; want another name for the output
`relax compile --help` explains it.
relax compile: weights.npz is what is read; want another name for the output
`relax compile --help` explains it.
relax reduce: in.py is what is read; want another name for the output
`relax reduce --help` explains it.
