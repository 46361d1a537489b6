// special.c - operators that are no loop programs: calls of programs and of functions, memory of lowered modules.
#include "interp/inspect.h"
#include <stdlib.h>
#include <string.h>

typedef bool special_eval(frame *fr, const node *n, value *in, value *out);

// --- Calls of loop programs.

static uint32_t tuple_count(const value *v) { return v->kind == VALUE_TUPLE ? v->as.tuple.count : 1; }

// A tuple's fields, or the one value.
static uint32_t spread(const value *v, value *to) {
    if (v->kind != VALUE_TUPLE) return *to = *v, 1;
    for (uint32_t i = 0; i < v->as.tuple.count; i++) to[i] = v->as.tuple.item[i];
    return v->as.tuple.count;
}

// func, inputs, outputs, scalars; the references stay the callers'.
static bool call_program(frame *fr, const node *n, value *in, const value *outs, uint32_t count) {
    const value *scalars = n->count > 2 ? &in[2] : NULL;
    uint32_t rank = scalars && scalars->kind == VALUE_SHAPE ? scalars->as.shape.rank : 0, len = 0;
    value *arg = calloc(tuple_count(&in[1]) + count + rank + 1, sizeof *arg), result;
    if (!arg) return frame_fail(fr, n->at, "no memory");
    len = spread(&in[1], arg);
    for (uint32_t i = 0; i < count; i++) arg[len++] = outs[i];
    for (uint32_t i = 0; i < rank; i++) arg[len++] = value_of_int(DTYPE_OF(I64), scalars->as.shape.dim[i]);
    bool done = interp_call(fr->r, &in[0], arg, len, &result, n->at);
    value_drop(&result);
    free(arg);
    return done;
}

// Also R.call_dps_packed: an external function writes into the same kind of destinations.
static bool eval_call_tir(frame *fr, const node *n, value *in, value *out) {
    if (!frame_outputs(fr, n->type_arg[0], out, n->at)) return false;
    bool tuple = out->kind == VALUE_TUPLE;
    if (call_program(fr, n, in, tuple ? out->as.tuple.item : out, tuple ? out->as.tuple.count : 1)) return true;
    value_drop(out);
    return false;
}

// The results that are written over inputs are those inputs.
static bool place_outputs(frame *fr, const node *n, const value *inputs, value *item, value *own, uint32_t *fresh) {
    const ann *type = n->type_arg[0];
    for (uint32_t i = 0; i < n->attr[0]->count; i++) {
        int64_t place = n->attr[0]->list[i]->as.i;
        if (place >= 0) {
            bool there = inputs->kind == VALUE_TUPLE && place < inputs->as.tuple.count;
            if (!there) return frame_fail(fr, n->at, "call_tir_inplace: no input %lld", (long long)place);
            item[i] = value_keep(inputs->as.tuple.item[place]);
            continue;
        }
        if (!frame_outputs(fr, type->kind == ANN_TUPLE ? type->field[i] : type, &item[i], n->at)) return false;
        own[(*fresh)++] = item[i];
    }
    return true;
}

static bool eval_call_tir_inplace(frame *fr, const node *n, value *in, value *out) {
    uint32_t count = n->attr[0]->count, fresh = 0;
    value *item = calloc(count + 1, sizeof *item), *own = calloc(count + 1, sizeof *own);
    bool done = item && own && place_outputs(fr, n, &in[1], item, own, &fresh) && call_program(fr, n, in, own, fresh);
    if (done && n->type_arg[0]->kind != ANN_TUPLE)
        *out = value_keep(item[0]);
    else if (done)
        *out = value_of_tuple(item, count);
    for (uint32_t i = 0; item && i < count; i++) value_drop(&item[i]);
    free(item);
    free(own);
    return done;
}

// --- Calls of functions.

// The function is the first operand; names become externals by R.ExternFunc leaves.
static bool eval_call_packed(frame *fr, const node *n, value *in, value *out) {
    return interp_call(fr->r, &in[0], in + 1, n->count - 1, out, n->at);
}

static bool eval_call_tuple(frame *fr, const node *n, value *in, value *out) {
    if (in[1].kind != VALUE_TUPLE) return frame_fail(fr, n->at, "%s: want a tuple of arguments", n->op->name);
    return interp_call(fr->r, &in[0], in[1].as.tuple.item, in[1].as.tuple.count, out, n->at);
}

