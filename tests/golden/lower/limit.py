# RUN: relax plan --max x:4096x8 --mem-limit 1000 --json %s >plan.json
# FAILS: 1
# A plan above the limit: the largest blocks first, and what to lower.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"tir_var_upper_bound": {"m": 64}})
        a = R.matmul(x, w)
        b = R.nn.softmax(a)
        c = R.nn.softmax(b)
        return c
# WANT:
relax: error: main needs 3 MiB, but --mem-limit is 1000 B; the largest blocks are alloc in storage (n * m * 4, 1 MiB), alloc1 in storage (n * m * 4, 1 MiB), alloc2 in storage1 (n * m * 4, 1 MiB); lower the bounds of n, m (--bound, --max)
