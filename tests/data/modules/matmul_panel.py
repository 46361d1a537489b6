# Columns that lie far apart: a panel of them is copied for all tiles of rows; one row, few and many have programs of
# their own.

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 258), "float32"), w: R.Tensor((258, 1030), "float32")) -> R.Tensor(("n", 1030), "float32"):
        n = T.int64()
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.relu(y)
            R.output(z)
        return z