// func, (arguments…, shape): the shape's numbers become the last arguments.
static bool eval_call_dyn(frame *fr, const node *n, value *in, value *out) {
    if (in[1].kind != VALUE_TUPLE) return frame_fail(fr, n->at, "call_tir_dyn: want a tuple of arguments");
    uint32_t count = in[1].as.tuple.count;
    value *arg = calloc(count + 1, sizeof *arg);
    if (!arg) return frame_fail(fr, n->at, "no memory");
    arg[0] = in[0];
    if (count) memcpy(arg + 1, in[1].as.tuple.item, count * sizeof *arg);
    bool done = host_run(fr->r, "vm.builtin.call_tir_dyn", arg, count + 1, out, n->at);
    free(arg);
    return done;
}

static void release_bound(interp_closure *c) { value_drop(&c->bound); }

// The function's last parameters are what is captured.
static bool eval_make_closure(frame *fr, const node *n, value *in, value *out) {
    if (in[0].kind != VALUE_FUNC || in[1].kind != VALUE_TUPLE)
        return frame_fail(fr, n->at, "make_closure: want a function and a tuple");
    interp_closure c = *in[0].as.func;
    if (c.captures) return frame_fail(fr, n->at, "make_closure: want a function of the module");
    c.bound = value_keep(in[1]);
    *out = value_of_closure(&c, release_bound);
    return out->kind == VALUE_FUNC || frame_fail(fr, n->at, "no memory");
}

// --- Memory.

// Operators of lowered modules differ in the order of shape, dtype and scope; kinds tell them apart.
static bool find_kind(frame *fr, const node *n, const value *in, value_kind kind, const value **out) {
    for (uint32_t i = 0; i < n->count; i++)
        if (in[i].kind == kind) return *out = &in[i], true;
    value wanted = {.kind = kind};
    return frame_fail(fr, n->at, "%s: want %s", n->op->name, value_describe(&wanted));
}

static bool eval_new_tensor(frame *fr, const node *n, value *in, value *out) {
    const value *shape, *type;
    if (!find_kind(fr, n, in, VALUE_SHAPE, &shape) || !find_kind(fr, n, in, VALUE_DTYPE, &type)) return false;
    tensor *t = interp_tensor(fr->r, type->as.type, shape->as.shape.rank, shape->as.shape.dim, n->at);
    if (t) *out = value_of_tensor(t);
    return t != NULL;
}

// A storage is a row of bytes.
static bool eval_alloc_storage(frame *fr, const node *n, value *in, value *out) {
    const value *shape;
    if (!find_kind(fr, n, in, VALUE_SHAPE, &shape)) return false;
    tensor *t = interp_tensor(fr->r, DTYPE_OF(U8), shape->as.shape.rank, shape->as.shape.dim, n->at);
    if (t) *out = value_of_tensor(t);
    return t != NULL;
}

// Where the storage held another tensor, its elements are unwritten now: reading it later fails.
static bool eval_tensor_from_storage(frame *fr, const node *n, value *in, value *out) {
    const value *shape, *type;
    int64_t at;
    if (!find_kind(fr, n, in, VALUE_SHAPE, &shape) || !find_kind(fr, n, in, VALUE_DTYPE, &type)) return false;
    if (in[0].kind != VALUE_TENSOR || !value_number(&in[1], &at) || at < 0)
        return frame_fail(fr, n->at, "%s: want a storage and an offset", n->op->name);
    tensor *t = frame_tensor_over(fr, in[0].as.tensor, type->as.type, shape->as.shape.rank, shape->as.shape.dim,
                                  (size_t)at, n->at);
    if (!t) return false;
    storage *s = storage_of(t);
    if (s) storage_forget(s, (size_t)((uint8_t *)t->data - s->data), t->bytes); // what was there before has died
    return *out = value_of_tensor(t), true;
}

// Killing frees nothing here: values are given up at their last use anyway.
static bool eval_nothing(frame *fr, const node *n, value *in, value *out) {
    (void)in;
    *out = value_of_tuple(NULL, 0);
    return out->kind == VALUE_TUPLE || frame_fail(fr, n->at, "no memory");
}

static bool eval_null(frame *fr, const node *n, value *in, value *out) {
    (void)fr, (void)n, (void)in;
    return *out = (value){.kind = VALUE_NULL}, true;
}

static bool eval_same(frame *fr, const node *n, value *in, value *out) {
    (void)fr, (void)n;
    return *out = value_keep(in[0]), true;
}

// --- Shapes.

