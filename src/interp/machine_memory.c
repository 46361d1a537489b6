// machine_memory.c - views of memory, and checked access to their elements.
#include "base/count_noun.h"
#include "base/size.h"
#include "interp/machine.h"
#include <stdlib.h>
#include <string.h>

// --- Making views.

// Dims were computed by the program; a negative one has no memory.
static bool read_shape(machine *m, thread *t, const setup *s, view *v) {
    for (uint32_t i = 0; i < v->rank; i++) {
        v->dim[i] = t->reg[s->dim[i]].i;
        if (v->dim[i] >= 0) continue;
        return machine_fail(m, t, "buffer %s: dimension %u is %lld", s->buf->name, i, (long long)v->dim[i]);
    }
    return true;
}

// Compact strides where none are given. False on overflow.
static bool read_strides(const thread *t, const setup *s, view *v) {
    int64_t step = 1;
    for (uint32_t i = v->rank; i-- > 0;) {
        v->stride[i] = s->stride ? t->reg[s->stride[i]].i : step;
        if (!int_mul(step, v->dim[i] > 0 ? v->dim[i] : 1, &step)) return false;
    }
    return true;
}

// A dim of 0 makes it empty, however large others are.
static bool count_lanes(const view *v, int64_t *out) {
    int64_t count = 1;
    for (uint32_t i = 0; i < v->rank; i++)
        if (v->dim[i] == 0) return *out = 0, true;
    for (uint32_t i = 0; i < v->rank; i++)
        if (!int_mul(count, v->dim[i], &count)) return false;
    return int_mul(count, v->lanes, out);
}

// How many elements fit: what an access is checked against in the end.
static int64_t lanes_in(size_t bytes, dtype type) {
    size_t bits = dtype_bits(type);
    return (int64_t)(bytes < SIZE_MAX / 8 ? bytes * 8 / bits : bytes / ((bits + 7) / 8));
}

static void begin_view(const buffer *b, view *v) {
    unsigned bits = dtype_bits(b->type);
    *v = (view){.buf = b, .kind = b->type.kind, .lanes = (uint16_t)dtype_lanes(b->type), .rank = b->rank};
    v->bytes = bits % 8 ? 0 : (uint8_t)(bits / 8);
}

// A view keeps its memory alive.
static void place(view *v, storage *owner, uint8_t *data, size_t base, size_t bytes) {
    v->owner = storage_retain(owner);
    v->data = data;
    v->base = base;
    v->written = owner ? owner->written : NULL;
    v->room = lanes_in(bytes, dtype_scalar(v->buf->type));
}

// Memory of the user's tensors counts as written; that of the graph's own knows.
static bool over_argument(machine *m, thread *t, const setup *s, view *v) {
    tensor *a = m->arg[s->from].as.tensor;
    storage *owner = storage_of(a);
    (void)t;
    place(v, owner, a->data, owner ? (size_t)((uint8_t *)a->data - owner->data) : 0, a->bytes);
    v->argument = a;
    return true;
}

// Zeros, but unwritten.
static bool over_new(machine *m, thread *t, const setup *s, view *v) {
    int64_t lanes;
    size_t bytes;
    if (!count_lanes(v, &lanes) || !dtype_bytes(dtype_scalar(s->buf->type), lanes, &bytes))
        return machine_fail(m, t, "buffer %s is too large", s->buf->name);
    storage *owner = storage_new(m->r->memory, bytes, !m->r->o->allow_uninitialised);
    if (!owner) return machine_fail(m, t, "buffer %s: no memory for %s", s->buf->name, COUNTED(bytes, "byte"));
    owner->per_thread = s->per_thread;
    place(v, owner, owner->data, 0, bytes);
    storage_release(owner);
    return true;
}

static const view *source_view(machine *m, thread *t, const setup *s) {
    const view *from = t->slot[s->from];
    if (!from) machine_fail(m, t, "buffer %s lies over memory that is not there", s->buf->name);
    return from;
}

// The same bytes as another type and shape; that they suffice is checked per access.
static bool over_other(machine *m, thread *t, const setup *s, view *v) {
    const view *from = source_view(m, t, s);
    if (!from) return false;
    size_t bytes;
    if (!dtype_bytes(dtype_scalar(from->buf->type), from->room, &bytes)) return false;
    place(v, from->owner, from->data, from->base, bytes);
    return true;
}

