"""The Python package from outside."""

import doctest
import gc
import html
import os
import re
import threading
from pathlib import Path

import numpy as np
import pytest
import relax_c

TWICE = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")):
        return R.add(x, x)

    @R.function
    def pair(x: R.Tensor(("n",), dtype="int64"), s: R.Shape(["n"])):
        return (x, s)
"""


@pytest.fixture(scope="module")
def exe():
    return relax_c.compile(TWICE, jobs=1)


def test_documentation():
    assert doctest.testmod(relax_c).failed == 0
    page = Path(os.environ["SRC"]) / "docs" / "python.md"
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 10 and found.failed == 0


def test_version():
    from relax_c._ffi import compiler, text

    assert relax_c.__version__ == text(compiler().rx_compiler_version())


def test_what_is_shown(exe):
    assert repr(relax_c.Context(exe)) == "<relax_c.Context of main, pair>"
    assert repr(exe["main"]).startswith("<relax_c.Function main(x: R.Tensor(")
    assert "\n  pair(" in repr(exe)


def test_every_size(exe):
    for n in (0, 1, 7, 1000):
        x = np.arange(n * 4, dtype=np.float32).reshape(n, 4)
        assert np.array_equal(exe["main"](x).numpy(), x + x)


def test_no_copy_of_compact_arrays():
    seen = []
    text = TWICE.replace("R.add(x, x)", 'R.call_packed("my.look", x, sinfo_args=R.Tensor(ndim=2, dtype="float32"))')
    text = text.replace("@R.function", "@R.function(pure=False)")
    context = relax_c.Context(
        relax_c.compile(text), externals={"my.look": lambda t: seen.append(t.numpy().ctypes.data) or t}
    )
    x = np.ones((3, 4), np.float32)
    y = context["main"](x)
    assert seen == [x.ctypes.data]
    assert y.numpy().ctypes.data == x.ctypes.data


def test_strided_and_read_only_arrays(exe):
    x = np.arange(24, dtype=np.float32).reshape(4, 6).T[:, :4]
    assert np.array_equal(exe["main"](x).numpy(), 2 * x)
    fixed = np.ones((2, 4), np.float32)
    fixed.flags.writeable = False
    assert np.array_equal(exe["main"](fixed).numpy(), 2 * fixed)


def test_values(exe):
    x, shape = exe["pair"](np.array([5, 6]), relax_c.Shape((2,)))
    assert x.dtype == "int64" and x.shape == (2,) and x.nbytes == 16 and len(x) == 2
    assert shape == relax_c.Shape((2,))
    assert "5, 6" in repr(x)


def test_memory_outlives_everything(exe):
    y = relax_c.Context(exe)["main"](np.ones((64, 4), np.float32))
    array = np.from_dlpack(y)
    del y
    gc.collect()
    assert array.sum() == 512


def test_capsule_that_nobody_takes():
    capsule = relax_c.tensor(np.ones(3)).__dlpack__()
    del capsule
    gc.collect()


def test_named_arguments(exe):
    x = np.ones((1, 4), np.float32)
    assert np.array_equal(exe["main"](x=x).numpy(), 2 * x)
    with pytest.raises(TypeError, match="y"):
        exe["main"](y=x)
    with pytest.raises(TypeError, match="misses s"):
        exe["pair"](x=np.array([1]))
    with pytest.raises(TypeError, match="main got x by position and by name"):
        exe["main"](x, x=x)


def test_refusals_name_the_dim(exe):
    with pytest.raises(relax_c.ShapeMismatchError, match=r"x.shape\[1\] is 5"):
        exe["main"](np.ones((2, 5), np.float32))
    with pytest.raises(relax_c.ShapeMismatchError, match="float64"):
        exe["main"](np.ones((2, 4)))
    with pytest.raises(relax_c.InvalidArgumentError):
        exe["main"]()
    with pytest.raises(relax_c.NotFoundError, match="main, pair"):
        exe["mian"]
    with pytest.raises(relax_c.InvalidArgumentError, match="set"):
        exe["main"]({1})


def test_compile_errors_have_places():
    with pytest.raises(relax_c.CompileError, match="did you mean R.add") as caught:
        relax_c.Module(TWICE.replace("R.add", "R.ad"), name="twice.py")
    first = caught.value.diagnostics[0]
    assert (first.severity, first.source, first.line) == ("error", "twice.py", 6)


def test_modules():
    m = relax_c.Module(TWICE)
    assert m.functions == ["main", "pair"]
    assert m.equal(relax_c.Module(str(m)))
    m.run("LegalizeOps")
    assert "call_tir" in str(m)
    assert "<span" in m._repr_html_()
    assert "LegalizeOps" in dict(relax_c.passes())
    for passes, message in (("Legalise", "no pass"), ("", "got an empty one"), (",", "got an empty one")):
        with pytest.raises(relax_c.CompileError, match=message):
            relax_c.Module(TWICE).run(passes)
    with pytest.raises(relax_c.NotFoundError, match="can't write into its folder"):
        m.compile("no/such/folder/m.rlx")


def test_bounds():
    bounded = relax_c.Module(TWICE).bound(n=(1, 16)).compile()
    assert bounded.symbols() == {"n": range(1, 17)}
    with pytest.raises(relax_c.RelaxError, match="17"):
        bounded["main"](np.ones((17, 4), np.float32))
    with pytest.raises(relax_c.NotFoundError, match="^no function has a size named k"):
        relax_c.Module(TWICE).bound(k=3)


def test_files(tmp_path):
    path = tmp_path / "twice.rlx"
    relax_c.Module(TWICE).compile(path)
    assert relax_c.load(path)["main"](np.ones((1, 4), np.float32)).shape == (1, 4)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(relax_c.BadFileError, match="twice.rlx"):
        relax_c.load(path)
    with pytest.raises(relax_c.NotFoundError):
        relax_c.load(tmp_path / "nothing.rlx")


def test_external_functions_fill_and_fail():
    text = TWICE.replace("R.add(x, x)", 'R.call_dps_packed("my.f", (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))')
    text = text.replace('dtype="float32")):\n', 'dtype="float32")):\n        n = T.int64()\n', 1)
    compiled = relax_c.compile(text)

    def triple(x, out):
        out.numpy()[...] = 3 * x.numpy()

    x = np.ones((2, 4), np.float32)
    assert np.array_equal(relax_c.Context(compiled, externals={"my.f": triple})["main"](x).numpy(), 3 * x)

    def broken(x, out):
        raise KeyError("weights")

    with pytest.raises(relax_c.RelaxError, match="my.f: KeyError") as caught:
        relax_c.Context(compiled, externals={"my.f": broken})["main"](x)
    assert isinstance(caught.value.__cause__, KeyError)
    assert "my.f: my.f" not in str(caught.value)

    class Silent(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    def silent(x, out):
        raise Silent

    with pytest.raises(relax_c.RelaxError, match="my.f: Silent") as caught:
        relax_c.Context(compiled, externals={"my.f": silent})["main"](x)
    assert isinstance(caught.value.__cause__, Silent)

    def stopped(x, out):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        relax_c.Context(compiled, externals={"my.f": stopped})["main"](x)
    with pytest.raises(relax_c.NotFoundError, match="my.f"):
        relax_c.Context(compiled)


def test_what_external_functions_give_is_checked():
    text = TWICE.replace("R.add(x, x)", 'R.call_packed("my.f", x, sinfo_args=R.Tensor((n, 4), dtype="float32"))')
    text = text.replace("@R.function", "@R.function(pure=False)")
    text = text.replace('dtype="float32")):\n', 'dtype="float32")):\n        n = T.int64()\n', 1)
    compiled = relax_c.compile(text)
    x = np.ones((2, 4), np.float32)
    for wrong in (np.ones((1, 4), np.float32), np.ones((2, 4)), np.ones(8, np.float32), 3, None):
        with pytest.raises(relax_c.RelaxError, match="the result of my.f"):
            relax_c.Context(compiled, externals={"my.f": lambda t, wrong=wrong: wrong})["main"](x)
    right = relax_c.Context(compiled, externals={"my.f": lambda t: 2 * t.numpy()})["main"](x)
    assert np.array_equal(right.numpy(), 2 * x)


def test_contexts_belong_to_one_call():
    text = TWICE.replace("R.add(x, x)", 'R.call_packed("my.f", x, sinfo_args=R.Tensor(ndim=2, dtype="float32"))')
    compiled = relax_c.compile(text.replace("@R.function", "@R.function(pure=False)"))
    x = np.ones((2, 4), np.float32)
    entered, go = threading.Event(), threading.Event()

    def wait(t):
        entered.set()
        assert go.wait(60)
        return t

    context = relax_c.Context(compiled, externals={"my.f": wait})
    results = []
    other = threading.Thread(target=lambda: results.append(context["main"](x)))
    other.start()
    assert entered.wait(60)
    with pytest.raises(relax_c.InvalidArgumentError, match="make a Context per thread"):
        context["main"](x)
    go.set()
    other.join()
    assert results[0].shape == (2, 4)
    assert context["main"](x).shape == (2, 4)  # and it goes on

    again = relax_c.Context(compiled, externals={"my.f": lambda t: again["main"](t)})
    with pytest.raises(relax_c.InvalidArgumentError, match="running"):
        again["main"](x)


def test_messages_of_any_characters():
    text = TWICE.replace("R.add(x, x)", 'R.call_packed("my.f", x, sinfo_args=R.Tensor(ndim=2, dtype="float32"))')

    def fail(t):
        raise ValueError("\udcff \0 \u4e2d")

    context = relax_c.Context(
        relax_c.compile(text.replace("@R.function", "@R.function(pure=False)")), externals={"my.f": fail}
    )
    with pytest.raises(relax_c.RelaxError, match="my.f: ValueError"):
        context["main"](np.ones((2, 4), np.float32))
    with pytest.raises(relax_c.InvalidArgumentError, match="no Unicode"):
        relax_c.Module("\udcff")


def test_arrays_of_all_kinds(exe):
    base = np.arange(48, dtype=np.float32).reshape(6, 8)
    for x in (base[::-1, :4], base[:, ::-2], base[::2, 2:6], base[:0, :4], np.asfortranarray(base[:, :4]),
              np.broadcast_to(np.float32(3), (5, 4)), base[:, :4].view(np.matrix), np.ma.array(base[:, :4])):
        y = exe["main"](x)
        assert np.array_equal(y.numpy(), 2 * np.asarray(x)) and y.shape == x.shape
    misaligned = np.frombuffer(bytes(65), np.uint8)[1:].view(np.float32).reshape(4, 4)
    assert np.array_equal(exe["main"](misaligned).numpy(), 2 * misaligned)
    for wrong, message in ((np.float32(1), "dim"), (np.ones(4, np.float32), "dim"), (base[:, :4].astype(">f4"), "byte order"),
                           (np.array([["a"] * 4]), "numbers .bool"), (np.ones((1, 4), object), "numbers .* array of object"),
                           (np.ones((1, 4), np.complex64), "complex64"), (base[:, :4].astype(np.float16), "float16")):
        with pytest.raises(relax_c.InvalidArgumentError, match=message):
            exe["main"](wrong)


def test_scalars_and_nothing(exe):
    t = relax_c.tensor(np.array(3.0))
    assert t.shape == () and t.numpy()[()] == 3
    with pytest.raises(TypeError, match="no length"):
        len(t)
    assert relax_c.tensor(np.zeros((3, 0))).shape == (3, 0)
    assert np.from_dlpack(relax_c.tensor(np.zeros((3, 0)))).shape == (3, 0)


def test_steady_state(exe):
    context = relax_c.Context(exe, threads=1)
    x = np.ones((8, 4), np.float32)
    for _ in range(3):
        context["main"](x)
    before = context.stats
    for _ in range(100):
        context["main"](x)
    assert context.stats["calls"] == before["calls"] + 100
    assert context.stats["allocations"] == before["allocations"]


@pytest.fixture(scope="module")
def torch():
    """RELAX_TEST_TORCH=1: it must be there."""
    return __import__("torch") if os.environ.get("RELAX_TEST_TORCH") else pytest.importorskip("torch")


def test_pytorch(exe, torch):
    x = torch.ones(3, 4, requires_grad=True)
    y = torch.from_dlpack(exe["main"](x))
    assert torch.equal(y, 2 * x.detach())


def echo(dtype, looked):
    """A function that gives back its argument, and notes where that lies."""
    text = f"""
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(dtype="{dtype}")):
        return R.call_packed("my.look", x, sinfo_args=R.Tensor(dtype="{dtype}"))
