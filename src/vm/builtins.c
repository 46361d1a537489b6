// builtins.c - builtins on the VM's values.
#include "vm/builtins.h"
#include "base/count_noun.h"
#include "base/size.h"
#include "tensor/shape.h"
#include "vm/context.h"
#include "vm/instructions.h"
#include <inttypes.h>
#include <string.h>

static rx_status want_kind(rx_context *c, const char *name, const vm_value *v, unsigned kind) {
    if (v->kind == kind) return RX_OK;
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: got %s, want %s", here(c), name, kind_name(v->kind),
                   kind_name(kind));
}

// ---- shapes ----

// The dims are copied: the shape lives on without the tensor.
static rx_status shape_of(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.shape_of", arg[0], VM_TENSOR));
    const tensor *t = &tensor_object(arg[0])->t;
    vm_shape *s = shape_new(c->heap, NULL, t->rank, t->dim);
    if (!s) return vm_no_memory(c);
    *out = value_of(&s->head);
    return RX_OK;
}

static rx_status tensor_to_shape(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_to_shape", arg[0], VM_TENSOR));
    const tensor *t = &tensor_object(arg[0])->t;
    if (t->rank != 1 || dtype_is_float(t->type) || t->dim[0] > TENSOR_MAX_RANK)
        return vm_fail(c, RX_SHAPE_MISMATCH, "%s: vm.tensor_to_shape: want a vector of at most %d integers", here(c),
                       TENSOR_MAX_RANK);
    vm_shape *s = shape_new(c->heap, NULL, (uint32_t)t->dim[0], NULL);
    if (!s) return vm_no_memory(c);
    for (uint32_t i = 0; i < s->rank; i++) s->dim[i] = tensor_get_int(t, i);
    *out = value_of(&s->head);
    return RX_OK;
}

static rx_status shape_to_tensor(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.shape_to_tensor", arg[0], VM_SHAPE));
    const vm_shape *s = (const vm_shape *)arg[0]->obj;
    int64_t rank = s->rank;
    RX_TRY(vm_new_tensor(c, DTYPE_OF(I64), 1, &rank, out));
    if (rank) memcpy(tensor_object(out)->t.data, s->dim, (size_t)rank * sizeof *s->dim);
    return RX_OK;
}

// One dim may be -1: what the others leave. `dim` stays as it is where they leave nothing whole.
static void fill_open_dim(int64_t elements, uint32_t rank, int64_t *dim) {
    int64_t *open = NULL, others;
    for (uint32_t i = 0; i < rank && !open; i++)
        if (dim[i] == -1) open = &dim[i];
    if (!open) return;
    *open = 1;
    bool whole = shape_count(rank, dim, &others) && others && elements % others == 0;
    *open = whole ? elements / others : -1;
}

static rx_status reshape(rx_context *c, const vm_value *const *arg, vm_value *out) {
    int64_t dim[TENSOR_MAX_RANK];
    RX_TRY(want_kind(c, "vm.reshape", arg[0], VM_TENSOR));
    RX_TRY(want_kind(c, "vm.reshape", arg[1], VM_SHAPE));
    const vm_shape *s = (const vm_shape *)arg[1]->obj;
    if (s->rank) memcpy(dim, s->dim, s->rank * sizeof *dim);
    fill_open_dim(tensor_count(&tensor_object(arg[0])->t), s->rank, dim);
    return vm_reshape(c, tensor_object(arg[0]), s->rank, dim, out);
}

static rx_status new_tensor(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.new_tensor", arg[0], VM_SHAPE));
    RX_TRY(want_kind(c, "vm.new_tensor", arg[1], VM_PRIM)); // a scalar of the wanted dtype
    const vm_shape *s = (const vm_shape *)arg[0]->obj;
    return vm_new_tensor(c, prim_dtype(arg[1]), s->rank, s->dim, out);
}

// ---- fields of a tensor ----

static rx_status tensor_dtype_code(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_dtype_code", arg[0], VM_TENSOR));
    *out = prim_value(DTYPE_OF(U8), dtype_dlpack_code(tensor_object(arg[0])->t.type));
    return RX_OK;
}

static rx_status tensor_dtype_bits(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_dtype_bits", arg[0], VM_TENSOR));
    *out = prim_value(DTYPE_OF(U8), dtype_bits(tensor_object(arg[0])->t.type));
    return RX_OK;
}

static rx_status tensor_dtype_lanes(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_dtype_lanes", arg[0], VM_TENSOR));
    *out = prim_value(DTYPE_OF(U16), dtype_lanes(tensor_object(arg[0])->t.type));
    return RX_OK;
}

static rx_status tensor_ndim(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_ndim", arg[0], VM_TENSOR));
    *out = prim_value(DTYPE_OF(I32), tensor_object(arg[0])->t.rank);
    return RX_OK;
}

