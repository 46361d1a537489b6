"""More operators for tools/record_ops.py: those whose reference is TVM itself, and the rarer ones."""
import math

import numpy as np
from scipy import special

from record_ops import CASE, Operand, dims, extent, given, onnx_run, op, pick, random_operand, rnd

# --- Elementwise, and tensors from nothing.


@op("ewise_fma")
def ewise_fma(name):
    shape = dims()
    x, y, z = [random_operand(shape) for _ in range(3)]
    return [x, y, z], "R.ewise_fma(a, b, c)", [x.array * y.array + z.array]


@op("wrap_param")
def wrap_param(name):
    x, to = random_operand(dims()), pick("float32", "float16", "float64")
    return [x], f'R.wrap_param(a, dtype="{to}")', [x.array.astype(to)]


@op("nn.dropout")
def dropout(name):
    x = random_operand(dims())
    return [x], f"R.nn.dropout(a, rate={pick(0.1, 0.5)})", [x.array, np.ones_like(x.array)]


@op("ccl.allreduce", "ccl.allgather", "ccl.broadcast_from_worker0", "ccl.scatter_from_worker0")
def collective(name):
    """One worker: what it gives is what it gets."""
    x = random_operand(dims(rnd.choice((1, 2, 3))))
    more = {"ccl.allreduce": f', op_type="{pick("sum", "prod", "min", "max", "avg")}"', "ccl.broadcast_from_worker0": ""}
    return [x], f"R.{name}(a{more.get(name, ', num_workers=1')})", [x.array]


@op("hint_on_device", "to_vdevice", "builtin.stop_lift_params", "memory.ensure_zero_offset", "grad.no_grad",
    "grad.start_checkpoint", "grad.end_checkpoint")
def same(name):
    x = random_operand(dims())
    more = {"hint_on_device": ', R.device(dtype="int32", index=0)', "to_vdevice": ', dst_vdevice="llvm:0:global"'}
    return [x], f"R.{name}(a{more.get(name, '')})", [x.array]


@op("nn.batch_flatten")
def batch_flatten(name):
    x = random_operand([extent(max(d, 1)) for d in dims(rnd.choice((2, 3)))])
    return [x], "R.nn.batch_flatten(a)", [x.array.reshape(x.array.shape[0], math.prod(x.array.shape[1:]))]


@op("zeros", "ones")
def filled(name):
    shape, dtype = dims(), pick("float32", "float16", "int8", "int64", "bool", "float64", "uint8", "int32")
    return [], f'R.{name}(R.shape({shape}), dtype="{dtype}")', [getattr(np, name)(shape, dtype)]


@op("full")
def full(name):
    shape, v = dims(), random_operand([])
    return [v], f"R.full(R.shape({shape}), a)", [np.full(shape, v.array)]


@op("eye_like")
def eye_like(name):
    x, k = random_operand(dims(2)), pick(-2, -1, 0, 1, 3)
    return [x], f"R.eye_like(a, R.prim_value({k}))", [np.eye(*x.array.shape, k).astype(x.array.dtype)]


@op("size")
def size(name):
    x = random_operand(dims())
    return [x], "R.size(a)", [np.int64(x.array.size)]


@op("collapse_sum_to")
def collapse_sum_to(name):
    x = random_operand([pick(1, 2, 0), extent(3), pick(1, 4, 7)])
    a, b, c = x.array.shape
    to = pick([b, c], [1, c], [c], [a, 1, c], [1, 1, 1], [a, b, c])
    y = x.array
    while y.ndim > len(to):
        y = y.sum(0, dtype=y.dtype)
    y = y.sum(axis=tuple(i for i, d in enumerate(to) if d == 1), keepdims=True, dtype=y.dtype)
    return [x], f"R.collapse_sum_to(a, R.shape({to}))", [y]


