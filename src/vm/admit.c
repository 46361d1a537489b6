// admit.c - scalars among arguments: each counts as its value, whatever its dtype; integers in a tuple are a shape.
#include "vm/context.h"

enum { DEEPEST = 16 }; // tuples inside one another that are looked into

// The value of a scalar in another dtype; false: it has none there.
static bool convert_scalar(dtype from, int64_t bits, dtype to, int64_t *out) {
    bool real = dtype_is_float(from);
    if (dtype_is_float(to) && dtype_family_of(from) != FAMILY_BOOL) {
        double d = real ? dtype_decode_float(from, (uint64_t)bits) : vm_int_as_double(from, bits);
        return *out = (int64_t)dtype_encode_float(to, d), true;
    }
    if (real || !dtype_is_int(to) || !dtype_is_int(from)) return false; // a bool is no number, and the other way
    bool large = from.kind == DTYPE_U64 && bits < 0;
    if (to.kind == DTYPE_U64 ? bits < 0 : large || dtype_wrap(to, bits) != bits) return false;
    return *out = bits, true;
}

// A scalar counts as its value where the signature wants one of another dtype, or a tensor without dims. What has no
// such value stays: the check says what is wrong.
static rx_status admit_scalar(rx_context *c, const exec_annotation *a, vm_value *v) {
    dtype own = prim_dtype(v), want = a->type.kind ? a->type : own;
    bool is_tensor = a->kind == ANNOTATION_TENSOR && a->rank <= 0;
    int64_t bits = v->bits;
    if (!is_tensor && a->kind != ANNOTATION_PRIM) return RX_OK;
    if (!dtype_equal(own, want) && !convert_scalar(own, v->bits, want, &bits)) return RX_OK;
    if (!is_tensor) return *v = prim_value(want, bits), RX_OK;
    RX_TRY(vm_new_tensor(c, want, 0, NULL, v));
    dtype_store_bits(want, tensor_object(v)->t.data, 0, (uint64_t)bits);
    return RX_OK;
}

static rx_status admit(rx_context *c, uint32_t annotation, vm_value *v, uint32_t depth);

// A tuple never changes: the first item that does makes a copy of it.
static rx_status admit_items(rx_context *c, const exec_annotation *a, vm_value *v, uint32_t depth) {
    const vm_tuple *from = (const vm_tuple *)v->obj;
    vm_tuple *copy = NULL;
    for (uint32_t i = 0; i < from->count; i++) {
        if (from->item[i].kind != VM_PRIM && from->item[i].kind != VM_TUPLE) continue;
        vm_value item = value_retain(from->item[i]);
        rx_status status = admit(c, a->field[i], &item, depth + 1);
        bool same = item.kind == from->item[i].kind && item.bits == from->item[i].bits &&
                    (item.kind != VM_PRIM || dtype_equal(prim_dtype(&item), prim_dtype(&from->item[i])));
        if (status == RX_OK && !same && !copy) {
            copy = tuple_new(c->heap, NULL, VM_TUPLE, from->count);
            for (uint32_t k = 0; copy && k < from->count; k++) copy->item[k] = value_retain(from->item[k]);
            if (!copy) status = vm_no_memory(c);
        }
        if (status != RX_OK || same) value_release(c->heap, &item);
        if (status != RX_OK) {
            if (copy) object_release(c->heap, &copy->head);
            return status;
        }
        if (same) continue;
        value_release(c->heap, &copy->item[i]);
        copy->item[i] = item;
    }
    if (!copy) return RX_OK;
    value_release(c->heap, v);
    *v = value_of(&copy->head);
    return RX_OK;
}

// As languages without a kind of their own for shapes write them: (3, 4).
static rx_status admit_shape(rx_context *c, vm_value *v) {
    const vm_tuple *t = (const vm_tuple *)v->obj;
    int64_t dim[TENSOR_MAX_RANK];
    if (t->count > TENSOR_MAX_RANK) return RX_OK;
    for (uint32_t i = 0; i < t->count; i++) {
        const vm_value *item = &t->item[i];
        if (item->kind != VM_PRIM || !convert_scalar(prim_dtype(item), item->bits, DTYPE_OF(I64), &dim[i]) ||
            dim[i] < 0)
            return RX_OK;
    }
    vm_shape *s = shape_new(c->heap, NULL, t->count, dim);
    if (!s) return vm_no_memory(c);
    value_release(c->heap, v);
    *v = value_of(&s->head);
    return RX_OK;
}

static rx_status admit(rx_context *c, uint32_t annotation, vm_value *v, uint32_t depth) {
    const exec_annotation *a = &c->exe->annotation[annotation];
    if (v->kind == VM_PRIM) return admit_scalar(c, a, v);
    if (v->kind == VM_TUPLE && a->kind == ANNOTATION_SHAPE) return admit_shape(c, v);
    bool fits = v->kind == VM_TUPLE && a->kind == ANNOTATION_TUPLE && depth < DEEPEST &&
                a->fields == ((const vm_tuple *)v->obj)->count;
    return fits ? admit_items(c, a, v, depth) : RX_OK;
}

rx_status vm_admit(rx_context *c, uint32_t annotation, vm_value *v) { return admit(c, annotation, v, 0); }