// A box of another view: its last dims are those of the new one, the others have one element.
static bool over_box(machine *m, thread *t, const setup *s, view *v) {
    const view *from = source_view(m, t, s);
    if (!from) return false;
    if (from->kind != v->kind || from->lanes != v->lanes || v->rank > s->box_rank)
        return machine_fail(m, t, "buffer %s does not fit %s, a box of which it is", s->buf->name, from->buf->name);
    place(v, from->owner, from->data, from->base, 0);
    v->room = from->room;
    v->offset = from->offset;
    for (uint32_t i = 0; i < s->box_rank; i++) {
        int64_t min = t->reg[s->box[i]].i, step, extent = 1;
        uint32_t own = i + v->rank - s->box_rank;
        if (i + v->rank >= s->box_rank) {
            extent = v->dim[own];
            v->stride[own] = from->stride[i];
        }
        if (extent && (min < 0 || extent > from->dim[i] || min > from->dim[i] - extent))
            return machine_fail(m, t, "buffer %s: [%lld, %lld) is outside of dimension %u of %s, which has extent %lld",
                                s->buf->name, (long long)min, (long long)min + (long long)extent, i, from->buf->name,
                                (long long)from->dim[i]);
        if (!int_mul(min, from->stride[i], &step) || !int_add(v->offset, step, &v->offset)) return false;
    }
    return true;
}

static void tell_layout(thread *t, const setup *s, const view *v) {
    for (uint32_t i = 0; i < v->rank; i++)
        if (s->stride_out[i] != NO_REGISTER) t->reg[s->stride_out[i]].i = v->stride[i];
    if (s->offset_out != NO_REGISTER) t->reg[s->offset_out].i = v->offset;
}

// Views of a thread lie in an array by slot, made at the first need.
static view *own_view(machine *m, thread *t, uint32_t slot) {
    if (!t->own) t->own = calloc(m->p->slots, sizeof *t->own);
    if (!t->own) return NULL;
    thread_drop(t, slot);
    return &t->own[slot];
}

// The caller owns the view.
bool machine_fill(machine *m, thread *t, const setup *s, view *v) {
    begin_view(s->buf, v);
    t->slot[s->slot] = v;
    if (!read_shape(m, t, s, v)) return false;
    if (!read_strides(t, s, v)) return machine_fail(m, t, "buffer %s is too large", s->buf->name);
    v->offset = s->offset == NO_REGISTER ? 0 : t->reg[s->offset].i;
    switch (s->how) {
    case SETUP_PARAM: return over_argument(m, t, s, v);
    case SETUP_NEW: return over_new(m, t, s, v);
    case SETUP_OVER: return over_other(m, t, s, v);
    case SETUP_MATCH: break;
    }
    if (!over_box(m, t, s, v)) return false;
    return tell_layout(t, s, v), true;
}

bool machine_setup(machine *m, thread *t, const setup *s) {
    if (s->shared && m->group) return machine_shared(m, t, s);
    view *v = own_view(m, t, s->slot);
    return v ? machine_fill(m, t, s, v) : machine_fail(m, t, "no memory");
}

// --- Access.

static void print_index(const thread *t, const access *a, text *out) {
    text_put_char(out, '[');
    for (uint32_t i = 0; i < a->buf->rank; i++)
        text_format(out, "%s%lld", i ? ", " : "", (long long)t->reg[a->index[i]].i);
    text_put_char(out, ']');
}

// read of A[4]: index 0 is 4, outside of the extent 4
static bool fail_access(machine *m, thread *t, const access *a, uint32_t dim, int64_t extent) {
    text at = TEXT_IN(m->r->mem);
    const char *verb = m->p->code[t->pc].code == CODE_STORE ? "write to" : "read of";
    print_index(t, a, &at);
    if (dim < a->buf->rank)
        return machine_fail(m, t, "%s %s%s: index %u is %lld, outside of the extent %lld", verb, a->buf->name,
                            text_get(&at), dim, (long long)t->reg[a->index[dim]].i, (long long)extent);
    return machine_fail(m, t, "%s %s%s: outside of the memory behind the buffer", verb, a->buf->name, text_get(&at));
}

