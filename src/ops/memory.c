// memory.c - the operators of lowered modules: allocating storage and tensors in it, and giving them up.
//
// R.builtin.alloc_tensor is what CallTIRRewrite makes; R.memory.* are explicit blocks; R.vm.* is what the machine runs.
#include "ops/infer.h"
#include "ops/ops.h"

static const ann *tensor_of(infer_ctx *c, const node *n, uint32_t shape, uint32_t type) {
    const ann *a = infer_in(n, shape);
    if (n->type_args == 1) return n->type_arg[0];
    if (a->dim) return ann_tensor(c->mem, n->in[type]->as.type, a->dim, (uint32_t)a->rank);
    return ann_tensor_rank(c->mem, n->in[type]->as.type, a->rank);
}

static const ann *infer_builtin_tensor(infer_ctx *c, const node *n) { return tensor_of(c, n, 0, 1); }
static const ann *infer_tensor_in_storage(infer_ctx *c, const node *n) { return tensor_of(c, n, 2, 3); }

static const ann *infer_nothing(infer_ctx *c, const node *n) {
    (void)n;
    return ann_tuple(c->mem, NULL, 0);
}

#define SHAPE(text) {.name = "shape", .kind = INPUT_SHAPE, .doc = text}
#define DTYPE_INPUT {.name = "dtype", .kind = INPUT_DTYPE, .doc = "of its elements"}
#define DEVICE(word) {.name = word, .kind = INPUT_PRIM, .doc = "the number of the device; -1: the host"}
#define SCOPE {.name = "storage_scope", .kind = INPUT_STRING, .doc = "\"global\""}
#define STORAGE {.name = "storage", .kind = INPUT_ANY, .doc = "the storage"}
#define OFFSET {.name = "offset", .kind = INPUT_PRIM, .doc = "bytes from its start"}

const op op_builtin_alloc_tensor = {
    .name = "builtin.alloc_tensor",
    .doc = "A tensor with memory of its own, not yet placed in a storage; its elements are undefined.",
    .input = {SHAPE("its dims"), DTYPE_INPUT, DEVICE("runtime_device_index"), SCOPE},
    .type_args = 1,
    .infer = infer_builtin_tensor,
    .vm = true,
};
const op op_memory_alloc_storage = {
    .name = "memory.alloc_storage",
    .doc = "A block of memory that tensors are placed in.",
    .input = {{.name = "size", .kind = INPUT_SHAPE, .doc = "its bytes, a shape of one dim"},
              DEVICE("virtual_device_index"),
              SCOPE,
              DTYPE_INPUT},
    .infer = infer_stated_object,
    .vm = true,
};
const op op_memory_alloc_tensor = {
    .name = "memory.alloc_tensor",
    .doc = "A tensor in a storage; its elements are what lies there.",
    .input = {STORAGE, OFFSET, SHAPE("its dims"), DTYPE_INPUT, DEVICE("runtime_device_ind")},
    .type_args = 1,
    .infer = infer_tensor_in_storage,
    .vm = true,
};
const op op_memory_kill_storage = {
    .name = "memory.kill_storage",
    .doc = "Gives a storage up: nothing is placed in it any more. Tensors in it keep it alive.",
    .input = {STORAGE},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_memory_kill_tensor = {
    .name = "memory.kill_tensor",
    .doc = "Gives a tensor up: it is not used any more.",
    .input = {{.name = "tensor", .kind = INPUT_TENSOR, .doc = "the tensor"}},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_vm_alloc_storage = {
    .name = "vm.alloc_storage",
    .doc = "A block of memory, as the machine allocates it.",
    .input = {{.name = "shape", .kind = INPUT_SHAPE, .doc = "its bytes, a shape of one dim"},
              DEVICE("runtime_device_index"),
              DTYPE_INPUT,
              SCOPE},
    .infer = infer_stated_object,
    .vm = true,
};
const op op_vm_alloc_tensor = {
    .name = "vm.alloc_tensor",
    .doc = "A tensor in a storage, as the machine makes it.",
    .input = {STORAGE, OFFSET, SHAPE("its dims"), DTYPE_INPUT, DEVICE("runtime_device_ind")},
    .infer = infer_tensor_in_storage,
    .vm = true,
};
const op op_vm_kill_object = {
    .name = "vm.kill_object",
    .doc = "Empties the register that holds a value.",
    .input = {{.name = "obj", .kind = INPUT_ANY, .doc = "the value"}},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_vm_call_tir_dyn = {
    .name = "vm.call_tir_dyn",
    .doc = "Runs a loop program on tensors and the scalars in a shape, which comes last.",
    .input = {{.name = "func", .kind = INPUT_FUNC, .doc = "the program"},
              {.name = "args", .kind = INPUT_TUPLE, .doc = "inputs, destinations, then R.shape([scalars])"}},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