"""
    look = lambda t: looked.append(int(relax_c._ffi.ffi.cast("uintptr_t", relax_c._ffi.runtime.rx_tensor_data(t._handle)))) or t
    return relax_c.Context(relax_c.compile(text), externals={"my.look": look})["main"]


def test_pytorch_tensors_are_not_copied(torch):
    for dtype in ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8"):
        looked = []
        for shape in ((), (3,), (2, 3, 4), (0, 5)):
            x = torch.zeros(shape, dtype=getattr(torch, dtype)) + 3
            y = torch.from_dlpack(echo(dtype, looked)(x))
            assert y.dtype == x.dtype and y.shape == x.shape and torch.equal(x, y)
            if x.numel():
                assert looked[-1] == x.data_ptr() == y.data_ptr(), (dtype, shape)
                y += 1
                assert torch.equal(x, y)


def test_pytorch_strides(torch):
    x = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    for view in (x.t(), x[:, ::2], x[1], x[:, :1].expand(4, 3), x[1:3], torch.tensor(2.0).expand(2, 2), x.t()[2:, 1:]):
        y = torch.from_dlpack(echo("float32", [])(view))
        assert torch.equal(view, y)


def test_pytorch_negated_views(exe, torch):
    x = torch.complex(torch.ones(3, 4), torch.full((3, 4), 2.0)).conj().imag
    assert x.is_neg()
    assert torch.equal(torch.from_dlpack(exe["main"](x)), 2 * x)


def test_pytorch_takes_results_by_any_name(exe, torch, tmp_path):
    newer = (torch.asarray, torch.as_tensor) if int(torch.__version__.split(".")[0]) >= 2 else ()  # 1.13 refuses
    y = exe["main"](torch.ones(3, 4))
    whole = relax_c.tensor(np.arange(6).reshape(2, 3))
    for take in (torch.from_dlpack, *newer):
        assert torch.equal(take(y), torch.full((3, 4), 2.0))
        assert torch.equal(take(whole), torch.arange(6).reshape(2, 3))
    text = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), w: R.Tensor((6,), dtype="float32")):
        R.func_attr({"num_input": 1})
        return w
"""
    np.savez(tmp_path / "w.npz", w=np.ones(6, np.float32))
    relax_c.Module(text).compile(tmp_path / "w.rlx", weights=tmp_path / "w.npz")
    weight = relax_c.load(tmp_path / "w.rlx")["main"](np.ones(2, np.float32))
    for take in (torch.from_dlpack, *newer):
        take(weight)[0] = 7  # PyTorch heeds no flag: what it gets may be written
    assert weight.numpy()[0] == 1


