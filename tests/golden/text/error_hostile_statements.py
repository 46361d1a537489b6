# Statements nested ten thousand deep.
# RUN: { printf '@I.ir_module\nclass Module:\n    @T.prim_func\n    def f(n: T.int32):\n'; awk 'BEGIN { for (i = 8; i < 5000; i++) printf "%*sif n > 0:\n", i, "" }'; } > deep.py; relax check deep.py
# FAILS: 1
# WANT:
deep.py:404:408: error: this is nested too deeply: at most 400 statements inside one another
    ...                                                                                                                                                       if n > 0:
                                                                                                                                                              ^
deep.py:1004:1008: error: more than 1000 levels of indentation
    ...                                                                                                                                                       if n > 0:
                                                                                                                                                              ^
