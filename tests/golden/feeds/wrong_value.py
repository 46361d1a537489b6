# A value that is none and a number of threads that is none, each named once.
# RUN: relax compile %s -o m.rlx; for v in 'f99[3]' 'x=f99[3]' x=@none.npy 'x=(-1,2)'; do ! relax run m.rlx -i "$v" || exit 1; done; ! relax run m.rlx -i 'x=f32[3]' --expect 'out0=f99[3]' >out
# RUN: for n in abc -3; do ! RELAX_NUM_THREADS=$n relax run m.rlx -i x=3 || exit 1; done
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        return R.add(x, x)
# WANT:
relax: error: --input f99[3]: no dtype is called f99
relax: error: --input x=f99[3]: no dtype is called f99
relax: error: --input x=@none.npy: can't open it: No such file or directory
relax: error: --input x=(-1,2): want a shape such as (3,4)
relax: error: --expect out0=f99[3]: no dtype is called f99
relax run: RELAX_NUM_THREADS: want a whole number from 0 to 1024, got 'abc'
`relax run --help` explains it.
relax run: RELAX_NUM_THREADS: want a whole number from 0 to 1024, got '-3'
`relax run --help` explains it.
