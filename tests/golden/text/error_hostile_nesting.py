# A hundred thousand brackets.
# RUN: { printf '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        y = '; head -c 100000 /dev/zero | tr '\0' '('; echo; } > deep.py; relax check deep.py
# FAILS: 1
# WANT:
deep.py:5:13: error: this bracket is never closed
            y = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((...
                ^
deep.py:5:213: error: this is nested too deeply: at most 400 brackets inside one another
    ...((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((...
                                                                                       ^