def test_pytorch_memory_outlives_the_tensor(exe, torch):
    t = relax_c.tensor(torch.full((1000, 4), 3.0))
    gc.collect()
    assert np.all(t.numpy() == 3)
    y = torch.from_dlpack(exe["main"](t))
    del t
    gc.collect()
    assert float(y.sum()) == 24000


def test_what_failed_can_be_collected():
    # The traceback of an exception holds the module in a cycle: its parts go in the order that the collector likes.
    def fail():
        relax_c.Module(TWICE).run("Nope")

    for _ in range(20):
        with pytest.raises(relax_c.CompileError):
            fail()
        with pytest.raises(relax_c.CompileError):
            relax_c.Module("")
    gc.collect()


def test_weights_outlive_their_executable(tmp_path):
    text = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), w: R.Tensor((100000,), dtype="float32")):
        R.func_attr({"num_input": 1})
        return w
"""
    w = np.arange(100000, dtype=np.float32)
    np.savez(tmp_path / "w.npz", w=w)
    exe = relax_c.Module(text).compile(weights=tmp_path / "w.npz", jobs=1)
    main = exe["main"]
    del exe
    result = main(np.ones(3, np.float32))
    views = [result.numpy(), np.asarray(result), np.from_dlpack(result)]
    del main, result
    gc.collect()
    assert all(np.array_equal(view, w) for view in views)


def test_weights_that_come_out_are_read_only(tmp_path):
    text = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), w: R.Tensor((6,), dtype="float32")):
        R.func_attr({"num_input": 1})
        return (w, R.add(x, x))
"""
    np.savez(tmp_path / "w.npz", w=np.arange(6, dtype=np.float32))
    path = tmp_path / "w.rlx"
    relax_c.Module(text).compile(path, weights=tmp_path / "w.npz")
    for source in (path, path.read_bytes()):
        weight, own = relax_c.load(source)["main"](np.ones(2, np.float32))
        assert weight.read_only and not own.read_only
        for view in (weight.numpy(), np.asarray(weight)):
            with pytest.raises(ValueError, match="read-only"):
                view[0] = 7
        own.numpy()[0] = 7
        assert own.numpy()[0] == 7
        taken = np.from_dlpack(weight)
        assert np.array_equal(taken, weight.numpy()) and taken.ctypes.data != weight.numpy().ctypes.data
        # Before 1.0 DLPack has no word for it.
        old = relax_c.tensor(OldExporter(weight))
        assert not old.read_only and old.numpy().ctypes.data != weight.numpy().ctypes.data
        with pytest.raises(BufferError, match="read-only"):
            weight.__dlpack__(copy=False)
        again = relax_c.tensor(Exporter(weight))
        assert again.read_only and again.numpy().ctypes.data == weight.numpy().ctypes.data
        copy = weight.copy()
        copy.numpy()[0] = 7
        assert not copy.read_only and weight.numpy()[0] == 0


