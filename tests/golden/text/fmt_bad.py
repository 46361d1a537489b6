# A text with errors is reported and left alone.
# RUN: cp %s copy.py; relax fmt -i copy.py; test $? = 1 && cmp copy.py %s
@I.ir_module
class Module:
    @R.function
    def main(x:R.Tensor((4,),"float32")):
        return y
# WANT:
copy.py:7:16: error: 'y' is not defined
            return y
                   ^
