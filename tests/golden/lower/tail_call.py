# RUN: relax compile --target cpu:host -o a.rlx %s
# RUN: relax inspect a.rlx --bytecode --func main | grep -c -e 'goto L' && ! relax inspect a.rlx --bytecode --func main | grep 'call main'
# RUN: relax run a.rlx --func deep --input a=f32[3,4] --input b=f32[3,4] --seed 1 | head -1 | cut -d= -f1
# RUN: relax inspect a.rlx --bytecode --func main | grep -c alloc_storage
# A call of itself whose result is the function's is a jump: deeper than calls may nest. The sum is made in memory that
# neither of the two carried values lies in, and they change places.
@I.ir_module
class Module:
    @R.function
    def main(i: R.Tensor((), "int64"), a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = Module
        more = R.greater(i, R.const(0, "int64"))
        if more:
            i1 = R.subtract(i, R.const(1, "int64"))
            a1 = R.add(a, b)
            r = cls.main(i1, b, a1)
        else:
            r = a
        return r

    @R.function
    def deep(a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = Module
        r = cls.main(R.const(20001, "int64"), a, b)
        return r
# WANT:
3
out0: float32[3, 4] 
3
