// known_ops.c - descriptors made on the fly for operators of TVM that have none here: they are read and printed, and
// refused by name wherever their meaning is needed.
#include "text/reader.h"
#include <string.h>

typedef struct known_op {
    const char *name, *inputs, *attrs, *flags; // lists separated by spaces
} known_op;
static const known_op known_ops[] = {
#define KNOWN_OP(name, inputs, attrs, flags) {name, inputs, attrs, flags},
#include "text/known_ops.def"
};

const char *known_op_name(uint32_t i) { return i < COUNT(known_ops) ? known_ops[i].name : NULL; }

static const known_op *find_known(const char *name) {
    for (size_t i = 0; i < COUNT(known_ops); i++)
        if (strcmp(known_ops[i].name, name) == 0) return &known_ops[i];
    return NULL;
}

// What the text states; else any object.
static const ann *infer_written(infer_ctx *c, const node *n) {
    (void)c;
    if (n->type_args == 1) return n->type_arg[0];
    return n->written ? n->written : ann_object();
}

// The i-th word of a list, copied; NULL behind its end.
static const char *word(arena *mem, const char *list, uint32_t i) {
    for (;; i--) {
        list += strspn(list, " ");
        size_t size = strcspn(list, " ");
        if (!size) return NULL;
        if (!i) return arena_copy(mem, list, size);
        list += size;
    }
}

static bool is_given(const arguments *a, const char *name, uint32_t position) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->key[i] ? strcmp(a->key[i], name) == 0 : i == position) return true;
    return false;
}

static void add_inputs(arena *mem, const known_op *k, op *o) {
    for (uint32_t i = 0; i < OP_MAX_INPUTS; i++) {
        const char *name = word(mem, k->inputs, i);
        if (!name) return;
        o->input[i] = (op_input){.name = name, .kind = INPUT_ANY, .doc = "", .optional = true};
    }
}

// The attributes that this call gives; another set of them is another descriptor.
static void add_attrs(arena *mem, const known_op *k, const arguments *a, op *o, text *key) {
    uint32_t len = 0, inputs = op_inputs(o);
    for (uint32_t i = 0; len < OP_MAX_ATTRS; i++) {
        const char *name = word(mem, k->attrs, i);
        if (!name) return;
        if (!is_given(a, name, o->variadic ? UINT32_MAX : inputs + i)) continue;
        o->attr[len++] = (op_attr){.name = name, .kind = OPATTR_ANY, .doc = "", .positional = !o->variadic};
        text_format(key, " %s", name);
    }
}

const op *generic_op(reader *r, const char *name, const arguments *a) {
    const known_op *k = find_known(name);
    if (!k) return NULL;
    op *o = ARENA_NEW(r->mem, op, 1);
    *o = (op){
        .name = k->name, .doc = "An operator of TVM without a meaning here.", .infer = infer_written, .refused = true};
    o->impure = strchr(k->flags, 'I') != NULL;
    o->variadic = strchr(k->flags, 'V') != NULL;
    o->type_args = strchr(k->flags, 'T') ? 1 : 0;
    text key = TEXT_IN(r->scratch);
    text_put(&key, name);
    add_inputs(r->mem, k, o);
    add_attrs(r->mem, k, a, o, &key);
    const op *old = text_map_find(&r->known, text_get(&key));
    if (old) return old;
    text_map_put(&r->known, text_get(&key), o);
    return o;
}