static bool eval_shape_of(frame *fr, const node *n, value *in, value *out) {
    if (in[0].kind != VALUE_TENSOR) return frame_fail(fr, n->at, "shape_of: want a tensor");
    *out = value_of_shape(in[0].as.tensor->dim, in[0].as.tensor->rank);
    return out->kind == VALUE_SHAPE || frame_fail(fr, n->at, "no memory");
}

// Shapes have at most as many dims as tensors.
static bool eval_tensor_to_shape(frame *fr, const node *n, value *in, value *out) {
    int64_t dim[TENSOR_MAX_RANK];
    const tensor *t = in[0].kind == VALUE_TENSOR ? in[0].as.tensor : NULL;
    if (!t || t->rank != 1 || t->dim[0] > TENSOR_MAX_RANK || dtype_is_float(t->type))
        return frame_fail(fr, n->at, "tensor_to_shape: want a vector of at most %d integers", TENSOR_MAX_RANK);
    for (int64_t i = 0; i < t->dim[0]; i++) dim[i] = tensor_get_int(t, (size_t)i);
    *out = value_of_shape(dim, (uint32_t)t->dim[0]);
    return out->kind == VALUE_SHAPE || frame_fail(fr, n->at, "no memory");
}

static bool eval_shape_to_tensor(frame *fr, const node *n, value *in, value *out) {
    if (in[0].kind != VALUE_SHAPE) return frame_fail(fr, n->at, "shape_to_tensor: want a shape");
    int64_t rank = in[0].as.shape.rank;
    tensor *t;
    if (tensor_new(DTYPE_OF(I64), 1, &rank, &t) != RX_OK) return frame_fail(fr, n->at, "no memory");
    for (int64_t i = 0; i < rank; i++) tensor_set_int(t, (size_t)i, in[0].as.shape.dim[i]);
    return *out = value_of_tensor(t), true;
}

// --- The table.

static const struct {
    const char *name;
    special_eval *eval;
} special[] = {
    {"call_tir", eval_call_tir},
    {"call_tir_with_grad", eval_call_tir},
    {"call_tir_inplace", eval_call_tir_inplace},
    {"call_dps_packed", eval_call_tir},
    {"call_packed", eval_call_packed},
    {"call_pure_packed", eval_call_packed},
    {"call_inplace_packed", eval_call_packed},
    {"call_builtin_with_ctx", eval_call_tuple},
    {"invoke_closure", eval_call_tuple},
    {"invoke_pure_closure", eval_call_tuple},
    {"make_closure", eval_make_closure},
    {"builtin.alloc_tensor", eval_new_tensor},
    {"builtin.stop_lift_params", eval_same},
    {"memory.alloc_storage", eval_alloc_storage},
    {"memory.alloc_tensor", eval_tensor_from_storage},
    {"memory.kill_storage", eval_nothing},
    {"memory.kill_tensor", eval_nothing},
    {"memory.ensure_zero_offset", eval_same},
    {"vm.alloc_storage", eval_alloc_storage},
    {"vm.alloc_tensor", eval_tensor_from_storage},
    {"vm.kill_object", eval_nothing},
    {"vm.call_tir_dyn", eval_call_dyn},
    {"null_value", eval_null},
    {"shape_of", eval_shape_of},
    {"tensor_to_shape", eval_tensor_to_shape},
    {"shape_to_tensor", eval_shape_to_tensor},
    {"print", eval_print},
    {"assert_op", eval_assert},
    {"inspect.tensor_dtype_code", eval_inspect},
    {"inspect.tensor_dtype_bits", eval_inspect},
    {"inspect.tensor_dtype_lanes", eval_inspect},
    {"inspect.tensor_ndim", eval_inspect},
    {"inspect.tensor_shape_i", eval_inspect},
    {"inspect.tensor_stride_i", eval_inspect},
    {"inspect.tensor_byte_offset", eval_inspect},
    {"inspect.tensor_elem_offset", eval_inspect},
    {"memory.view", eval_memory_view},
    {"to_vdevice", eval_same},
    {"hint_on_device", eval_same},
    {"grad.no_grad", eval_same},
    {"grad.start_checkpoint", eval_same},
    {"grad.end_checkpoint", eval_same},
};

// A linear search: a comparison of names costs little beside what an operator does.
bool eval_special(frame *fr, const node *n, value *in, value *out, bool *done) {
    for (size_t i = 0; i < COUNT(special); i++) {
        if (strcmp(special[i].name, n->op->name) != 0) continue;
        *done = special[i].eval(fr, n, in, out);
        return true;
    }
    return false;
}
