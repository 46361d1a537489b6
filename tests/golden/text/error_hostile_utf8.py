# Bytes that are no UTF-8.
# RUN: printf '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        \xff\xfe = R.exp(x)\n        return x\n' > bad.py; relax check bad.py
# FAILS: 1
# WANT:
bad.py:5:9: error: byte 0xff is not UTF-8: the source must be UTF-8
            \xff\xfe = R.exp(x)
            ^
bad.py:5:12: error: expected a value, got '='
            \xff\xfe = R.exp(x)
                     ^