@op("layout_transform")
def layout_transform(name):
    n, m = pick(0, 1, 2, 3, 7), pick(4, 8, 16)
    x = random_operand([n, m])
    if pick(True, False):
        return [x], "R.layout_transform(a, index_map=T.index_map(lambda i, j: (j // 4, i, j % 4)))", [x.array.reshape(n, m // 4, 4).transpose(1, 0, 2)]
    return [x], "R.layout_transform(a, index_map=T.index_map(lambda i, j: (j, i)))", [x.array.T]


# --- Neural networks.


@op("nn.conv3d_transpose")
def conv3d_transpose(name):
    groups = rnd.choice((1, 2))
    ci, per = groups * pick(1, 2), pick(1, 2)
    kernel, size, stride = [pick(1, 2) for _ in range(3)], [pick(1, 2) for _ in range(3)], [pick(1, 2) for _ in range(3)]
    x, w = random_operand([1, ci] + size), random_operand([ci, per] + kernel)
    full = [(size[i] - 1) * stride[i] + kernel[i] for i in range(3)]
    y = np.zeros([1, per * groups] + full)
    for place in np.ndindex(*size):
        cut = tuple(slice(place[i] * stride[i], place[i] * stride[i] + kernel[i]) for i in range(3))
        for c in range(ci):
            for o in range(per):
                at = c // (ci // groups) * per + o
                y[(0, at) + cut] += float(x.array[(0, c) + place]) * w.array[c, o].astype(float)
    return [x, w], f"R.nn.conv3d_transpose(a, b, strides={stride}, groups={groups})", [y.astype("float32")]


@op("nn.adaptive_avg_pool3d")
def adaptive_avg_pool3d(name):
    space, out = [pick(2, 3, 7) for _ in range(3)], [pick(1, 2) for _ in range(3)]
    x = random_operand([1, pick(1, 2)] + space)
    y = np.zeros(list(x.array.shape[:2]) + out)
    for place in np.ndindex(*out):
        cut = tuple(slice(place[i] * space[i] // out[i], -(-(place[i] + 1) * space[i] // out[i])) for i in range(3))
        y[(slice(None), slice(None)) + place] = x.array[(slice(None), slice(None)) + cut].astype(float).mean((2, 3, 4))
    return [x], f"R.nn.adaptive_avg_pool3d(a, output_size={out})", [y.astype("float32")]


@op("nn.attention_var_len")
def attention_var_len(name):
    queries, keys, h, d = [pick(1, 2, 3) for _ in range(2)], [pick(3, 4) for _ in range(2)], pick(1, 2), pick(2, 4)
    q, k, v = [random_operand([1, sum(n), h, d]) for n in (queries, keys, keys)]
    starts = lambda n: given([0, n[0], n[0] + n[1]], "int32")
    mask = pick(None, "TopLeft", "BottomRight")
    y = np.zeros([1, sum(queries), h, d])
    for s in range(2):
        a, b = slice(sum(queries[:s]), sum(queries[:s + 1])), slice(sum(keys[:s]), sum(keys[:s + 1]))
        score = np.einsum("shd,thd->hst", q.array[0, a].astype(float), k.array[0, b].astype(float)) / math.sqrt(d)
        if mask:
            shift = keys[s] - queries[s] if mask == "BottomRight" else 0
            score = np.where(np.arange(keys[s])[None, :] <= np.arange(queries[s])[:, None] + shift, score, -np.inf)
        y[0, a] = np.einsum("hst,the->she", special.softmax(score, -1), v.array[0, b].astype(float))
    most = [given(max(n), "int32", ()) for n in (queries, keys)]
    text = f', causal_mask="{mask}"' if mask else ""
    return [q, k, v, starts(queries), starts(keys)] + most, f"R.nn.attention_var_len(a, b, c, d, e, f, g{text})", [y.astype("float32")]


# --- Detectors, by TVM: it defines them.


def tvm_run(call, operands):
    if any(o.array.size == 0 for o in operands):
        raise ValueError("TVM's detectors read outside of empty tensors")
    import tvm
    from tvm import relax
    from tvm.script.parser.core.entry import parse

    params = ", ".join(f'{n}: R.Tensor({tuple(o.array.shape)}, dtype="{o.array.dtype}")' for n, o in zip("abcdefgh", operands))
    text = f"@I.ir_module\nclass Module:\n    @R.function\n    def main({params}):\n        gv = {call}\n        return gv\n"
    vm = relax.VirtualMachine(relax.build(parse(text), target="llvm"), tvm.cpu())
    out = vm["main"](*[tvm.runtime.tensor(o.array) for o in operands])
    return [o.numpy() for o in out] if type(out).__name__ == "Array" else [out.numpy()]


def boxes(batch, count):
    """Rows of class, score and two corners."""
    rows = []
    for _ in range(batch * count):
        x, y = rnd.randint(0, 12) / 4, rnd.randint(0, 12) / 4
        rows.append([pick(0, 1, -1), rnd.randint(-2, 40) / 32, x, y, x + rnd.randint(1, 8) / 4, y + rnd.randint(1, 8) / 4])
    return given(np.array(rows).reshape(batch, count, 6))


@op("vision.get_valid_counts")
def get_valid_counts(name):
    x = boxes(pick(1, 2), pick(1, 2, 3, 7))
    call = f"R.vision.get_valid_counts(a, score_threshold={pick(0.0, 0.25, 0.5)}, id_index={pick(0, -1)}, score_index=1)"
    return [x], call, tvm_run(call, [x])


@op("vision.non_max_suppression")
def non_max_suppression(name):
    batch, count = pick(1, 2), pick(1, 3, 7)
    x = boxes(batch, count)
    valid = given([rnd.randint(0, count) for _ in range(batch)], "int32")
    places = given([rnd.sample(range(count), count) for _ in range(batch)], "int32", (batch, count))
    indices = pick(True, False)
    soft = 0.0 if x.array.dtype == np.float64 else pick(0.0, 0.0, 0.5)
    call = (f"R.vision.non_max_suppression(a, b, c, max_output_size={pick(-1, 1, 2)}, iou_threshold={pick(0.1, 0.3, 0.6)}, "
            f"force_suppress={pick(True, False)}, top_k={pick(-1, 2)}, id_index={pick(0, -1)}, return_indices={indices}, "
            f"invalid_to_bottom={not indices and pick(True, False)}, soft_nms_sigma={soft}, score_threshold={pick(0.0, 0.1)})")
    single = x.array.astype("float32")  # TVM sorts float32 alone
    return [x, valid, places], call, tvm_run(call, [Operand(single, ""), valid, places])


def overlap(a, b):
    low, high = np.maximum(a[:2], b[:2]), np.minimum(a[2:], b[2:])
    shared = np.prod(np.maximum(high - low, 0))
    whole = np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared
    return shared / whole if whole > 0 else 0.0


@op("vision.all_class_non_max_suppression")
def all_class_nms(name):
    """By NumPy: TVM 0.25 can't build its own where the limits are tensors."""
    batch, classes, count = pick(1, 2), pick(1, 2), pick(1, 3, 7)
    x = given(boxes(batch, count).array[:, :, 2:].copy())
    order = [rnd.sample(range(count), count) for _ in range(batch * classes)]
    s = given((np.array(order).reshape(batch, classes, count) + 1) / 16)
    most, limit, least = pick(1, 2, count), pick(0.1, 0.3, 0.6), pick(0.0, 0.2)
    operands = [x, s, given(most, "int64", ()), given(limit, "float32", ()), given(least, "float32", ())]
    places, scores, counts, flat = np.zeros((batch, classes * count, 2), "int64"), np.zeros((batch, classes * count)), [], []
    for b in range(batch):
        row = 0
        for c in range(classes):
            kept = []
            for i in np.argsort(-s.array[b, c], kind="stable"):
                if s.array[b, c, i] > least and len(kept) < most and all(overlap(x.array[b, k], x.array[b, i]) < limit for k in kept):
                    kept.append(i)
            for i in kept:
                places[b, row], scores[b, row] = (c, i), s.array[b, c, i]
                flat.append([b, c, i])
                row += 1
        counts.append(row)
    if pick(True, False):
        return operands, 'R.vision.all_class_non_max_suppression(a, b, c, d, e, output_format="tensorflow")', [places, scores.astype("float32"), np.array(counts, "int64")]
    rows = np.array(flat + [[0, 0, 0]] * (batch * classes * count - len(flat)), "int64").reshape(-1, 3)
    return operands, "R.vision.all_class_non_max_suppression(a, b, c, d, e)", [rows, np.array([len(flat)], "int64")]


@op("vision.multibox_transform_loc")
def multibox(name):
    batch, classes, n = pick(1, 2), pick(1, 2, 3), pick(1, 3, 7)
    p, l = random_operand([batch, classes, n]), random_operand([batch, 4 * n])
    a = given(boxes(1, n).array[:, :, 2:].copy())
    call = (f"R.vision.multibox_transform_loc(a, b, c, clip={pick(True, False)}, threshold={pick(0.0, 0.3)}, "
            f"variances=[{pick(1.0, 0.1)}, {pick(1.0, 0.1)}, {pick(1.0, 0.2)}, {pick(1.0, 0.2)}], keep_background={pick(True, False)})")
    return [p, l, a], call, tvm_run(call, [p, l, a])


def rois(count, batch):
    rows = [[rnd.randrange(batch), x, y, x + rnd.randint(1, 20) / 4, y + rnd.randint(1, 20) / 4]
            for x, y in [(rnd.randint(-4, 12) / 4, rnd.randint(-4, 12) / 4) for _ in range(count)]]
    return given(np.array(rows).reshape(count, 5))


@op("vision.roi_align")
def roi_align(name):
    layout, batch, channels, size = pick("NCHW", "NHWC"), pick(1, 2), pick(1, 2), [pick(2, 3, 7), pick(3, 5)]
    ratio, aligned, mode, pooled, scale = pick(-1, 1, 2), pick(True, False), pick("avg", "max"), [pick(1, 2), pick(1, 3)], pick(1.0, 0.5)
    if ratio == -1:  # TVM 0.25 can't build these; ONNX Runtime means the same
        layout, mode = "NCHW", "avg"
    x = random_operand([batch, channels] + size if layout == "NCHW" else [batch] + size + [channels])
    r = rois(pick(1, 2, 3), batch)
    call = (f"R.vision.roi_align(a, b, pooled_size={pooled}, spatial_scale={scale}, sample_ratio={ratio}, "
            f'aligned={aligned}, layout="{layout}", mode="{mode}")')
    if ratio != -1:
        return [x, r], call, tvm_run(call, [x, r])
    attributes = {"output_height": pooled[0], "output_width": pooled[1], "sampling_ratio": 0, "spatial_scale": scale, "mode": "avg",
                  "coordinate_transformation_mode": "half_pixel" if aligned else "output_half_pixel"}
    y = onnx_run("RoiAlign", [x.array, r.array[:, 1:].copy(), r.array[:, 0].astype("int64")], attributes, opset=16)
    if aligned:  # ONNX moves the corners by half a pixel, TVM does not
        y = onnx_run("RoiAlign", [x.array, (r.array[:, 1:] + r.array.dtype.type(0.5 / scale)).copy(), r.array[:, 0].astype("int64")], attributes, opset=16)
    return [x, r], call, [y]


@op("vision.roi_pool")
def roi_pool(name):
    batch, channels, size = pick(1, 2), pick(1, 2), [pick(2, 3, 7), pick(3, 5)]
    x, r = random_operand([batch, channels] + size), rois(pick(1, 2, 3), batch)
    call = f"R.vision.roi_pool(a, b, pooled_size=[{pick(1, 2)}, {pick(1, 3)}], spatial_scale={pick(1.0, 0.5)})"
    return [x, r], call, tvm_run(call, [x, r])


@op("memory.view")
def memory_view(name):
    x = random_operand([pick(4, 6), 4])
    rows, skip = rnd.choice((1, 2, 3)), pick(0, 1, 2)
    bytes_each = np.dtype(CASE["dtype"]).itemsize * 4 * skip
    tail = f', R.dtype("{CASE["dtype"]}"), R.prim_value({bytes_each})' if skip else ""
    return [x], f"R.memory.view(a, R.shape([{rows}, 2, 2]){tail})", [x.array[skip:skip + rows].reshape(rows, 2, 2)]


# --- Edges, one by one: what dtypes, sizes and values at their ends give.
INF, NAN = math.inf, math.nan


def edges():
    def of(call, outs, *operands):
        return list(operands), call, [np.asarray(o) for o in outs]

    def f32(values, shape=None):
        return given(values, "float32", shape)

    one = {t: given([1], t) for t in ("float16", "bfloat16", "float32")}
    f = np.float32
    yield of("R.maximum(a, b)", [f([NAN, NAN, INF])], f32([NAN, 1, INF]), f32([1, NAN, 2]))
    yield of("R.minimum(a, b)", [f([NAN, NAN, -INF])], f32([NAN, 1, -INF]), f32([1, NAN, 2]))
    yield of("R.nn.max_pool1d(a, pool_size=[2], strides=[1])", [f([[[NAN, NAN, 3]]])], f32([[[1, NAN, 2, 3]]]))
    yield of("R.nn.relu(a)", [f([NAN, 0, 0, 2])], f32([NAN, -0.0, -INF, 2]))
    yield of("R.argmax(a, axis=0)", [np.int64(1)], f32([1, NAN, NAN, INF]))
    yield of("R.argmin(a, axis=0)", [np.int64(1)], f32([1, NAN, -INF]))
    yield of("R.argmax(a, axis=0)", [np.int64(1)], given([1, 3, 3], "uint8"))
    yield of("R.sort(a, axis=0)", [f([-INF, 1, 3, NAN, NAN])], f32([3, NAN, -INF, NAN, 1]))
    yield of("R.argsort(a, axis=0)", [np.int32([2, 4, 0, 1, 3])], f32([3, NAN, -INF, NAN, 1]))
    yield of("R.argsort(a, axis=0)", [np.int32([2, 0, 1, 3])], f32([0.0, -0.0, -1.0, 0.0]))
    yield of("R.topk(a, k=2, axis=0)", [f([NAN, 3]), np.int32([1, 0])], f32([3, NAN, 1]))
    yield of("R.median(a, axis=[0])", [f(3), np.int64(0)], f32([3, NAN, 1, NAN]))
    yield of("R.power(a, b)", [f([1, 1, NAN, 0])], f32([0, NAN, NAN, 0]), f32([0, 0, 1, 2]))
    # Division: toward zero, toward minus infinity; by 0; of the least number by -1.
    x, y = given([7, -7, 7, -7, 5, -128, 0], "int8"), given([2, 2, -2, -2, 0, -1, 3], "int8")
    yield of("R.divide(a, b)", [np.int8([3, -3, -3, 3, 0, -128, 0])], x, y)
    yield of("R.floor_divide(a, b)", [np.int8([3, -4, -4, 3, 0, -128, 0])], x, y)
    yield of("R.mod(a, b)", [np.int8([1, -1, 1, -1, 0, 0, 0])], x, y)
    yield of("R.floor_mod(a, b)", [np.int8([1, 1, -1, -1, 0, 0, 0])], x, y)
    big = given([3, -3, 2, -2, 2**62 + 1, 0], "int64")
    yield of("R.power(a, b)", [np.int64([-2984622845537545263, 420491770248316829, 0, -(2**63), 2**63 - 2**63 + 2**62 + 1, 1])],
             big, given([100, 41, 64, 63, 1, 0], "int64"))
    yield of("R.power(a, b)", [np.int8([0, 1, -1, 1, 0])], given([2, 1, -1, -1, 0], "int8"), given([-1, -3, -3, -4, -1], "int8"))
    yield of("R.multiply(a, b)", [np.int32([-2])], given([2**31 - 1], "int32"), given([2], "int32"))
    yield of("R.add(a, b)", [np.uint8([4])], given([250], "uint8"), given([10], "uint8"))
    yield of("R.subtract(a, b)", [np.uint64([2**64 - 1])], given([0], "uint64"), given([1], "uint64"))
    # Casts: toward zero, saturating, a NaN is 0 and true.
    odd = given([NAN, INF, -INF, 1e300, -0.9, 255.9], "float64")
    yield of('R.astype(a, dtype="int64")', [np.int64([0, 2**63 - 1, -(2**63), 2**63 - 1, 0, 255])], odd)
    yield of('R.astype(a, dtype="uint8")', [np.uint8([0, 255, 0, 255, 0, 255])], odd)
    yield of('R.astype(a, dtype="bool")', [np.array([1, 1, 1, 1, 1, 1], bool)], odd)
    yield of('R.astype(a, dtype="float16")', [np.float16([INF, 2048, 2050])], f32([65520, 2049, 2050.9]))
    for t in ("float16", "float64"):
        yield of("R.round(a)", [np.array([0, 2, 2, -2, -0.0], t)], given([0.5, 1.5, 2.5, -2.5, -0.5], t))
    # Rows of a softmax; sums of nothing.
    yield of("R.nn.softmax(a, axis=1)", [f([[NAN, NAN], [1, 0], [0.5, 0.5]])], f32([[-INF, -INF], [1e4, -1e4], [1e4, 1e4]]))
    yield of("R.nn.log_softmax(a, axis=1)", [f([[0, -2e4], [NAN, NAN]])], f32([[1e4, -1e4], [-INF, -INF]]))
    none = f32([], (2, 0))
    for call, value in (("sum", 0), ("prod", 1), ("max", -INF), ("min", INF), ("mean", NAN), ("variance", NAN), ("std", NAN)):
        yield of(f"R.{call}(a, axis=[1])", [f([value] * 2)], none)
    yield of("R.max(a, axis=[0])", [np.int8(-128)], given([], "int8", (0,)))
    yield of("R.min(a, axis=[0])", [np.uint8(255)], given([], "uint8", (0,)))
    yield of("R.mean(a, axis=[0])", [np.int32(0)], given([], "int32", (0,)))
    yield of("R.argmax(a, axis=1)", [np.int64([2**63 - 1] * 2)], none)
    yield of("R.median(a, axis=[1])", [f([NAN, NAN]), np.int64([0, 0])], none)
    yield of("R.nn.softmax(a, axis=1)", [f([]).reshape(2, 0)], none)
    yield of("R.matmul(a, b)", [np.zeros((2, 3), "float32")], none, f32([], (0, 3)))
    yield of("R.einsum((a, b), subscripts=\"ij,jk->ik\")", [np.zeros((2, 3), "float32")], none, f32([], (0, 3)))
    yield of("R.concat((a, b, a), axis=1)", [f([[1], [2]])], none, f32([[1], [2]]))
    yield of("R.nn.layer_norm(a, b, b, axes=[1])", [f([]).reshape(2, 0)], none, f32([], (0,)))
    # Halves are added up in float32.
    for t, y in one.items():
        many = "R.broadcast_to(a, R.shape([3000]))"
        total = np.array([3000]).astype(t)
        yield of(f"R.sum({many}, axis=[0], keepdims=True)", [total], y)
        yield of(f"R.matmul({many}, {many})", [total.reshape(())], y)
        yield of(f"R.take(R.cumsum({many}, axis=0), b, axis=0)", [total], y, given([-1], "int64"))
        yield of(f"R.mean(R.multiply({many}, b), axis=[0], keepdims=True)", [np.array([40000]).astype(t)], y, given([40000], t))
        yield of(f"R.variance({many}, axis=[0], keepdims=True)", [np.array([0]).astype(t)], y)
        yield of("R.nn.rms_norm(R.multiply(a, R.broadcast_to(b, R.shape([8]))), R.broadcast_to(a, R.shape([8])), axes=[0])",
                 [np.ones(8).astype(t)], y, given([1000], t))
    yield of("R.cumsum(a, axis=0)", [np.int32([2**31 - 1, -(2**31), -(2**31) + 1])], given([2**31 - 1, 1, 1], "int32"))
    yield of("R.cumsum(a, axis=0)", [np.int8([127, -128])], given([127, 1], "int8"))
    # Indices: from the end when negative; beyond the ends refused, unless the mode gives them a meaning.
    at, x = given([-9, -3, -1, 2, 9], "int64"), f32([10, 20, 30])
    near, inside = f([10, 10, 30, 30, 30]), given([-3, -3, -1, 2, 2], "int64")
    yield of("R.take(a, b, axis=0)", [near], x, inside)
    yield of('R.take(a, b, axis=0, mode="wrap")', [f([10, 10, 30, 30, 10])], x, at)
    yield of('R.take(a, b, axis=0, mode="clip")', [f([10, 10, 10, 30, 30])], x, at)
    yield of('R.take(a, b, axis=0, mode="nan")', [f([NAN, 10, 30, 30, NAN])], x, at)
    yield of("R.gather_elements(a, b, axis=0)", [near], x, inside)
    yield of("R.gather_nd(a, b)", [near], x, given(inside.array.reshape(5, 1), "int64"))
    yield of("R.index_tensor(a, (b,))", [near], x, inside)
    yield of('R.take(a, b, axis=0, mode="clip")', [f([0, 0])], f32([], (0,)), given([0, 5], "int64"))
    new = f32([1, 2, 3, 4, 5])
    yield of("R.scatter_elements(a, b, c, axis=0)", [f([2, 20, 5])], x, at, new)
    yield of("R.scatter_nd(a, b, c)", [f([2, 20, 5])], x, given(at.array.reshape(5, 1), "int64"), new)
    yield of("R.index_put(a, (b,), c, accumulate=True)", [f([13, 20, 42])], x, at, new)
    yield of("R.scatter_elements(a, b, c, axis=0)", [f([])], f32([], (0,)), given([0], "int64"), f32([1]))
    yield of("R.slice_scatter(a, b, R.prim_value(1), R.prim_value(5), R.prim_value(2), axis=0)", [f([10, 1])], f32([10, 20]), f32([1, 2]))
    yield of("R.tril(a, R.prim_value(9))", [np.ones((2, 2), "float32")], f32([[1, 1], [1, 1]]))
    yield of("R.triu(a, R.prim_value(9))", [np.zeros((2, 2), "float32")], f32([[1, 1], [1, 1]]))
    yield of("R.tril(a, R.prim_value(-9))", [np.zeros((2, 2), "float32")], f32([[1, 1], [1, 1]]))
    yield of("R.left_shift(a, b)", [np.int8([-128, 0, 0])], given([1, 1, 1], "int8"), given([7, 8, -1], "int8"))
    yield of("R.right_shift(a, b)", [np.int8([-1, -1, -1, 0])], given([-128, -128, -128, 5], "int8"), given([7, 8, -1, 100], "int8"))


EDGES = list(edges())


@op("edges", count=len(EDGES))
def edge(name):
    return EDGES.pop(0) if EDGES else None
