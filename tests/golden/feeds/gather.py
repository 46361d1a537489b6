# Indices out of range: above, below, the largest and the smallest there is; of each operator that gathers, and of a
# loop program; by places, of a computed length, without sign. Those within, negative ones too, are fine; take's other
# modes give them a meaning.
# RUN: sh %S/index.sh good 0 2 -3 && sh %S/index.sh 3 0 3 && sh %S/index.sh -4 0 -4 && sh %S/index.sh most 0 9223372036854775807 && sh %S/index.sh least 0 -9223372036854775808
# RUN: relax compile %s -o m.rlx; for f in main elements places both clip; do relax run m.rlx --func $f -i 'x=f32[3]' -i i=@good.npy >good || exit 1; done
# RUN: for i in 3 -4 most least; do ! relax run m.rlx -i 'x=f32[3]' -i i=@$i.npy && ! relax eval %s main 'x=f32[3]' i=@$i.npy || exit 1; done
# RUN: sh %S/index.sh four 0 3 2 4 && for f in twice pairs; do ! relax run m.rlx --func $f -i 'x=f32[3]' -i i=@four.npy && ! relax eval %s $f 'x=f32[3]' i=@four.npy || exit 1; done
# RUN: sh %S/index.sh last 0 -1 && ! relax run m.rlx --func unsigned -i 'x=f32[3]' -i i=@last.npy && ! relax eval %s unsigned 'x=f32[3]' i=@last.npy
# RUN: for f in elements places both loop; do ! relax run m.rlx --func $f -i 'x=f32[3]' -i i=@most.npy && ! relax eval %s $f 'x=f32[3]' i=@most.npy || exit 1; done
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        return R.take(x, i, axis=0)

    @R.function
    def elements(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        return R.gather_elements(x, i, axis=0)

    @R.function
    def places(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        m = T.int64()
        return R.gather_nd(x, R.reshape(i, R.shape([m, 1])))

    @R.function
    def both(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        n = T.int64()
        return R.index_tensor(R.broadcast_to(x, R.shape([2, n])), (R.zeros_like(i), i))

    @R.function
    def twice(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        return R.take(R.strided_slice(R.concat((x, x), axis=0), axes=[0], begin=[2], end=[9]), i, axis=0)

    @R.function
    def pairs(x: R.Tensor(("n",), "float32"), i: R.Tensor((4,), "int64")):
        n = T.int64()
        return R.gather_nd(R.broadcast_to(x, R.shape([4, n])), R.reshape(i, R.shape([2, 2])))

    @R.function
    def unsigned(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        return R.take(x, R.astype(i, "uint64"), axis=0)

    @R.function
    def clip(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        return R.take(x, i, axis=0, mode="clip")

    @T.prim_func(private=True)
    def chosen(var_x: T.handle, var_i: T.handle, var_y: T.handle):
        n = T.int64()
        m = T.int64()
        x = T.match_buffer(var_x, (n,))
        i = T.match_buffer(var_i, (m,), "int64")
        y = T.match_buffer(var_y, (m,))
        for k in range(m):
            with T.sblock("chosen"):
                vk = T.axis.spatial(m, k)
                y[vk] = x[i[vk]]

    @R.function
    def loop(x: R.Tensor(("n",), "float32"), i: R.Tensor(("m",), "int64")):
        m = T.int64()
        cls = Module
        return R.call_tir(cls.chosen, (x, i), out_sinfo=R.Tensor((m,), "float32"))
# WANT:
relax: error: main: take: indices: element 1 is 3, out of range: want -3 <= index < 3
gather.py:14:16: error: main: take: indices: element 1 is 3, out of range: want -3 <= index < 3
            return R.take(x, i, axis=0)
                   ^
relax: error: main: take: indices: element 1 is -4, out of range: want -3 <= index < 3
gather.py:14:16: error: main: take: indices: element 1 is -4, out of range: want -3 <= index < 3
            return R.take(x, i, axis=0)
                   ^
relax: error: main: take: indices: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
gather.py:14:16: error: main: take: indices: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
            return R.take(x, i, axis=0)
                   ^
relax: error: main: take: indices: element 1 is -9223372036854775808, out of range: want -3 <= index < 3
gather.py:14:16: error: main: take: indices: element 1 is -9223372036854775808, out of range: want -3 <= index < 3
            return R.take(x, i, axis=0)
                   ^
relax: error: twice: take: indices: element 3 is 4, out of range: want -4 <= index < 4
gather.py:32:16: error: twice: take: indices: element 3 is 4, out of range: want -4 <= index < 4
            return R.take(R.strided_slice(R.concat((x, x), axis=0), axes=[0], begin=[2], end=[9]), i, axis=0)
                   ^
relax: error: pairs: gather_nd: indices: element 1 is 3, out of range: want -3 <= index < 3
gather.py:37:16: error: pairs: gather_nd: indices: element 1 is 3, out of range: want -3 <= index < 3
            return R.gather_nd(R.broadcast_to(x, R.shape([4, n])), R.reshape(i, R.shape([2, 2])))
                   ^
relax: error: unsigned: take: indices: element 1 is 18446744073709551615, out of range: want index < 3
gather.py:41:16: error: unsigned: take: indices: element 1 is 18446744073709551615, out of range: want index < 3
            return R.take(x, R.astype(i, "uint64"), axis=0)
                   ^
relax: error: elements: gather_elements: indices: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
gather.py:18:16: error: elements: gather_elements: indices: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
            return R.gather_elements(x, i, axis=0)
                   ^
relax: error: places: gather_nd: indices: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
gather.py:23:16: error: places: gather_nd: indices: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
            return R.gather_nd(x, R.reshape(i, R.shape([m, 1])))
                   ^
relax: error: both: index_tensor: indices[1]: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
gather.py:28:16: error: both: index_tensor: indices[1]: element 1 is 9223372036854775807, out of range: want -3 <= index < 3
            return R.index_tensor(R.broadcast_to(x, R.shape([2, n])), (R.zeros_like(i), i))
                   ^
relax: error: loop: chosen: index 0 of x is out of range (line 57)
gather.py:57:17: error: chosen: read of x[9223372036854775807]: index 0 is 9223372036854775807, outside of the extent 3
                    y[vk] = x[i[vk]]
                    ^