// Which dim; negative ones do not count from the end.
static rx_status want_axis(rx_context *c, const char *name, const vm_value *const *arg, uint32_t *axis) {
    RX_TRY(want_kind(c, name, arg[0], VM_TENSOR));
    RX_TRY(want_kind(c, name, arg[1], VM_PRIM));
    int64_t at = arg[1]->bits;
    uint32_t rank = tensor_object(arg[0])->t.rank;
    if (at < 0 || at >= rank)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: axis %" PRId64 " is out of range for %s", here(c), name, at,
                       COUNTED(rank, "dim"));
    *axis = (uint32_t)at;
    return RX_OK;
}

static rx_status tensor_shape_i(rx_context *c, const vm_value *const *arg, vm_value *out) {
    uint32_t axis;
    RX_TRY(want_axis(c, "vm.tensor_shape_i", arg, &axis));
    *out = prim_value(DTYPE_OF(I64), tensor_object(arg[0])->t.dim[axis]);
    return RX_OK;
}

// Tensors are compact: the elements behind one index are those of the dims after it.
static rx_status tensor_stride_i(rx_context *c, const vm_value *const *arg, vm_value *out) {
    uint32_t axis;
    RX_TRY(want_axis(c, "vm.tensor_stride_i", arg, &axis));
    const tensor *t = &tensor_object(arg[0])->t;
    int64_t stride = 1;
    for (uint32_t i = t->rank; i-- > axis + 1;) stride *= t->dim[i];
    *out = prim_value(DTYPE_OF(I64), stride);
    return RX_OK;
}

// Elements lie at the start of their memory, as a program sees it.
static rx_status tensor_offset(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_offset", arg[0], VM_TENSOR));
    *out = prim_value(DTYPE_OF(I64), 0);
    return RX_OK;
}

// ---- scalars ----

static rx_status tensor_to_scalar(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.tensor_to_scalar", arg[0], VM_TENSOR));
    const tensor *t = &tensor_object(arg[0])->t;
    if (tensor_count(t) != 1)
        return vm_fail(c, RX_SHAPE_MISMATCH, "%s: vm.tensor_to_scalar: %s, want one", here(c),
                       COUNTED(tensor_count(t), "element"));
    int64_t bits;
    if (dtype_is_float(t->type))
        bits = (int64_t)dtype_load_bits(t->type, t->data, 0);
    else
        bits = tensor_get_int(t, 0);
    *out = prim_value(t->type, bits);
    return RX_OK;
}

static rx_status scalar_to_tensor(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.scalar_to_tensor", arg[0], VM_PRIM));
    RX_TRY(vm_new_tensor(c, prim_dtype(arg[0]), 0, NULL, out));
    dtype_store_bits(prim_dtype(arg[0]), tensor_object(out)->t.data, 0, (uint64_t)arg[0]->bits);
    return RX_OK;
}

static rx_status copy_tensor(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.copy_tensor", arg[0], VM_TENSOR));
    const tensor *t = &tensor_object(arg[0])->t;
    RX_TRY(vm_new_tensor(c, t->type, t->rank, t->dim, out));
    if (t->bytes) memcpy(tensor_object(out)->t.data, t->data, t->bytes);
    return RX_OK;
}

// ---- lists ----

// Lists are the one value that changes; they stay with the thread of their context.
static rx_status list_new(rx_context *c, const vm_value *const *arg, vm_value *out) {
    (void)arg;
    vm_list *l = (vm_list *)object_new(c->heap, NULL, VM_LIST, sizeof *l);
    if (!l) return vm_no_memory(c);
    l->count = l->room = 0;
    l->items = NULL;
    *out = value_of(&l->head);
    return RX_OK;
}

// Doubles the room of a list; the items move, their references with them.
static rx_status list_grow(rx_context *c, vm_list *l) {
    uint32_t room = l->room ? l->room * 2 : 4;
    vm_tuple *bigger = room > l->room && room <= UINT32_MAX / 32 ? tuple_new(c->heap, NULL, VM_TUPLE, room) : NULL;
    if (!bigger) return vm_no_memory(c);
    if (l->items) {
        memcpy(bigger->item, l->items->item, l->count * sizeof *bigger->item);
        l->items->count = 0;
        object_release(c->heap, &l->items->head);
    }
    l->items = bigger;
    l->room = room;
    return RX_OK;
}

// What a list may hold: nothing that could lead back to a list, so that reference counts suffice.
static bool can_be_listed(const vm_value *v) {
    if (v->kind == VM_LIST || v->kind == VM_CLOSURE) return false;
    if (v->kind != VM_TUPLE) return true;
    const vm_tuple *t = (const vm_tuple *)v->obj;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->item[i].kind >= VM_TUPLE) return false;
    return true;
}

static rx_status check_item(rx_context *c, const char *name, const vm_value *v) {
    if (can_be_listed(v)) return RX_OK;
    return vm_fail(c, RX_UNSUPPORTED, "%s: %s: a list can't hold lists, functions or nested tuples", here(c), name);
}

static rx_status list_push(rx_context *c, const vm_value *const *arg, vm_value *out) {
    (void)out;
    RX_TRY(want_kind(c, "vm.list_push", arg[0], VM_LIST));
    vm_list *l = (vm_list *)arg[0]->obj;
    RX_TRY(check_item(c, "vm.list_push", arg[1]));
    if (l->count == l->room) RX_TRY(list_grow(c, l));
    l->items->item[l->count++] = value_retain(*arg[1]);
    return RX_OK;
}

