# A NUL byte in the text.
# RUN: printf '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        y\0 = R.exp(x)\n        return x\n' > nul.py; relax check nul.py
# FAILS: 1
# WANT:
nul.py:5:10: error: NUL byte: the source must be text
            y\x00 = R.exp(x)
             ^
