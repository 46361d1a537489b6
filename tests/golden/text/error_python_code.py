# Python that is no module.
# RUN: relax check %s
# FAILS: 1
x = [i * i for i in range(10)]
print(x)
# WANT:
error_python_code.py:4:1: error: expected a module: @I.ir_module and class Module:, got an assignment
    x = [i * i for i in range(10)]
    ^
error_python_code.py:5:1: error: expected a module: @I.ir_module and class Module:, got 'print'
    print(x)
    ^
