# A name of five megabytes.
# RUN: { printf '@I.ir_module\nclass Module:\n    @R.function\n    def main('; head -c 5000000 /dev/zero | tr '\0' a; printf ': R.Tensor((4,), \"float32\")):\n        return x\n'; } > name.py; relax check name.py 2>&1 | cut -c1-200; exit ${PIPESTATUS[0]}
# FAILS: 1
# WANT:
name.py:4:14: error: this name has 5000000 bytes; names have at most 4096
        def main(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
                 ^
