# Functions that call themselves on every path, by way of others and in both branches.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def alone(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = cls.alone(x)
        return y

    @R.function
    def ping(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = cls.pong(x, R.const(True, "bool"))
        return y

    @R.function
    def pong(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            y: R.Tensor((4,), "float32") = cls.ping(x)
        else:
            y: R.Tensor((4,), "float32") = cls.alone(x)
        return y

    @R.function
    def fine(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            y: R.Tensor((4,), "float32") = cls.fine(x, c)
        else:
            y: R.Tensor((4,), "float32") = x
        return y

# WANT:
error_never_returns.py:9:44: error: alone never returns: on every path it calls itself
            y: R.Tensor((4,), "float32") = cls.alone(x)
                                               ^
error_never_returns.py:15:44: error: ping never returns: on every path it calls pong, which never returns
            y: R.Tensor((4,), "float32") = cls.pong(x, R.const(True, "bool"))
                                               ^
error_never_returns.py:24:48: error: pong never returns: on every path it calls alone, which never returns
                y: R.Tensor((4,), "float32") = cls.alone(x)
                                                   ^
