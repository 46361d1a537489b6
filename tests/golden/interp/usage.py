# Wrong use of the command.
# RUN: relax eval %s g; relax eval %s main x=f32[2] x=f32[2]; relax eval %s main m=3; relax eval %s main x=f32[2] --expect z; true
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        return x
# WANT:
relax: error: usage.py has no function g to run; it has main
relax eval: x is given twice
`relax eval --help` explains it.
relax: error: main has no parameter or size m
out0: float32[2] = 0.304897, 0.402424
relax eval: --expect: want NAME=VALUE, such as out0=@y.npy, got 'z'
`relax eval --help` explains it.
