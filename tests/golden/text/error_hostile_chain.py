# A hundred thousand operators in a row.
# RUN: { printf '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        y = R.prim_value(1'; yes '+T.int64(1)' | head -n 100000 | tr -d '\n'; echo ')'; } > chain.py; relax check chain.py
# FAILS: 1
# WANT:
chain.py:5:2203: error: this is nested too deeply: at most 200 brackets and operators inside one another
    ...64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+...
                                                                                       ^
