# A text without a module.
# RUN: relax check %s
# FAILS: 1
# nothing but a comment
# WANT:
error_no_module.py:1:1: error: this text has no module; want @I.ir_module and class Module:
    # A text without a module.
    ^
