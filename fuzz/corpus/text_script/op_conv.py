@I.ir_module
class Module:
    @R.function
    def main(im: R.Tensor((1, 4, 16, 16), "float32"), kr: R.Tensor((8, 4, 3, 3), "float32"), im1: R.Tensor((1, 4, 16), "float32"), kr1: R.Tensor((8, 4, 3), "float32"), im3: R.Tensor((1, 4, 8, 8, 8), "float32"), kr3: R.Tensor((8, 4, 3, 3, 3), "float32")):
        with R.dataflow():
            lv0 = R.nn.conv1d(im1, kr1, padding=1)
            lv1 = R.nn.conv2d(im, kr, strides=(2, 2), padding=(1, 1), out_dtype="float32")
            lv2 = R.nn.conv2d(im, kr)
            lv3 = R.nn.conv3d(im3, kr3, padding=[1, 1, 1])
            lv4 = R.nn.conv1d_transpose(im1, R.permute_dims(kr1, [1, 0, 2]), strides=2)
            lv5 = R.nn.conv2d_transpose(im, R.permute_dims(kr, [1, 0, 2, 3]), strides=(2, 2), output_padding=(1, 1))
            lv6 = R.nn.max_pool2d(im, pool_size=(2, 2), strides=(2, 2))
            lv7 = R.nn.max_pool1d(im1, pool_size=2)
            lv8 = R.nn.max_pool3d(im3, (2, 2, 2), ceil_mode=True)
            lv9 = R.nn.avg_pool1d(im1, pool_size=(2,))
            lv10 = R.nn.avg_pool2d(im, pool_size=(3, 3), padding=(1, 1), count_include_pad=True)
            lv11 = R.nn.avg_pool3d(im3, (2, 2, 2))
            lv12 = R.nn.adaptive_avg_pool1d(im1, 4)
            lv13 = R.nn.adaptive_avg_pool2d(im, (1, 1))
            lv14 = R.nn.adaptive_avg_pool3d(im3, (2, 2, 2))
            lv15 = R.image.resize2d(im, (32, 32), method="nearest_neighbor")
            lv16 = R.image.resize2d(im, R.shape([32, 20]), layout="NCHW")
            lv17 = R.image.grid_sample(im, R.const([[[[0.0, 0.0]]]], "float32"))
            R.output(lv17)
        return lv17
