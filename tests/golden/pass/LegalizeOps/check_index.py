# RUN: relax opt --pass LegalizeOps %s | sed -n '/def check_index/,$p'
# Indices are looked at in runs, without a jump for each; only in a run with a wrong one each is asserted.
@I.ir_module
class Module:
    @R.function
    def main(i: R.Tensor(("n",), "int32")):
        with R.dataflow():
            y = R.rx.check_index(i, R.shape([9]))
            R.output(y)
        return y
# WANT:
    def check_index(var_indices: T.handle, var_out: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int64()
        indices = T.match_buffer(var_indices, (n,), "int32")
        out = T.match_buffer(var_out, (n,), "int32")
        # with T.sblock("root"):
        for run in T.parallel((n + T.int64(1023)) // T.int64(1024)):
            with T.sblock("check_index"):
                v_run = T.axis.spatial((n + T.int64(1023)) // T.int64(1024), run)
                good = T.sblock_alloc_buffer((), "int32", scope="local")
                good[()] = 1
                for j in range(T.min(T.int64(1024), n - v_run * T.int64(1024))):
                    good[()] = T.min(good[()], T.Cast("int32", T.Sub(T.int64(0), T.int64(9)) <= T.Cast("int64", indices[v_run * T.int64(1024) + j]) and T.Cast("int64", indices[v_run * T.int64(1024) + j]) < T.int64(9)))
                    out[v_run * T.int64(1024) + j] = indices[v_run * T.int64(1024) + j]
                if good[()] == 0:
                    for j in range(T.min(T.int64(1024), n - v_run * T.int64(1024))):
                        assert T.Sub(T.int64(0), T.int64(9)) <= T.Cast("int64", indices[v_run * T.int64(1024) + j]) and T.Cast("int64", indices[v_run * T.int64(1024) + j]) < T.int64(9), ("RuntimeError", ["indices: an index is out of range: want -9 <= index < 9"])
                        out[v_run * T.int64(1024) + j] = indices[v_run * T.int64(1024) + j]
