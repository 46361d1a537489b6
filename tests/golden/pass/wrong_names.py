# RUN: relax opt --pass FuseOp %s || true
# RUN: relax opt --pass FuseOps:max_dept=3 %s || true
# RUN: relax opt --pass FuseOps:max_depth=many %s || true
# RUN: relax opt --pipeline defaul %s || true
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
        with R.dataflow():
            h = R.matmul(x, w)
            a = R.add(h, b)
            h1 = R.matmul(a, w)
            a1 = R.add(h1, b)
            y = R.divide(a1, R.const(4.0, "float32"))
            R.output(y)
        return y
# WANT:
relax: error: there is no pass 'FuseOp'; did you mean 'FuseOps'?
relax: error: FuseOps has no option 'max_dept'; did you mean 'max_depth'?
relax: error: FuseOps: max_depth: want a number, got 'many'
relax: error: there is no pipeline 'defaul'; did you mean 'default'?
