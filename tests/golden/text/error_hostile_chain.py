# A hundred thousand operators in a row.
# RUN: { printf '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        y = R.prim_value(1'; yes '+T.int64(1)' | head -n 100000 | tr -d '\n'; echo ')'; } > chain.py; relax check chain.py
# FAILS: 1
# WANT:
chain.py:5:11016: error: at most 1000 operators in a row; put parts of this into variables
    ...(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T.int64(1)+T....
                                                                                       ^
