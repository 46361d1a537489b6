# A tensor that has not the dims of a shape that came as a value: both are named.
# RUN: for s in '(2,6)' '(12,)' '(3,4)'; do relax eval %s main 'x=f32[3,4]' "s=$s" 2>said >out && cat out | grep -c float32 || cat said; done
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32"), s: R.Shape):
        return R.match_cast(x, R.Tensor(s, "float32"))
# WANT:
shape_value.py:7:16: error: main: x has the shape (3, 4), but s is (2, 6)
            return R.match_cast(x, R.Tensor(s, "float32"))
                   ^
shape_value.py:7:16: error: main: x has the shape (3, 4), but s is (12,)
            return R.match_cast(x, R.Tensor(s, "float32"))
                   ^
1
