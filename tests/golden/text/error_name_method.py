# Operators as methods and Python's product, as other libraries write them.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        a = x.relu()
        b = x.nothing()
        c = x @ w
        return c
# WANT:
error_name_method.py:8:15: error: a value of the graph has no field 'relu'; did you mean R.nn.relu(...)?
            a = x.relu()
                  ^
error_name_method.py:9:15: error: a value of the graph has no field 'nothing'
            b = x.nothing()
                  ^
error_name_method.py:10:15: error: expected the end of the line, got '@'; a product of matrices is R.matmul(a, b)
            c = x @ w
                  ^
