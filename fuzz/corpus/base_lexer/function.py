def f(x: R.Tensor(("n", 4), "float32")) -> R.Shape(["n"]):
    with R.dataflow():
        y = R.add(x, R.const(1.5e-3, "float32"))  # sum

    return y
