// refused.c - operators that parse, print and have a deduction, but no meaning here: R.grad.* and R.dist.* (training
// and sharding). Whatever needs their meaning refuses them by name. Those that only mark a value are the value itself.
#include "ops/table.h"

static const ann *infer_second(infer_ctx *c, const node *n) { return (void)c, infer_in(n, 1); }
// Results are spread over a mesh: R.DTensor, or several of them.
static const ann *infer_spread(infer_ctx *c, const node *n) {
    const ann *out = n->type_args ? n->type_arg[0] : ann_object();
    uint32_t parts = out->kind == ANN_TUPLE ? out->count : 1;
    for (uint32_t i = 0; i < parts; i++) {
        const ann *part = out->kind == ANN_TUPLE ? out->field[i] : out;
        if (part->kind == ANN_TENSOR && part->mesh) continue;
        return infer_error(c, n, "out_sinfo: want R.DTensor, got %s; call_tir is for tensors of one device",
                           ann_to_text(c->mem, part));
    }
    return out;
}

#define WORKERS ATTR_AT("num_workers", INT, NULL, "how many workers")
#define POOL(ones, zeros)                                                                                              \
    ATTR("pool_size", INTS, ones, "extent of the window"), ATTR("strides", INTS, ones, "its steps"),                   \
        ATTR("dilation", INTS, ones, "distance of its elements"), ATTR("padding", INTS, zeros, "border"),              \
        ATTR("ceil_mode", BOOL, "False", "round up"), ATTR("count_include_pad", BOOL, "False", "the border counts"),   \
        ATTR("layout", STRING, "\"NCHW\"", "order of the dims"),                                                       \
        ATTR("out_layout", STRING, "\"\"", "order of the result's dims")

// --- Training.
const op op_grad_no_grad = {
    .name = "grad.no_grad",
    .doc = "The value itself, without a gradient.",
    .input = {IN("input", TENSOR, "any value")},
    .infer = infer_same_as_first,
    .view = true,
    .samples = {"x=f32[n,4] | R.grad.no_grad(x)"},
};
const op op_grad_start_checkpoint = {
    .name = "grad.start_checkpoint",
    .doc = "The value itself, where recomputation begins.",
    .input = {IN("input", TENSOR, "any value")},
    .infer = infer_same_as_first,
    .view = true,
    .samples = {"x=f32[n,4] | R.grad.start_checkpoint(x)"},
};
const op op_grad_end_checkpoint = {
    .name = "grad.end_checkpoint",
    .doc = "The value itself, where recomputation ends.",
    .input = {IN("input", TENSOR, "any value")},
    .infer = infer_same_as_first,
    .view = true,
    .samples = {"x=f32[n,4] | R.grad.end_checkpoint(x)"},
};
const op op_grad_take_backward = {
    .name = "grad.take_backward",
    .doc = "The gradient of take.",
    .input = {IN("output_grad", TENSOR, "gradient of the result"), IN("x", TENSOR, "take's x"),
              IN("indices", TENSOR, "take's indices")},
    .attr = {ATTR_AT("axis", INT, "None", "take's axis"), ATTR("mode", STRING, "\"\"", "take's mode")},
    .infer = infer_second,
    .refused = true,
};
const op op_grad_nll_loss_backward = {
    .name = "grad.nll_loss_backward",
    .doc = "The gradient of nll_loss.",
    .input = {IN("output_grad", TENSOR, "gradient of the result"), IN("predictions", TENSOR, "the predictions"),
              IN("targets", TENSOR, "the targets"), IN_OPTIONAL("weights", TENSOR, "the weights")},
    .attr = {ATTR_AT("reduction", STRING, "\"mean\"", "the reduction"),
             ATTR_AT("ignore_index", INT, "-100", "the ignored target")},
    .infer = infer_second,
    .refused = true,
};
const op op_grad_max_pool2d_backward = {
    .name = "grad.max_pool2d_backward",
    .doc = "The gradient of max_pool2d.",
    .input = {IN("output_grad", TENSOR, "gradient of the result"), IN("data", TENSOR, "the images")},
    .attr = {POOL("[1, 1]", "[0, 0, 0, 0]")},
    .infer = infer_second,
    .refused = true,
};
const op op_grad_avg_pool2d_backward = {
    .name = "grad.avg_pool2d_backward",
    .doc = "The gradient of avg_pool2d.",
    .input = {IN("output_grad", TENSOR, "gradient of the result"), IN("data", TENSOR, "the images")},
    .attr = {POOL("[1, 1]", "[0, 0, 0, 0]")},
    .infer = infer_second,
    .refused = true,
};

// --- Sharding.
const op op_dist_annotate_sharding = {
    .name = "dist.annotate_sharding",
    .doc = "The value itself, meant to be spread over a mesh of devices.",
    .input = {IN("input", TENSOR, "any value")},
    .attr = {ATTR_AT("device_mesh", ANY, NULL, "the mesh"), ATTR_AT("placement", ANY, NULL, "how it is spread")},
    .infer = infer_same_as_first,
    .refused = true,
};
const op op_dist_redistribute = {
    .name = "dist.redistribute",
    .doc = "The value spread over a mesh of devices in another way.",
    .input = {IN("input", TENSOR, "any value")},
    .attr = {ATTR_AT("device_mesh", ANY, NULL, "the mesh"), ATTR_AT("placement", ANY, NULL, "how it is spread")},
    .infer = infer_same_as_first,
    .refused = true,
};
const op op_dist_redistribute_replica_to_shard = {
    .name = "dist.redistribute_replica_to_shard",
    .doc = "A worker's part of a value that all workers have.",
    .input = {IN("input", TENSOR, "any value")},
    .attr = {WORKERS, ATTR_AT("axis", INT, NULL, "the dim that is split")},
    .infer = infer_scattered,
    .refused = true,
};
const op op_dist_call_tir_local_view = {
    .name = "dist.call_tir_local_view",
    .doc = "call_tir on the part of each worker.",
    .input = {IN("func", FUNC, "the program"), IN("args", TUPLE, "its inputs"),
              IN_OPTIONAL("tir_vars", SHAPE, "its scalars")},
    .type_args = 1,
    .infer = infer_spread,
    .refused = true,
};
