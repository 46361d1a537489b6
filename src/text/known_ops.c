// known_ops.c - descriptors made on the fly for operators of TVM that have none here: they are read and printed, and
// refused by name wherever their meaning is needed.
#include "text/reader.h"
#include <stdlib.h>
#include <string.h>

typedef struct known_op {
    const char *name, *inputs, *attrs, *flags; // lists separated by spaces
} known_op;
static const known_op known_ops[] = {
#define KNOWN_OP(name, inputs, attrs, flags) {name, inputs, attrs, flags},
#include "text/known_ops.def"
};

const char *known_op_name(uint32_t i) { return i < COUNT(known_ops) ? known_ops[i].name : NULL; }

static int by_name(const void *name, const void *row) { return strcmp(name, ((const known_op *)row)->name); }

static const known_op *find_known(const char *name) {
    return bsearch(name, known_ops, COUNT(known_ops), sizeof known_ops[0], by_name);
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

// Its name alone, without "=default".
static const char *bare_name(arena *mem, const char *name) {
    return name ? arena_copy(mem, name, strcspn(name, "=")) : NULL;
}

static bool is_given(const arguments *a, const char *name, uint32_t position) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->key[i] ? strcmp(a->key[i], name) == 0 : i == position) return true;
    return false;
}

static void add_inputs(arena *mem, const known_op *k, op *o) {
    for (uint32_t i = 0; i < OP_MAX_INPUTS; i++) {
        const char *name = bare_name(mem, word(mem, k->inputs, i));
        if (!name) return;
        o->input[i] = (op_input){.name = name, .kind = INPUT_ANY, .doc = "", .optional = true};
    }
}

// The attributes that this call gives; another set of them is another descriptor.
static void add_attrs(arena *mem, const known_op *k, const arguments *a, op *o, text *key) {
    uint32_t len = 0, inputs = op_inputs(o);
    for (uint32_t i = 0; len < OP_MAX_ATTRS; i++) {
        const char *name = bare_name(mem, word(mem, k->attrs, i));
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

// --- What the Python functions of TVM do to their arguments before the operator is called.
typedef struct python_call {
    reader *r;
    const known_op *k;
    arguments *a;
    VEC(value) value;
    VEC(const char *) key;
} python_call;

static uint32_t count_words(const char *list) {
    uint32_t count = 0;
    for (list += strspn(list, " "); *list; list += strspn(list, " ")) {
        list += strcspn(list, " ");
        count++;
    }
    return count;
}

// Arguments behind the inputs get the names of the attributes they are.
static void copy_arguments(python_call *c, uint32_t inputs, bool variadic) {
    for (uint32_t i = 0; i < c->a->count; i++) {
        const char *key = c->a->key[i];
        if (!key && !variadic && i >= inputs)
            key = bare_name(c->r->scratch, word(c->r->scratch, c->k->attrs, i - inputs));
        VEC_PUSH(c->r->scratch, &c->value, c->a->value[i]);
        VEC_PUSH(c->r->scratch, &c->key, key);
    }
}

static const value *find_argument(const python_call *c, const char *name, uint32_t position) {
    for (uint32_t i = 0; i < c->a->count; i++)
        if (c->a->key[i] ? strcmp(c->a->key[i], name) == 0 : i == position) return &c->a->value[i];
    return NULL;
}

static bool default_value(const python_call *c, const char *spec, value *out) {
    loc at = c->a->at;
    if (*spec == '\'') {
        *out = value_text(at, spec + 1, strcspn(spec + 1, "'"));
    } else if (*spec >= '0' && *spec <= '9') {
        *out = value_int(at, *spec - '0');
    } else {
        const value *other = find_argument(c, spec, 0);
        if (!other) return false;
        *out = *other;
    }
    return true;
}

// For the words of `list`, the first of which is argument `first`.
static void add_defaults(python_call *c, const char *list, uint32_t first) {
    if (!strchr(list, '=')) return;
    for (uint32_t i = 0;; i++) {
        const char *spec = word(c->r->scratch, list, i), *name = bare_name(c->r->scratch, spec);
        value v;
        if (!spec) return;
        if (!spec[strlen(name)] || find_argument(c, name, first + i)) continue;
        if (!default_value(c, spec + strlen(name) + 1, &v)) continue;
        VEC_PUSH(c->r->scratch, &c->value, v);
        VEC_PUSH(c->r->scratch, &c->key, name);
    }
}

static bool is_whole(const value *v) {
    if (v->kind == VAL_NODE && v->as.n->op == &op_prim) return dtype_is_int(v->as.n->as.value->type);
    return v->kind == VAL_INT || (v->kind == VAL_EXPR && dtype_is_int(v->as.e->type));
}

// arange(end) is arange(0, end), and its dtype follows from its numbers.
static void complete_range(python_call *c) {
    if (strcmp(c->k->name, "arange") != 0 || !c->a->count) return;
    bool alone = !c->a->key[0] && !find_argument(c, "end", 1), whole = true;
    for (uint32_t i = 0; i < c->a->count; i++) whole = whole && is_whole(&c->a->value[i]);
    if (alone) {
        VEC_PUSH(c->r->scratch, &c->value, c->value.at[0]);
        VEC_PUSH(c->r->scratch, &c->key, "end");
        c->value.at[0] = value_int(c->a->at, 0);
    }
    for (uint32_t i = 0; i < c->key.len; i++)
        if (c->key.at[i] && strcmp(c->key.at[i], "dtype") == 0) return;
    const char *type = whole ? "int64" : "float32";
    VEC_PUSH(c->r->scratch, &c->value, value_text(c->a->at, type, strlen(type)));
    VEC_PUSH(c->r->scratch, &c->key, "dtype");
}

static void set_argument(python_call *c, const value *old, const char *name, value now) {
    if (old) {
        c->value.at[old - c->a->value] = now;
        return;
    }
    VEC_PUSH(c->r->scratch, &c->value, now);
    VEC_PUSH(c->r->scratch, &c->key, name);
}

// memory.view(x, dtype="int32"): what is left out before something given is R.tuple(), and the dtype may be a string.
static void complete_view(python_call *c) {
    static const char *const name[] = {"data", "shape", "dtype", "relative_byte_offset"};
    enum { DTYPE = 2 };
    bool later = false;
    if (strcmp(c->k->name, "memory.view") != 0) return;
    for (uint32_t i = COUNT(name); i-- > 1;) {
        const value *v = find_argument(c, name[i], i);
        bool given = v && v->kind != VAL_NONE;
        dtype type;
        if (given && i == DTYPE && v->kind == VAL_STRING && to_dtype(c->r, v, &type, "R.memory.view: 'dtype'"))
            set_argument(c, v, name[i], value_node(v->at, build_dtype(c->r->b, type)));
        if (!given && (v || later))
            set_argument(c, v, name[i], value_node(c->a->at, build_tuple(c->r->b, NULL, NULL, 0)));
        later = later || given;
    }
}

void python_arguments(reader *r, const char *name, arguments *a) {
    python_call c = {.r = r, .k = find_known(name), .a = a};
    if (!c.k) return;
    copy_arguments(&c, count_words(c.k->inputs), strchr(c.k->flags, 'V') != NULL);
    complete_range(&c);
    complete_view(&c);
    add_defaults(&c, c.k->inputs, 0);
    add_defaults(&c, c.k->attrs, count_words(c.k->inputs));
    a->value = c.value.at;
    a->key = c.key.at;
    a->count = c.value.len;
    a->used = ARENA_NEW(r->scratch, bool, a->count);
}
