# What is cut into groups must be whole groups.
# RUN: relax check %s
# FAILS: 1
@I.ir_module
class Module:
    @R.function
    def conv(x: R.Tensor((1, 4, 8), "float32"), w: R.Tensor((5, 2, 3), "float32")):
        return R.nn.conv1d(x, w, groups=2)

    @R.function
    def norm(x: R.Tensor(("n", 5, 8), "float32"), g: R.Tensor((5,), "float32"), b: R.Tensor((5,), "float32")):
        return R.nn.group_norm(x, g, b, num_groups=2, channel_axis=1, axes=[2])

    @R.function
    def shuffle(x: R.Tensor(("n", 6, 8, 8), "float32")):
        return R.nn.pixel_shuffle(x, 2)

    @R.function
    def pages(q: R.Tensor(("t", 5, 4), "float32"), k: R.Tensor((3, 2, 2, 4), "float32"), p: R.Tensor(("t",), "int32"), s: R.Tensor((3,), "int32"), g: R.Tensor((2, 2), "int32")):
        return R.rx.attention(q, k, k, p, s, g, scale=1.0)

    @R.function
    def dense(q: R.Tensor((1, 5, "t", 4), "float32"), k: R.Tensor((1, 2, "t", 4), "float32")):
        return R.rx.dense_attention(q, k, k, scale=1.0)

    @R.function
    def none(q: R.Tensor((1, 5, "t", 4), "float32"), k: R.Tensor((1, 0, "t", 4), "float32")):
        return R.rx.dense_attention(q, k, k, scale=1.0)
# WANT:
error_multiples.py:8:16: error: nn.conv1d: 5 channels are no multiple of 2 groups
            return R.nn.conv1d(x, w, groups=2)
                   ^
error_multiples.py:12:16: error: nn.group_norm: 5 channels are no multiple of 2 groups
            return R.nn.group_norm(x, g, b, num_groups=2, channel_axis=1, axes=[2])
                   ^
error_multiples.py:16:16: error: nn.pixel_shuffle: 6 channels are no multiple of 4
            return R.nn.pixel_shuffle(x, 2)
                   ^
error_multiples.py:20:16: error: rx.attention: 5 heads are no multiple of the cache's 2
            return R.rx.attention(q, k, k, p, s, g, scale=1.0)
                   ^
error_multiples.py:24:16: error: rx.dense_attention: 5 heads are no multiple of the keys' 2
            return R.rx.dense_attention(q, k, k, scale=1.0)
                   ^
error_multiples.py:28:16: error: rx.dense_attention: 5 heads are no multiple of the keys' 0
            return R.rx.dense_attention(q, k, k, scale=1.0)
                   ^
