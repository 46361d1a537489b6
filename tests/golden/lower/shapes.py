# RUN: relax compile --min x:2x8 --opt x:16x8,y:1 --max x:64x8 --emit ir %s | grep -A4 'def main'
# RUN: relax compile --min x:2x8 --max x:64x8 -o m.rlx --target cpu:host %s
# RUN: relax run m.rlx --input x=f32[65,8] --input y=f32[1] --output out || ls out 2>&1 | grep -c npy || true
# RUN: relax run m.rlx --input x=f32[1,8] --input y=f32[1] || true
# RUN: relax compile --max x:64x9 -o m.rlx %s || true
# RUN: relax compile --max x:64 -o m.rlx %s || true
# RUN: relax compile --max x:8x8 --min x:9x8 -o m.rlx %s || true
# RUN: relax compile --max z:8 -o m.rlx %s || true
# RUN: relax compile --max x:8x -o m.rlx %s || true
# Shapes of inputs as trtexec takes them; a bound exceeded is refused before anything is written, naming symbol, bound
# and value.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("m",), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        m = T.int64()
        a = R.nn.softmax(x)
        return a
# WANT:
    def main(x: R.Tensor(("n", 8), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"tir_var_lower_bound": {"n": 2}, "rx.typical": {"n": 16, "m": 1}, "tir_var_upper_bound": {"n": 64}, "relax.force_pure": True})
        cls = Module
relax: error: main: x.shape[0] is 65, but n must be at most 64
0
relax: error: main: x.shape[0] is 1, but n must be at least 2
shapes.py:15:14: error: --max: main: dim 1 of x is 8, got 9
        def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("m",), "float32")) -> R.Tensor(("n", 8), "float32"):
                 ^
shapes.py:15:14: error: --max: main: x is R.Tensor((n, 8), dtype="float32"), got a shape with 1 dim
        def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("m",), "float32")) -> R.Tensor(("n", 8), "float32"):
                 ^
relax: error: main: n would be at least 9 and at most 8
relax: error: --min, --opt, --max: no public function has a parameter z
relax compile: --max: want INPUT:DIMxDIM, such as x:1x128, got 'x:8x'
`relax compile --help` explains it.
