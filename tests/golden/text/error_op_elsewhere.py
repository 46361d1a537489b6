# Operators under another name: what ends in the same part is what was meant.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        a = R.relu(x)
        b = R.softmax(x, axis=-1)
        c = R.nn.exp(x)
        return c
# WANT:
error_op_elsewhere.py:8:13: error: there is no operator R.relu; did you mean R.nn.relu?
            a = R.relu(x)
                ^
error_op_elsewhere.py:9:13: error: there is no operator R.softmax; did you mean R.nn.softmax?
            b = R.softmax(x, axis=-1)
                ^
error_op_elsewhere.py:10:13: error: there is no operator R.nn.exp; did you mean R.exp?
            c = R.nn.exp(x)
                ^