// The item an index argument names; NULL after a failure.
static vm_value *list_item(rx_context *c, const vm_value *const *arg, const char *name) {
    if (want_kind(c, name, arg[0], VM_LIST) != RX_OK || want_kind(c, name, arg[1], VM_PRIM) != RX_OK) return NULL;
    vm_list *l = (vm_list *)arg[0]->obj;
    if (arg[1]->bits >= 0 && arg[1]->bits < l->count) return &l->items->item[arg[1]->bits];
    vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: index %" PRId64 " of a list of %u", here(c), name, arg[1]->bits, l->count);
    return NULL;
}

static rx_status list_get(rx_context *c, const vm_value *const *arg, vm_value *out) {
    const vm_value *item = list_item(c, arg, "vm.list_get");
    if (!item) return RX_INVALID_ARGUMENT;
    *out = value_retain(*item);
    return RX_OK;
}

static rx_status list_set(rx_context *c, const vm_value *const *arg, vm_value *out) {
    (void)out;
    vm_value *item = list_item(c, arg, "vm.list_set");
    if (!item) return RX_INVALID_ARGUMENT;
    RX_TRY(check_item(c, "vm.list_set", arg[2]));
    vm_value v = value_retain(*arg[2]);
    value_release(c->heap, item);
    *item = v;
    return RX_OK;
}

static rx_status list_count(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.list_count", arg[0], VM_LIST));
    *out = prim_value(DTYPE_OF(I64), ((const vm_list *)arg[0]->obj)->count);
    return RX_OK;
}

static rx_status list_to_tuple(rx_context *c, const vm_value *const *arg, vm_value *out) {
    RX_TRY(want_kind(c, "vm.list_to_tuple", arg[0], VM_LIST));
    const vm_list *l = (const vm_list *)arg[0]->obj;
    vm_tuple *t = tuple_new(c->heap, NULL, VM_TUPLE, l->count);
    if (!t) return vm_no_memory(c);
    for (uint32_t i = 0; i < l->count; i++) t->item[i] = value_retain(l->items->item[i]);
    *out = value_of(&t->head);
    return RX_OK;
}

// Name, version, number of arguments. A name is never used again for something else: files refer to it.
static const vm_builtin known[] = {
    {"vm.shape_of", 1, 1, shape_of, "the dims of a tensor as a shape"},
    {"vm.tensor_to_shape", 1, 1, tensor_to_shape, "a shape from a tensor of integers with one dim"},
    {"vm.shape_to_tensor", 1, 1, shape_to_tensor, "the dims of a shape as an int64 tensor"},
    {"vm.reshape", 1, 2, reshape,
     "the elements of a tensor under the dims of a shape, of which one may be -1; their number must not change"},
    {"vm.new_tensor", 1, 2, new_tensor, "a tensor of this shape and of the scalar's dtype; its elements are undefined"},
    {"vm.tensor_dtype_code", 1, 1, tensor_dtype_code, "DLPack's code of a tensor's dtype, a uint8"},
    {"vm.tensor_dtype_bits", 1, 1, tensor_dtype_bits, "bits of an element, a uint8"},
    {"vm.tensor_dtype_lanes", 1, 1, tensor_dtype_lanes, "lanes of an element, a uint16"},
    {"vm.tensor_ndim", 1, 1, tensor_ndim, "the number of dims, an int32"},
    {"vm.tensor_shape_i", 1, 2, tensor_shape_i, "one dim of a tensor, an int64"},
    {"vm.tensor_stride_i", 1, 2, tensor_stride_i, "elements from one index of a dim to the next, an int64"},
    {"vm.tensor_offset", 1, 1, tensor_offset, "where the elements begin: the int64 0"},
    {"vm.tensor_to_scalar", 1, 1, tensor_to_scalar, "the only element of a tensor"},
    {"vm.scalar_to_tensor", 1, 1, scalar_to_tensor, "a tensor without dims that holds a scalar"},
    {"vm.copy_tensor", 1, 1, copy_tensor, "a tensor with its own copy of the elements"},
    {"vm.list_new", 1, 0, list_new, "an empty list"},
    {"vm.list_push", 1, 2, list_push, "appends a value to a list"},
    {"vm.list_get", 1, 2, list_get, "the item of a list at an index from 0"},
    {"vm.list_set", 1, 3, list_set, "replaces the item of a list at an index"},
    {"vm.list_count", 1, 1, list_count, "the number of items, an int64"},
    {"vm.list_to_tuple", 1, 1, list_to_tuple, "the items of a list as a tuple"},
    {"vm.print", 1, 2, vm_print, "a line on stderr: a format whose {} are the values of a tuple"},
    {"vm.assert", 1, 3, vm_assert, "fails unless the condition holds, with a format and the tuple of its values"},
};

const vm_builtin *vm_builtin_find(const char *name) {
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i].name, name) == 0) return &known[i];
    return NULL;
}
