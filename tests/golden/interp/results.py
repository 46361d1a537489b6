# What results are compared with, and how far they may be apart; a shape is printed, and written (2,).
# RUN: relax eval %s main 'a=f32[2,4]' 's=(3,)'
# RUN: relax compile %s -o x.rlx > /dev/null
# RUN: relax eval %s main 'a=f32[2,4]' 's=(3,)' --expect 'y=(2,4)'; echo $?
# RUN: relax eval %s main 'a=f32[2,4]' 's=(3,)' --expect 'out0=(2,5)'; echo $?
# RUN: relax eval %s main 'a=f32[2,4]' 's=[3]'; echo $?
# RUN: relax run x.rlx -i 'a=f32[2,4]' -i 's=[3]' 2>&1; echo $?
# RUN: for t in nan -1 inf x; do relax eval %s main --rtol=$t 2>&1 | head -1; relax run x.rlx --atol=$t 2>&1 | head -1; relax diff-run x.rlx x.rlx --rtol=$t 2>&1 | head -1; relax verify-model m.gguf --tolerance=$t 2>&1 | head -1; done; true
@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), s: R.Shape(["m"])) -> R.Shape(["n", 4]):
        n = T.int64()
        b: R.Shape([n, 4]) = R.shape([n, 4])
        return b
# WANT:
out0: (2, 4)
out0: (2, 4)
relax eval: --expect y=(2,4): there is no such result; want out0=VALUE
`relax eval --help` explains it.
2
out0: (2, 4)
relax: error: out0: a shape differs
1
results.py:12:9: error: main: s is a tensor, but must be a shape
        def main(a: R.Tensor(("n", 4), "float32"), s: R.Shape(["m"])) -> R.Shape(["n", 4]):
            ^
1
relax: error: main: s is a tensor, but must be R.Shape([m])
1
relax eval: --rtol: want a finite number, got 'nan'
relax run: --atol: want a finite number, got 'nan'
relax diff-run: --rtol: want a finite number, got 'nan'
relax verify-model: --tolerance: want a finite number, got 'nan'
relax eval: --rtol: a tolerance is 0 or more, got -1
relax run: --atol: a tolerance is 0 or more, got -1
relax diff-run: --rtol: a tolerance is 0 or more, got -1
relax verify-model: --tolerance: a tolerance is 0 or more, got -1
relax eval: --rtol: want a finite number, got 'inf'
relax run: --atol: want a finite number, got 'inf'
relax diff-run: --rtol: want a finite number, got 'inf'
relax verify-model: --tolerance: want a finite number, got 'inf'
relax eval: --rtol: want a number, got 'x'
relax run: --atol: want a number, got 'x'
relax diff-run: --rtol: want a number, got 'x'
relax verify-model: --tolerance: want a number, got 'x'
