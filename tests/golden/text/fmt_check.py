# --check names what would change, and changes nothing; -i writes it.
# RUN: cp %s copy.py; relax fmt --check copy.py; test $? = 1 && cmp copy.py %s && relax fmt -i copy.py && relax fmt --check copy.py && relax fmt - < copy.py | cmp - copy.py
@I.ir_module
class Module:
    @R.function
    def main(x:R.Tensor((4,),"float32")):
        return x
# WANT:
copy.py: relax fmt would change it
