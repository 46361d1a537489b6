# An empty file.
# RUN: : > empty.py; relax check empty.py
# FAILS: 1
# WANT:
empty.py:1:1: error: this text has no module; want @I.ir_module and class Module:
