// key.c - keys of values, by identity.
#include "pass/key.h"

// Addresses are unique for the life of the arena, which is all that is needed here.
static void put_pointer(text *out, const void *p) { text_format(out, "%llx.", (unsigned long long)(uintptr_t)p); }

// Dims by identity: canonically equal ones that were written differently make different keys, which is only cautious.
static void key_ann(text *out, const ann *a) {
    text_format(out, "<%d:%d.%d:%d:", a->kind, a->type.kind, dtype_lanes(a->type), a->rank);
    for (int32_t i = 0; a->dim && i < a->rank; i++) put_pointer(out, a->dim[i]);
    if (a->shape) put_pointer(out, a->shape);
    if (a->value) put_pointer(out, a->value);
    if (a->device) text_put(out, a->device);
    for (uint32_t i = 0; i < a->count; i++) key_ann(out, a->field[i]);
    if (a->result) key_ann(out, a->result);
    text_put_char(out, '>');
}

static void key_constant(text *out, const tensor *t) {
    enum { SMALL = 1024 }; // larger ones are equal only to themselves
    size_t bytes = t->bytes;
    text_format(out, "c%d:%u:", t->type.kind, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) text_format(out, "%lld,", (long long)t->dim[i]);
    if (bytes > SMALL) {
        put_pointer(out, t);
        return;
    }
    for (size_t i = 0; i < bytes; i++) text_format(out, "%02x", ((const unsigned char *)t->data)[i]);
}

static const node *look(const map *m, const node *n) { return m ? map_find(m, MAP_KEY(n)) : NULL; }

// The last of a chain of stand-ins: two bindings are equal when their operands come down to the same.
static const node *stand_in(stand_ins by, const node *n) {
    for (const node *next;; n = next) {
        next = look(by.same, n);
        if (!next) next = look(by.local, n);
        if (!next) return n;
    }
}

// Nothing is said of effects, new memory and closures: they are equal to nothing, not even to themselves.
static bool key_leaf(text *out, const node *n, stand_ins by);

// Variables count by identity, what is written in place by what it is.
static bool key_operands(text *out, const node *n, stand_ins by) {
    for (uint32_t i = 0; i < n->count; i++) {
        const node *in = stand_in(by, n->in[i]);
        if (in->name || in->op->form == FORM_PARAM)
            put_pointer(out, in);
        else if (!key_leaf(out, in, by))
            return false;
    }
    return true;
}

// What a leaf is, besides its operands.
static void key_own(text *out, const node *n) {
    switch (n->op->form) {
    case FORM_CONSTANT: key_constant(out, n->as.constant); return;
    case FORM_PRIM: put_pointer(out, n->as.value); return;
    case FORM_SHAPE:
        for (uint32_t i = 0; i < n->as.shape.rank; i++) put_pointer(out, n->as.shape.dim[i]);
        return;
    case FORM_STRING:
    case FORM_GLOBAL:
    case FORM_EXTERN: text_put_quoted(out, n->as.text.bytes, n->as.text.size); return;
    case FORM_DTYPE: text_format(out, "%d.%u", n->as.type.kind, dtype_lanes(n->as.type)); return;
    case FORM_ITEM: text_format(out, "[%u]", n->as.index); return;
    case FORM_OPERATOR:
    case FORM_PARAM:
    case FORM_TUPLE:
    case FORM_CLOSURE:
    case FORM_CALL:
    case FORM_IF:
    case FORM_MATCH_CAST:
    case FORM_BIND: return;
    }
}

// Expressions count by identity: two variables may print alike.
static void key_attr(text *out, const attr *a) {
    if (a->kind == ATTR_EXPR)
        put_pointer(out, a->as.e);
    else if (a->kind != ATTR_LIST && a->kind != ATTR_DICT)
        attr_print(out, a, NULL);
    text_format(out, "{%d:", a->kind);
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->kind == ATTR_DICT) text_format(out, "%s:", a->key[i]);
        key_attr(out, a->list[i]);
    }
    text_put_char(out, '}');
}

// In the order of the descriptor, so that positions needn't be written.
static void key_attrs(text *out, const node *n) {
    for (uint32_t i = 0; n->attr && i < op_attrs(n->op); i++) key_attr(out, n->attr[i]);
}

static bool key_leaf(text *out, const node *n, stand_ins by) {
    if (n->op->form == FORM_IF || n->op->form == FORM_CLOSURE || n->op->form == FORM_PARAM) return false;
    if (n->op->fresh || has_effect(n)) return false;
    put_pointer(out, n->op);
    text_put_char(out, '(');
    key_own(out, n);
    bool known = key_operands(out, n, by);
    text_put_char(out, ')');
    return known;
}

// The annotation is left out: equal operands and attributes make equal ones.
bool key_node(text *out, const node *n, stand_ins by) {
    if (!key_leaf(out, n, by)) return false;
    key_attrs(out, n);
    for (uint32_t i = 0; i < n->type_args; i++) key_ann(out, n->type_arg[i]);
    if (n->written) key_ann(out, n->written);
    return true;
}
