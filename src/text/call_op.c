// call_op.c - binds the arguments of R.name(...) to the operator's tables of inputs and attributes.
#include "base/count_noun.h"
#include "base/suggest.h"
#include "text/reader.h"
#include <string.h>

typedef struct binding_state {
    reader *r;
    const op *o;
    arguments *a;
    VEC(const node *) in;
    uint32_t next; // the next argument by position
    const attr **attr;
    call_parts parts;
} binding_state;

static const value *next_argument(binding_state *s, const char *name) {
    const value *v = arg_at(s->a, s->next, NULL);
    if (v) return s->next++, v;
    return arg_named(s->a, name);
}

static bool is_dims(const value *v) {
    if ((v->kind != VAL_TUPLE && v->kind != VAL_LIST) || !v->as.list.count) return false;
    for (uint32_t i = 0; i < v->as.list.count; i++)
        if (v->as.list.at[i].kind != VAL_INT && v->as.list.at[i].kind != VAL_EXPR) return false;
    return true;
}

static bool add_input(binding_state *s, const value *v, const op_input *row) {
    const char *what = arena_format(s->r->scratch, "%s: '%s'", s->a->callee, row->name);
    op_input_kind kind = row->kind;
    if (kind == INPUT_TENSORS && v->kind == VAL_LIST) kind = INPUT_ANY;
    if (s->o->refused && is_dims(v)) kind = INPUT_SHAPE;
    const node *n = to_node(s->r, v, kind, what);
    if (!n) return false;
    VEC_PUSH(s->r->scratch, &s->in, n);
    return true;
}

// A name that neither table has, with the nearest one that it has.
static bool refuse_key(binding_state *s, uint32_t i) {
    VEC(const char *) known = {0};
    for (uint32_t k = 0; k < op_inputs(s->o); k++) VEC_PUSH(s->r->scratch, &known, s->o->input[k].name);
    for (uint32_t k = 0; k < op_attrs(s->o); k++) VEC_PUSH(s->r->scratch, &known, s->o->attr[k].name);
    const char *near = text_nearest(s->a->key[i], known.at, known.len);
    return diag_error(s->r->d, s->a->value[i].at, "%s: has no argument '%s'%s", s->a->callee, s->a->key[i],
                      text_suggest(s->r->scratch, near, "'", "'"));
}

static bool known_keys(binding_state *s) {
    for (uint32_t i = 0; i < s->a->count; i++)
        if (!s->a->used[i] && s->a->key[i]) return refuse_key(s, i);
    return true;
}

static bool has_row(const op *o, const char *name) {
    for (uint32_t i = 0; i < op_inputs(o); i++)
        if (strcmp(o->input[i].name, name) == 0) return true;
    return op_attr_row(o, name) < op_attrs(o);
}

// An argument that is missing may be there under a wrong name: then that is what to say.
static bool refuse_missing(binding_state *s, const char *name) {
    for (uint32_t i = 0; i < s->a->count && !s->o->type_args; i++)
        if (!s->a->used[i] && s->a->key[i] && !has_row(s->o, s->a->key[i])) return refuse_key(s, i);
    return diag_error(s->r->d, s->a->at, "%s: argument '%s' is missing", s->a->callee, name);
}

static bool bind_inputs(binding_state *s) {
    uint32_t rows = op_inputs(s->o);
    for (uint32_t i = 0; i < rows; i++) {
        const op_input *row = &s->o->input[i];
        bool repeats = s->o->variadic && i + 1 == rows;
        const value *v = next_argument(s, row->name);
        if (v && v->kind == VAL_NONE && row->optional) v = NULL;
        if (!v && (repeats || row->optional)) break;
        if (!v) return refuse_missing(s, row->name);
        do {
            if (!add_input(s, v, row)) return false;
        } while (repeats && (v = arg_at(s->a, s->next, NULL)) && ++s->next);
    }
    return true;
}

static bool bind_attrs(binding_state *s) {
    uint32_t rows = op_attrs(s->o);
    s->attr = ARENA_NEW(s->r->scratch, const attr *, rows);
    for (uint32_t i = 0; i < rows; i++) {
        const op_attr *row = &s->o->attr[i];
        const value *v = row->positional ? next_argument(s, row->name) : arg_named(s->a, row->name);
        if (!v) continue; // the builder fills in the default, or misses it
        s->attr[i] = to_attr(s->r, v, arena_format(s->r->scratch, "%s: '%s'", s->a->callee, row->name));
        if (!s->attr[i]) return false;
    }
    s->parts.attr = s->attr;
    return true;
}

// out_sinfo= or sinfo_args=, under their newer names too: one annotation; a list of several is a tuple.
static bool bind_types(binding_state *s) {
    static const char *const name[] = {"out_sinfo", "out_ty", "sinfo_args", "ty_args"};
    reader *r = s->r;
    const value *v = NULL;
    for (size_t i = 0; i < COUNT(name) && !v; i++) v = arg_named(s->a, name[i]);
    if (!v || v->kind == VAL_NONE) return true;
    bool list = v->kind == VAL_LIST || v->kind == VAL_TUPLE;
    uint32_t count = list ? v->as.list.count : 1;
    const ann **type = ARENA_NEW(r->scratch, const ann *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (!(type[i] = to_ann(r, list ? &v->as.list.at[i] : v, s->a->callee))) return false;
    if (count != 1) type[0] = ann_tuple(r->mem, type, count);
    // TVM prints these here and can't read them back: they say what the dims and the dtype say.
    if (strcmp(s->o->name, "builtin.alloc_tensor") == 0) return true;
    s->parts.type_arg = type;
    s->parts.type_args = 1;
    return true;
}

// Scalars that newer texts put behind the tensors of call_tir's arguments become its symbolic arguments.
static void split_scalars(binding_state *s) {
    if (s->o != &op_call_tir || s->in.len != 2 || s->in.at[1]->op != &op_tuple) return;
    const node *args = s->in.at[1];
    uint32_t tensors = args->count;
    while (tensors && args->in[tensors - 1]->op == &op_prim) tensors--;
    if (tensors == args->count) return;
    uint32_t scalars = args->count - tensors;
    const expr **dim = ARENA_NEW(s->r->scratch, const expr *, scalars);
    for (uint32_t i = 0; i < scalars; i++) dim[i] = args->in[tensors + i]->as.value;
    s->in.at[1] = build_tuple(s->r->b, NULL, args->in, tensors);
    VEC_PUSH(s->r->scratch, &s->in, build_shape(s->r->b, dim, scalars));
}

value call_op(reader *r, const op *o, arguments *a) {
    uint32_t errors = r->d->errors;
    python_arguments(r, o->name, a);
    if (r->d->errors != errors) return poison_at(a->at);
    binding_state s = {.r = r, .o = o, .a = a, .parts = {.op = o}};
    if (!bind_inputs(&s) || !bind_attrs(&s) || !bind_types(&s)) return poison_at(a->at);
    if (s.next < a->count && !a->key[s.next]) {
        diag_error(r->d, a->value[s.next].at, "%s: takes %s without a name, got more", a->callee,
                   COUNTED(s.next, "argument"));
        return poison_at(a->at);
    }
    if (!known_keys(&s) || !args_done(r, a)) return poison_at(a->at);
    split_scalars(&s);
    s.parts.in = s.in.at;
    s.parts.count = s.in.len;
    pending *p = ARENA_NEW(r->scratch, pending, 1);
    p->parts = s.parts;
    return (value){.kind = VAL_CALL, .at = a->at, .as.call = p};
}
