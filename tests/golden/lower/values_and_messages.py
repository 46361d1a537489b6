# What is neither a loop nor a library call runs from a file as it does in the interpreter: shapes out of elements and
# back, marks on values, printed lines and assertions.
# RUN: relax compile %s -o m.rlx
# RUN: both() { f=$1; shift; r=(); for a; do r+=(-i "$a"); done; relax eval %s $f "$@" >eval 2>&1; relax run m.rlx -f $f "${r[@]}" 2>&1 | grep -v ^time >run; cat run; diff eval run >&2 || echo "$f differs"; }; both to_shape s=i64[2]:3,5; both narrow s=i32[3]:3,5,0; both dims x=f32[3,4]:1,2,3,4,5,6,7,8,9,10,11,12; both reshaped x=f32[3,2]:1,2,3,4,5,6 s=i64[2]:2,3; both fixed x=f32[6]:1,2,3,4,5,6; both any_rank x=f32[2,2]:1,2,3,4 s=i64[3]:2,1,2; both any_rank x=f32[2,2]:1,2,3,4 s=i64[3]:2,-1,1; both to_shape s=i64[2]:-1,3; both marked x=f32[1,2]:1,2; both unknown x=f32[2]:1,2
# RUN: for c in 0 1; do relax eval %s said x=f32[5,2]:1,2,3,4,5,6,7,8,9,nan c=bool[]:$c 2>eval.err | grep -v out0 >eval; relax run m.rlx -f said -i x=f32[5,2]:1,2,3,4,5,6,7,8,9,nan -i c=bool[]:$c 2>run.err >run.out; grep -v error: run.err >run; diff eval run && cat run; grep -o 'said: assertion.*' eval.err >eval.why; grep -o 'said: assertion.*' run.err >run.why; diff eval.why run.why && cat run.why; done
# RUN: relax run m.rlx -f reshaped -i x=f32[3,2] -i s=i64[2]:2,2; relax run m.rlx -f any_rank -i x=f32[2,2] -i s=i64[2]:-1,3; relax run m.rlx -f any_rank -i x=f32[2,2] -i s=i64[17]; true
@I.ir_module
class Module:
    @R.function
    def to_shape(s: R.Tensor((2,), "int64")):
        return R.tensor_to_shape(s)
    @R.function
    def narrow(s: R.Tensor(("k",), "int32")):
        return R.tensor_to_shape(s)
    @R.function
    def dims(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        s = R.shape_of(x)
        return (R.shape_to_tensor(s), R.shape_to_tensor(R.shape([])), R.shape_to_tensor(R.shape([n + 1, 7])))
    @R.function
    def reshaped(x: R.Tensor(("n", 2), "float32"), s: R.Tensor((2,), "int64")):
        a = T.int64()
        b = T.int64()
        with R.dataflow():
            t = R.tensor_to_shape(s)
            t2 = R.match_cast(t, R.Shape([a, b]))
            y = R.reshape(R.nn.relu(x), t2)
            z = R.add(y, y)
            R.output(z)
        return z
    @R.function
    def fixed(x: R.Tensor((6,), "float32")):
        t = R.tensor_to_shape(R.const([2, 3], "int64"))
        t2 = R.match_cast(t, R.Shape([2, 3]))
        return R.reshape(x, t2)
    @R.function
    def any_rank(x: R.Tensor(("n", 2), "float32"), s: R.Tensor(("k",), "int64")):
        return R.reshape(x, R.tensor_to_shape(s))
    @R.function
    def marked(x: R.Tensor(("n", 2), "float32")):
        a = R.grad.no_grad(x)
        b = R.grad.start_checkpoint(R.add(a, a))
        c = R.grad.end_checkpoint(b)
        d = R.hint_on_device(c, R.device(dtype="int32", index=0))
        e = R.to_vdevice(d, dst_vdevice="llvm:0:global")
        return R.multiply(e, a)
    @R.function
    def unknown(x: R.Tensor(dtype="float32")):
        a = R.grad.no_grad(x)
        e = R.to_vdevice(a, dst_vdevice="llvm:0:global")
        return R.hint_on_device(e, R.device(dtype="int32", index=0))
    @R.function(pure=False)
    def said(x: R.Tensor(("n", 2), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        y = R.add(x, x)
        _ = R.print(R.shape([n, 4]), y, R.prim_value(n + 1), c, format="dims {}: {}, {} {} {} {x}")
        _ = R.print(R.str("text"), R.dtype("float16"), (x, y), R.tuple(), R.const([0.5, -1.0], "float16"))
        _ = R.assert_op(c, R.shape([n]), R.prim_value(n), format="of {} {{}} {}")
        _ = R.print(format="done")
        return y
# WANT:
out0: (3, 5)
out0: (3, 5, 0)
out0: int64[2] = 3, 4
out1: int64[0]
out2: int64[2] = 4, 7
out0: float32[2, 3] = 2, 4, 6, 8, 10, 12
out0: float32[2, 3] = 1, 2, 3, 4, 5, 6
out0: float32[2, 1, 2] = 1, 2, 3, 4
out0: float32[2, 2, 1] = 1, 2, 3, 4
out0: (-1, 3)
out0: float32[1, 2] = 2, 8
out0: float32[2] = 1, 2
dims (5, 4): [2, 4, 6, 8, 10, 12, 14, 16, ...], 6 False {} {x}
text float16 a tuple a tuple [0.5, -1]
said: assertion failed: of (5) {5} {}
dims (5, 4): [2, 4, 6, 8, 10, 12, 14, 16, ...], 6 True {} {x}
text float16 a tuple a tuple [0.5, -1]
done
relax: error: reshaped: reshape: a * b is 4, but n * 2 is 6, as n is 3, bound by x.shape[0] (line 27)
relax: error: any_rank: reshape of (2, 2) (4 elements) to (-1, 3) changes the number of elements
relax: error: any_rank: vm.tensor_to_shape: want a vector of at most 16 integers