static bool fail_unwritten(machine *m, thread *t, const access *a) {
    text at = TEXT_IN(m->r->mem);
    print_index(t, a, &at);
    return machine_fail(m, t, "read of %s%s, which was never written", a->buf->name, text_get(&at));
}

// Where an element lies: its number in lanes from view.data. False after reporting.
// Every dim on its own, then the memory: an index that is wrong but lands inside is wrong.
static bool locate(machine *m, thread *t, const access *a, const view **out, int64_t *at) {
    const view *v = *out = t->slot[a->slot];
    if (!v) return machine_fail(m, t, "buffer %s is used outside of its scope", a->buf->name);
    int64_t n = v->offset;
    for (uint32_t i = 0; i < v->rank; i++) {
        int64_t k = t->reg[a->index[i]].i, step;
        if ((uint64_t)k >= (uint64_t)v->dim[i]) return fail_access(m, t, a, i, v->dim[i]);
        if (__builtin_mul_overflow(k, v->stride[i], &step) || __builtin_add_overflow(n, step, &n))
            return fail_access(m, t, a, v->rank, 0);
    }
    if (__builtin_mul_overflow(n, (int64_t)v->lanes, &n) || __builtin_add_overflow(n, (int64_t)a->lane, &n) ||
        (uint64_t)n >= (uint64_t)v->room)
        return fail_access(m, t, a, v->rank, 0);
    return *at = n, true;
}

// Counted from the storage's beginning, as the bits of written bytes are.
static size_t first_byte(const view *v, int64_t at) {
    return v->base + (v->bytes ? (size_t)at * v->bytes : (size_t)at * dtype_bits((dtype){.kind = v->kind}) / 8);
}

// Elements of less than a byte count with the bytes they touch.
static size_t byte_count(const view *v, int64_t at) {
    if (v->bytes) return v->bytes;
    size_t bits = dtype_bits((dtype){.kind = v->kind});
    return ((size_t)at * bits % 8 + bits + 7) / 8;
}

// For the types that have no path of their own in machine_load.
static scalar decode(const view *v, int64_t at) {
    dtype t = {.kind = v->kind};
    uint64_t bits = dtype_load_bits(t, v->data, (size_t)at);
    scalar s;
    if (dtype_is_float(t))
        s.f = dtype_decode_float(t, bits);
    else
        s.i = dtype_family_of(t) == FAMILY_BOOL ? bits != 0 : dtype_wrap(t, (int64_t)bits);
    return s;
}

// float32, int32 and the 64-bit types take the short way; memcpy because views may lie at any byte.
bool machine_load(machine *m, thread *t, const access *a, scalar *out) {
    const view *v;
    int64_t at;
    if (!locate(m, t, a, &v, &at)) return false;
    if (v->written && !storage_has(v->written, first_byte(v, at), byte_count(v, at))) return fail_unwritten(m, t, a);
    if (v->kind == DTYPE_F32) {
        float f;
        memcpy(&f, v->data + at * 4, sizeof f);
        out->f = (double)f;
    } else if (v->kind == DTYPE_I64 || v->kind == DTYPE_F64) {
        memcpy(out, v->data + at * 8, sizeof *out);
    } else if (v->kind == DTYPE_I32) {
        int32_t i;
        memcpy(&i, v->data + at * 4, sizeof i);
        out->i = i;
    } else {
        *out = decode(v, at);
    }
    return true;
}

// Values in registers are rounded or wrapped to the type already.
bool machine_store(machine *m, thread *t, const access *a, scalar s) {
    const view *v;
    int64_t at;
    if (!locate(m, t, a, &v, &at)) return false;
    if (v->written) storage_mark(v->written, first_byte(v, at), byte_count(v, at));
    if (v->kind == DTYPE_F32) {
        float f = (float)s.f;
        memcpy(v->data + at * 4, &f, sizeof f);
    } else {
        dtype type = {.kind = v->kind};
        uint64_t bits = dtype_is_float(type) ? dtype_encode_float(type, s.f) : (uint64_t)s.i;
        dtype_store_bits(type, v->data, (size_t)at, bits);
    }
    return true;
}
