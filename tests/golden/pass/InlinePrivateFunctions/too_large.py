# RUN: relax opt --pass InlinePrivateFunctions %s | grep -c 'R.exp'
# Each function calls the next twice, 2 to the 24th calls in all: what would make a function larger than 131072 bindings
# stays a call.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f0(x)
        return a

    @R.function(private=True)
    def f0(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f1(x)
        b = cls.f1(a)
        return b

    @R.function(private=True)
    def f1(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f2(x)
        b = cls.f2(a)
        return b

    @R.function(private=True)
    def f2(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f3(x)
        b = cls.f3(a)
        return b

    @R.function(private=True)
    def f3(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f4(x)
        b = cls.f4(a)
        return b

    @R.function(private=True)
    def f4(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f5(x)
        b = cls.f5(a)
        return b

    @R.function(private=True)
    def f5(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f6(x)
        b = cls.f6(a)
        return b

    @R.function(private=True)
    def f6(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f7(x)
        b = cls.f7(a)
        return b

    @R.function(private=True)
    def f7(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f8(x)
        b = cls.f8(a)
        return b

    @R.function(private=True)
    def f8(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f9(x)
        b = cls.f9(a)
        return b

    @R.function(private=True)
    def f9(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f10(x)
        b = cls.f10(a)
        return b

    @R.function(private=True)
    def f10(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f11(x)
        b = cls.f11(a)
        return b

    @R.function(private=True)
    def f11(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f12(x)
        b = cls.f12(a)
        return b

    @R.function(private=True)
    def f12(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f13(x)
        b = cls.f13(a)
        return b

    @R.function(private=True)
    def f13(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f14(x)
        b = cls.f14(a)
        return b

    @R.function(private=True)
    def f14(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f15(x)
        b = cls.f15(a)
        return b

    @R.function(private=True)
    def f15(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f16(x)
        b = cls.f16(a)
        return b

    @R.function(private=True)
    def f16(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f17(x)
        b = cls.f17(a)
        return b

    @R.function(private=True)
    def f17(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f18(x)
        b = cls.f18(a)
        return b

    @R.function(private=True)
    def f18(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f19(x)
        b = cls.f19(a)
        return b

    @R.function(private=True)
    def f19(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f20(x)
        b = cls.f20(a)
        return b

    @R.function(private=True)
    def f20(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f21(x)
        b = cls.f21(a)
        return b

    @R.function(private=True)
    def f21(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f22(x)
        b = cls.f22(a)
        return b

    @R.function(private=True)
    def f22(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = cls.f23(x)
        b = cls.f23(a)
        return b

    @R.function(private=True)
    def f23(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        a = R.exp(x)
        b = R.exp(a)
        return b
# WANT:
65536