class Exporter:
    """A library that speaks DLPack 1.x, as ours does."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, *, max_version=None, **_):
        assert max_version[0] == 1
        return self.tensor.__dlpack__(max_version=max_version, copy=False)

    def __dlpack_device__(self):
        return (1, 0)


class OldExporter(Exporter):
    """One that speaks DLPack 0.x."""

    def __dlpack__(self):
        return self.tensor.__dlpack__()


def test_read_only_arrays_stay_so():
    fixed = np.ones(3, np.float32)
    fixed.flags.writeable = False
    tensor = relax_c.tensor(fixed)
    assert tensor.read_only and tensor.numpy().ctypes.data == fixed.ctypes.data
    with pytest.raises(ValueError, match="read-only"):
        tensor.numpy()[0] = 2
    assert not relax_c.tensor(np.ones(3)).read_only
    capsule = tensor.__dlpack__(max_version=(1, 1))  # that nobody takes
    del capsule
    gc.collect()
    with pytest.raises(BufferError, match="device"):
        tensor.__dlpack__(dl_device=(2, 0))


SCALARS = '''
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float64")):
        return R.add(x, x)
    @R.function
    def small(k: R.Prim("int8")):
        return k
    @R.function
    def real(k: R.Prim("float64")):
        return k
    @R.function
    def large(k: R.Prim("uint64")):
        return k
    @R.function
    def zeros(s: R.Shape(["n", "m"])):
        n, m = T.int64(), T.int64()
        return R.zeros(R.shape([n, m]), dtype="float32")
    @R.function
    def both(t: R.Tuple(R.Tensor((), dtype="float32"), R.Prim("float32"))):
        return t
'''


def test_scalars_count_as_their_values():
    exe = relax_c.compile(SCALARS)
    assert exe["main"](0.1).numpy() == 0.2 and exe["main"](3).numpy() == 6
    assert exe["main"](np.float64(1.5)).numpy() == 3
    assert exe["small"](-128) == -128 and exe["large"](2**64 - 1) == 2**64 - 1 and exe["large"](5) == 5
    assert exe["real"](0.1) == 0.1
    pair = exe["both"]((2, 0.5))
    assert pair[0].numpy() == 2 and pair[1] == 0.5
    assert exe["zeros"]((2, 3)).shape == exe["zeros"](relax_c.Shape((2, 3))).shape == (2, 3)
    for function, value, message in (
        ("main", True, "x is a scalar, but must be R.Tensor"),
        ("small", 128, "int64, but must have int8"),
        ("large", -1, "int64, but must have uint64"),
        ("small", 1.5, "float64, but must have int8"),
        ("zeros", (2, -3), "s is a tuple, but must be R.Shape"),
        ("zeros", (2, 1.5), "s is a tuple, but must be R.Shape"),
        ("zeros", (2,), r"s has 1 dim, but must have 2"),
    ):
        with pytest.raises(relax_c.InvalidArgumentError, match=message):
            exe[function](value)


def test_masks_are_not_dropped(exe):
    masked = np.ma.masked_array(np.ones((2, 4), np.float32), mask=np.eye(2, 4))
    for take in (relax_c.tensor, exe["main"]):
        with pytest.raises(relax_c.InvalidArgumentError, match="mask would be lost"):
            take(masked)
    assert relax_c.tensor(masked.filled(0)).shape == (2, 4)


def test_dlpack_arguments_are_checked():
    t = relax_c.tensor(np.ones(3))
    for version in (1, (), (1,), "11", (1, 0, 0)):
        with pytest.raises(TypeError, match="max_version: want"):
            t.__dlpack__(max_version=version)
    with pytest.raises(TypeError, match="max_version: want an int"):
        t.__dlpack__(max_version=("1", 0))
    for device in (1, (), (1,), "cpu"):
        with pytest.raises(TypeError, match="dl_device: want"):
            t.__dlpack__(dl_device=device)
    with pytest.raises(BufferError, match="on the CPU"):
        t.__dlpack__(dl_device=(1, 1))


# What no argument may be, for every public entry: a TypeError that names the argument and what came.
def wrong_types(module, exe):
    context = relax_c.Context(exe, threads=1)
    yield "Module: want the text", lambda: relax_c.Module(None)
    yield "Module: want the text .* got bytes", lambda: relax_c.Module(b"")
    yield "name: want a str, got int", lambda: relax_c.Module(TWICE, name=3)
    yield "Module.read: want a path", lambda: relax_c.Module.read(None)
    yield "bound: n: want an int, got str", lambda: module.bound(n="7")
    yield "bound: n: want an int, got float", lambda: module.bound(n=(1, 2.5))
    yield "bound: n: want an upper bound", lambda: module.bound(n=(1, 2, 3))
    yield "passes: want a str, got list", lambda: module.run(["LegalizeOps"])
    yield "target: want a str", lambda: module.run("LegalizeOps", target=1)
    yield "path: want a path", lambda: module.compile(5)
    yield "targets: want a str", lambda: module.compile(targets=5)
    yield "targets: want a str, got NoneType", lambda: module.compile(targets=[None])
    yield "weights: want a path", lambda: module.compile(weights=5)
    yield "pipeline: want a str", lambda: module.compile(pipeline=5)
    yield "jobs: want an int", lambda: module.compile(jobs="all")
    yield "equal: want a relax_c.Module, got str", lambda: module.equal(TWICE)
    yield "Module: want the text", lambda: relax_c.compile(None)
    yield "unexpected keyword", lambda: relax_c.compile(TWICE, threads=2)
    yield "Executable: want a path", lambda: relax_c.Executable(None)
    yield "Executable: want a path", lambda: relax_c.load(7)
    yield "function: want a str, got int", lambda: exe.signature(0)
    yield "function: want a str", lambda: exe.parameters(None)
    yield "function: want a str", lambda: exe.symbols(None)
    yield "function: want a str", lambda: exe[0]
    yield "function: want a str", lambda: context[0]
    yield "function: want a str", lambda: context.call(0, ())
    yield "arguments: want a tuple or list, got str", lambda: context.call("main", "x")
    yield "device: want a str", lambda: relax_c.Context(exe, device=1)
    yield "threads: want an int", lambda: relax_c.Context(exe, threads="2")
    yield "memory_limit: want an int", lambda: relax_c.Context(exe, memory_limit=1.5)
    yield "externals: want a dict", lambda: relax_c.Context(exe, externals=[print])
    yield "externals: want a str", lambda: relax_c.Context(exe, externals={1: print})
    yield "externals: f: want a function", lambda: relax_c.Context(exe, externals={"f": 1})
    yield "tensor: want an array", lambda: relax_c.tensor(None)
    yield "tensor: want an array", lambda: relax_c.tensor("12")
    yield r"tensor: data\[1\]\[0\]: want a number, got str", lambda: relax_c.tensor([[1], ["2"]])
    yield r"tensor: data\[0\]: want a number, got ndarray with dims; numpy.stack", lambda: relax_c.tensor([np.ones(2)])
    yield r"tensor: data\[0\]: want a number, got complex", lambda: relax_c.tensor([1j])
    yield "tensor: dtype: want a str", lambda: relax_c.tensor([1], dtype=int)
    yield "calls return tensors", lambda: relax_c.Tensor([1, 2])
    yield "Shape: want the dims", lambda: relax_c.Shape(4)
    yield "Shape: dim 1: want an int, got str", lambda: relax_c.Shape((1, "n"))


def test_wrong_types_are_named(exe):
    module = relax_c.Module(TWICE)
    for message, call in wrong_types(module, exe):
        with pytest.raises(TypeError, match=message):
            call()
    assert module.equal(relax_c.Module(TWICE))  # nothing happened to it


def test_values_out_of_range(exe):
    x = np.ones((1, 4), np.float32)
    for call in (
        lambda: relax_c.Context(exe, threads=-1),
        lambda: relax_c.Context(exe, threads=1025),
        lambda: relax_c.Context(exe, memory_limit=2**64),
        lambda: relax_c.Shape((-1,)),
        lambda: exe["main"](2**70),
        lambda: relax_c.Module(TWICE).bound(n=-1),
        lambda: relax_c.Module(TWICE).bound(n=(5, 4)),
        lambda: relax_c.load("a\0b"),
        lambda: relax_c.Module(TWICE, name="a\0b"),
        lambda: exe["main"](np.array(["a"])),
        lambda: exe["main"](x.astype(">f4")),
    ):
        with pytest.raises(ValueError):
            call()


def test_tensors_of_numbers():
    """Dtypes as PyTorch chooses them, shapes and elements as NumPy."""
    inf = float("inf")
    for data, dtype in (
        ([1, 2], "int64"),
        ([[1, 2.5], [True, -3]], "float32"),
        (((1,), (2,)), "int64"),
        ([range(3), (3, 4, 5)], "int64"),
        ([[[True]], [[False]]], "bool"),
        ([True, 2], "int64"),
        ([], "float32"),
        ([[], []], "float32"),
        (3, "int64"),
        (-2.5, "float32"),
        (True, "bool"),
        ([1e300, -1e300, inf, float("nan")], "float32"),
        ([np.float32(1.5), np.int8(2)], "float32"),
        ([np.uint8(1), np.bool_(True), 2**63 - 1], "int64"),
        ([np.array(7)], "int64"),
    ):
        made = relax_c.tensor(data)
        with np.errstate(over="ignore"):
            want = np.array(data).astype(dtype)
        assert made.dtype == dtype and made.shape == want.shape, data
        assert np.array_equal(made.numpy(), want, equal_nan=dtype == "float32"), data
        assert not made.read_only
    for dtype in ("bool", "int8", "uint16", "int32", "uint64", "float16", "float64"):
        made = relax_c.tensor([[1, 0], [3, 4]], dtype=dtype)
        assert made.dtype == dtype and np.array_equal(made.numpy(), np.array([[1, 0], [3, 4]]).astype(dtype))


def test_lists_that_are_no_tensor():
    deep: list = []
    deep.append(deep)
    for message, data, dtype in (
        (r"data\[1\]: want a list of 2, as beside it, got one of 1", [[1, 2], [3]], None),
        (r"data\[1\]: want a list of 2, as beside it, got 3", [[1, 2], 3], None),
        (r"data\[1\]: want a number, as beside it, got a list of 1", [1, [2]], None),
        (r"data\[1\]: want a list of 0, as beside it, got one of 1", [[], [1]], None),
        ("deeper than 16", deep, None),
        (f"{2**63} does not fit int64", [2**63], None),
        ("-1 does not fit uint8", [-1], "uint8"),
        ("1.5 is no int32", [1.5], "int32"),
        ("arrays have one", np.ones(2), "float64"),
    ):
        with pytest.raises(relax_c.InvalidArgumentError, match=message):
            relax_c.tensor(data, dtype=dtype)
    with pytest.raises(relax_c.UnsupportedError, match="numbers become one of bool, int8, .*; got dtype 'int3'"):
        relax_c.tensor([1], dtype="int3")


def test_html_of_a_module():
    page = relax_c.Module(TWICE)._repr_html_()
    assert page.count("<span style") > 20 and page.count("<pre") == 1
    plain = html.unescape(re.sub(r"<[^>]*>", "", page))
    assert plain.strip() == str(relax_c.Module(TWICE)).strip()


def test_short_calls_and_arrays_over_results(exe):
    """With arrays, tensors of ours and mixed; arrays over results share their memory."""
    from relax_c import _ffi

    assert (_ffi.native is None) == bool(os.environ.get("RELAX_CFFI")), "python/native.c is in the wheel"
    x = np.ones((3, 4), np.float32)
    for given in (x, relax_c.tensor(x)):
        y = exe["main"](given)
        assert np.array_equal(np.asarray(y), x + x)
        assert np.asarray(y).ctypes.data == y.numpy().ctypes.data
    view = np.asarray(y)
    del y
    gc.collect()
    assert (view.shape, view.strides, view.dtype, view.flags.writeable) == ((3, 4), (16, 4), np.float32, True)
    assert np.array_equal(view, x + x)
    assert np.asarray(relax_c.tensor(np.zeros((0, 4), np.int64))).shape == (0, 4)
    fixed = np.ones(3, np.float16)
    fixed.flags.writeable = False
    assert not np.asarray(relax_c.tensor(fixed)).flags.writeable
    for dtype in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"):
        given = np.arange(6).reshape(2, 3).astype(dtype)
        got = np.asarray(relax_c.tensor(given))
        assert got.dtype == given.dtype and np.array_equal(got, given)
    with pytest.raises(TypeError):  # PyTorch takes any buffer for a vector of float32
        memoryview(relax_c.tensor(x))
    if _ffi.native is not None:
        relax_c.Tensor.__new__(relax_c.Tensor)  # holds nothing, and ends so


def test_arrays_live_as_long_as_results_that_are_them(exe):
    context = relax_c.Context(exe)
    for dtype in (np.int64, np.longlong):
        x = np.arange(5, dtype=dtype)
        same, _ = context["pair"](x, relax_c.Shape((5,)))
        address = x.ctypes.data
        del x
        gc.collect()
        assert same.numpy().ctypes.data == address and same.numpy().tolist() == [0, 1, 2, 3, 4]
    view = np.arange(10, dtype=np.int64)[1:6]
    assert context["pair"](view, relax_c.Shape((5,)))[0].numpy().tolist() == [1, 2, 3, 4, 5]
    odd = np.frombuffer(b"\0" + np.arange(5).tobytes(), np.int64, 5, 1)  # misaligned: copied
    assert context["pair"](odd, relax_c.Shape((5,)))[0].numpy().tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(relax_c.ShapeMismatchError, match="int32"):
        context["pair"](np.arange(5, dtype=np.int32), relax_c.Shape((5,)))


def test_many_arguments_and_results():
    names = [f"x{i}" for i in range(70)]
    text = "@I.ir_module\nclass Module:\n    @R.function\n    def main({}):\n        return ({})\n".format(
        ", ".join(f'{n}: R.Tensor((1,), dtype="float32")' for n in names), ", ".join(names)
    )
    results = relax_c.compile(text)["main"](*[np.full(1, i, np.float32) for i in range(70)])
    assert [r.numpy()[0] for r in results] == list(range(70))
