# A dictionary nested deeper than anything real.
# RUN: { printf '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        R.func_attr('; for i in $(seq 500); do printf '{\"a\":'; done; printf '1'; for i in $(seq 500); do printf '}'; done; printf ')\n        return x\n'; } > deep.py; relax check deep.py 2>&1 | cut -c1-120; exit ${PIPESTATUS[0]}
# FAILS: 1
# WANT:
deep.py:5:1017: error: this is nested too deeply: at most 400 brackets inside one another
    ..."a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a"
                                                                                       ^
