# Eight-bit floats: read, rounded after every operation, and converted to and from all other types.

@I.ir_module
class Module:
    @R.function
    def arithmetic_e3m4(x: R.Tensor(("n", 21), dtype="float8_e3m4"), y: R.Tensor(("n", 21), dtype="float8_e3m4")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e3m4(x: R.Tensor(("n", 8), dtype="float8_e3m4"), w: R.Tensor((8, 19), dtype="float8_e3m4")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e3m4(x: R.Tensor(("n",), dtype="float8_e3m4")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e3m4(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e3m4"), R.astype(y, "float8_e3m4"), R.astype(z, "float8_e3m4"))

    @R.function
    def arithmetic_e4m3(x: R.Tensor(("n", 21), dtype="float8_e4m3"), y: R.Tensor(("n", 21), dtype="float8_e4m3")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e4m3(x: R.Tensor(("n", 8), dtype="float8_e4m3"), w: R.Tensor((8, 19), dtype="float8_e4m3")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e4m3(x: R.Tensor(("n",), dtype="float8_e4m3")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e4m3(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e4m3"), R.astype(y, "float8_e4m3"), R.astype(z, "float8_e4m3"))

    @R.function
    def arithmetic_e4m3b11fnuz(x: R.Tensor(("n", 21), dtype="float8_e4m3b11fnuz"), y: R.Tensor(("n", 21), dtype="float8_e4m3b11fnuz")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e4m3b11fnuz(x: R.Tensor(("n", 8), dtype="float8_e4m3b11fnuz"), w: R.Tensor((8, 19), dtype="float8_e4m3b11fnuz")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e4m3b11fnuz(x: R.Tensor(("n",), dtype="float8_e4m3b11fnuz")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e4m3b11fnuz(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e4m3b11fnuz"), R.astype(y, "float8_e4m3b11fnuz"), R.astype(z, "float8_e4m3b11fnuz"))

    @R.function
    def arithmetic_e4m3fn(x: R.Tensor(("n", 21), dtype="float8_e4m3fn"), y: R.Tensor(("n", 21), dtype="float8_e4m3fn")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e4m3fn(x: R.Tensor(("n", 8), dtype="float8_e4m3fn"), w: R.Tensor((8, 19), dtype="float8_e4m3fn")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e4m3fn(x: R.Tensor(("n",), dtype="float8_e4m3fn")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e4m3fn(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e4m3fn"), R.astype(y, "float8_e4m3fn"), R.astype(z, "float8_e4m3fn"))

    @R.function
    def arithmetic_e4m3fnuz(x: R.Tensor(("n", 21), dtype="float8_e4m3fnuz"), y: R.Tensor(("n", 21), dtype="float8_e4m3fnuz")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e4m3fnuz(x: R.Tensor(("n", 8), dtype="float8_e4m3fnuz"), w: R.Tensor((8, 19), dtype="float8_e4m3fnuz")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e4m3fnuz(x: R.Tensor(("n",), dtype="float8_e4m3fnuz")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e4m3fnuz(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e4m3fnuz"), R.astype(y, "float8_e4m3fnuz"), R.astype(z, "float8_e4m3fnuz"))

    @R.function
    def arithmetic_e5m2(x: R.Tensor(("n", 21), dtype="float8_e5m2"), y: R.Tensor(("n", 21), dtype="float8_e5m2")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e5m2(x: R.Tensor(("n", 8), dtype="float8_e5m2"), w: R.Tensor((8, 19), dtype="float8_e5m2")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e5m2(x: R.Tensor(("n",), dtype="float8_e5m2")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e5m2(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e5m2"), R.astype(y, "float8_e5m2"), R.astype(z, "float8_e5m2"))

    @R.function
    def arithmetic_e5m2fnuz(x: R.Tensor(("n", 21), dtype="float8_e5m2fnuz"), y: R.Tensor(("n", 21), dtype="float8_e5m2fnuz")):
        with R.dataflow():
            a = R.multiply(R.add(x, y), x)
            b = R.maximum(R.nn.relu(a), R.negative(y))
            c = R.astype(R.subtract(b, x), "float32")
            R.output(c)
        return c

    @R.function
    def product_e5m2fnuz(x: R.Tensor(("n", 8), dtype="float8_e5m2fnuz"), w: R.Tensor((8, 19), dtype="float8_e5m2fnuz")):
        return R.matmul(R.astype(x, "float32"), R.astype(w, "float32"))

    @R.function
    def from_e5m2fnuz(x: R.Tensor(("n",), dtype="float8_e5m2fnuz")):
        return (R.astype(x, "float16"), R.astype(x, "float64"), R.astype(x, "int32"), R.astype(x, "bfloat16"))

    @R.function
    def to_e5m2fnuz(x: R.Tensor(("n",), dtype="float64"), y: R.Tensor(("n",), dtype="int32"), z: R.Tensor(("n",), dtype="float16")):
        return (R.astype(x, "float8_e5m2fnuz"), R.astype(y, "float8_e5m2fnuz"), R.astype(z, "float8_e5m2fnuz"))
