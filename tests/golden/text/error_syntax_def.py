# A decorator without a function.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    x = 3
# WANT:
error_syntax_def.py:7:5: error: expected 'def', got 'x'
        x = 3
        ^
