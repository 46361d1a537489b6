# RUN: relax opt --pass LegalizeOps,AnnotateWork,ApplySchedules,AnnotateWork --target cpu:x86-64-v3 %s | grep -E 'def |relax.work'
# A matrix product is 2 m n k operations and reads each element once, as many as there are; a choice has no work of its
# own. A gather reads the rows it takes, not the table. Copies are no operations.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 512), "float32"), w: R.Tensor((512, 304), "float32"), d: R.Tensor((7,), "float64")):
        y = R.matmul(x, w)
        e = R.exp(d)
        t = R.permute_dims(x)
        return (y, e, t)

    @R.function
    def rows(table: R.Tensor((49152, 576), "float32"), at: R.Tensor(("n",), "int64")):
        y = R.take(table, at, axis=0, mode="fast")
        return y

    @T.prim_func(private=True, s_tir=True)
    def until(A: T.Buffer((T.int64(4),), "int64"), B: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            for j in range(A[i]):
                with T.sblock("B"):
                    v = T.axis.spatial(T.int64(4), i)
                    B[v] = B[v] + T.float32(1)
# WANT:
    def main(x: R.Tensor(("n", 512), dtype="float32"), w: R.Tensor((512, 304), dtype="float32"), d: R.Tensor((7,), dtype="float64")) -> R.Tuple(R.Tensor(("n", 304), dtype="float32"), R.Tensor((7,), dtype="float64"), R.Tensor((512, "n"), dtype="float32")):
    def rows(table: R.Tensor((49152, 576), dtype="float32"), at: R.Tensor(("n",), dtype="int64")) -> R.Tensor(("n", 576), dtype="float32"):
    def until(A: T.Buffer((T.int64(4),), "int64"), B: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"relax.work": T.index_map(lambda: (T.int64(-1), T.int64(-1), T.int64(-1), T.int64(-1)))})
    def matmul(var_x: T.handle, w: T.Buffer((T.int64(512), T.int64(304)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: (n * T.int64(311296), T.int64(0), T.int64(0), n * T.int64(3264) + T.int64(622592)))})
    def exp(d: T.Buffer((T.int64(7),), "float64"), T_exp: T.Buffer((T.int64(7),), "float64")):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda: (T.int64(0), T.int64(7), T.int64(0), T.int64(112)))})
    def permute_dims(var_x: T.handle, var_T_permute_dims: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: (T.int64(0), T.int64(0), T.int64(0), n * T.int64(4096)))})
    def take(table: T.Buffer((T.int64(49152), T.int64(576)), "float32"), var_at: T.handle, var_T_take: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: (T.int64(0), T.int64(0), T.int64(0), n * T.int64(2312) + T.min(n * T.int64(576), T.int64(28311552)) * T.int64(4)))})
    def matmul_row(var_x: T.handle, w: T.Buffer((T.int64(512), T.int64(304)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: (n * T.int64(311296), T.int64(0), T.int64(0), n * T.int64(3264) + T.int64(622592)))})
    def matmul_rows(var_x: T.handle, w: T.Buffer((T.int64(512), T.int64(304)), "float32"), var_matmul: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: ((n + T.int64(3)) // T.int64(4) * T.int64(1245184), T.int64(0), T.int64(0), n * T.int64(3264) + T.int64(622592)))})
    def permute_dims_row(var_x: T.handle, var_T_permute_dims: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: (T.int64(0), T.int64(0), T.int64(0), n * T.int64(4096)))})
    def permute_dims_rows(var_x: T.handle, var_T_permute_dims: T.handle):
        T.func_attr({"tirx.noalias": True, "relax.work": T.index_map(lambda n: (T.int64(0), T.int64(0), T.int64(0), n * T.int64(4096)))})
