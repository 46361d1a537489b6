// special.c - descriptors of the language's special forms, and how their results are deduced.
#include "base/count_noun.h"
#include "graph/deduce.h"

static const ann *infer_constant(infer_ctx *c, const node *n) {
    const tensor *t = n->as.constant;
    const expr **dim = ARENA_NEW(c->mem, const expr *, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) dim[i] = expr_i64(c->exprs, t->dim[i]);
    return ann_tensor(c->mem, t->type, dim, t->rank);
}

static const ann *infer_shape(infer_ctx *c, const node *n) {
    return ann_shape(c->mem, n->as.shape.dim, n->as.shape.rank);
}

static const ann *infer_prim(infer_ctx *c, const node *n) { return ann_prim(c->mem, n->as.value->type, n->as.value); }

static const ann *infer_object(infer_ctx *c, const node *n) {
    (void)c, (void)n;
    return ann_object();
}

static const ann *infer_tuple(infer_ctx *c, const node *n) {
    const ann **field = ARENA_NEW(c->mem, const ann *, n->count);
    for (uint32_t i = 0; i < n->count; i++) field[i] = n->in[i]->type;
    return ann_tuple(c->mem, field, n->count);
}

static const ann *infer_item(infer_ctx *c, const node *n) {
    const ann *tuple = n->in[0]->type;
    if (tuple->kind == ANN_OBJECT) return tuple;
    const char *what = n->in[0]->name ? n->in[0]->name : "the value";
    if (tuple->kind != ANN_TUPLE) {
        diag_error(c->d, n->at, "%s[%u]: want a tuple, got %s", what, n->as.index, ann_to_text(c->mem, tuple));
        return NULL;
    }
    if (n->as.index < tuple->count) return tuple->field[n->as.index];
    diag_error(c->d, n->at, "%s[%u]: the tuple has %s, counted from 0", what, n->as.index,
               COUNTED(tuple->count, "field"));
    return NULL;
}

static const ann *infer_global(infer_ctx *c, const node *n) {
    const module_func *f = module_find(c->m, n->as.text.bytes);
    if (f) return f->type;
    diag_error(c->d, n->at, "the module has no function \"%s\"", n->as.text.bytes);
    return NULL;
}

static const ann *infer_extern(infer_ctx *c, const node *n) {
    (void)n;
    ann *type = ARENA_NEW(c->mem, ann, 1);
    *type = (ann){.kind = ANN_CALLABLE, .rank = RANK_UNKNOWN, .any_params = true};
    return type;
}

static const ann *infer_closure(infer_ctx *c, const node *n) { return graph_func_type(c->mem, n->as.func); }

static const ann *infer_call(infer_ctx *c, const node *n) {
    const ann *result = deduce_call(c, n, n->in[0], 1, n->count - 1);
    bool stated = result && result->kind == ANN_OBJECT && n->type_args == 1;
    return stated ? n->type_arg[0] : result;
}

static const ann *infer_if(infer_ctx *c, const node *n) {
    const ann *condition = n->in[0]->type;
    ann no_dims = {.kind = ANN_TENSOR, .type = DTYPE_OF(BOOL), .rank = 0, .dim = (const expr *const[]){NULL}};
    ann prim = {.kind = ANN_PRIM, .type = DTYPE_OF(BOOL), .rank = RANK_UNKNOWN};
    const ann *want = condition->kind == ANN_PRIM ? &prim : &no_dims;
    if (ann_fits(c->exprs, condition, want, c->facts) == ANN_NO) {
        diag_error(c->d, n->at, "if: want a condition R.Tensor((), dtype=\"bool\") or R.Prim(\"bool\"), got %s",
                   ann_to_text(c->mem, condition));
        return NULL;
    }
    return ann_join(c->exprs, c->mem, n->as.branch[0].result->type, n->as.branch[1].result->type);
}

// Variables that nothing defines yet are defined here; the rest of the annotation must not contradict what is known.
static const ann *infer_match_cast(infer_ctx *c, const node *n) {
    const ann *want = n->type_arg[0];
    deduction d = deduce_start(c, n, "match_cast", (loc){0}, NULL);
    expr_list vars = {0};
    ann_defined_vars(want, c->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (c->owners && !map_has(c->owners, MAP_KEY(vars.at[i]))) map_put(&d.bindable, MAP_KEY(vars.at[i]), c);
    const char *what = n->in[0]->name ? n->in[0]->name : "the value";
    return deduce_argument(&d, what, want, n->in[0]->type) && deduce_solve(&d) ? want : NULL;
}

static const ann *infer_bind(infer_ctx *c, const node *n) {
    (void)c;
    return n->in[0]->type;
}

const op op_param = {.name = "param", .doc = "A parameter of the function.", .form = FORM_PARAM, .vm = true};
const op op_constant = {.name = "const",
                        .doc = "A tensor known at compile time.",
                        .form = FORM_CONSTANT,
                        .infer = infer_constant,
                        .vm = true};
const op op_shape = {
    .name = "shape", .doc = "A shape made of expressions.", .form = FORM_SHAPE, .infer = infer_shape, .vm = true};
const op op_prim = {
    .name = "prim_value", .doc = "A scalar expression as a value.", .form = FORM_PRIM, .infer = infer_prim, .vm = true};
const op op_string = {.name = "str", .doc = "Text as a value.", .form = FORM_STRING, .infer = infer_object, .vm = true};
const op op_data_type = {
    .name = "dtype", .doc = "An element type as a value.", .form = FORM_DTYPE, .infer = infer_object, .vm = true};
const op op_tuple = {.name = "tuple",
                     .doc = "Several values as one.",
                     .form = FORM_TUPLE,
                     .input = {{.name = "fields", .kind = INPUT_ANY, .doc = "the values", .optional = true}},
                     .variadic = true,
                     .infer = infer_tuple,
                     .vm = true};
const op op_item = {.name = "tuple item",
                    .doc = "One field of a tuple.",
                    .form = FORM_ITEM,
                    .input = {{.name = "tuple", .kind = INPUT_ANY, .doc = "the tuple"}},
                    .infer = infer_item,
                    .vm = true};
const op op_global = {
    .name = "function", .doc = "A function of the module.", .form = FORM_GLOBAL, .infer = infer_global, .vm = true};
const op op_extern = {.name = "ExternFunc",
                      .doc = "A function that the runtime finds by name.",
                      .form = FORM_EXTERN,
                      .infer = infer_extern,
                      .vm = true};
const op op_closure = {.name = "closure",
                       .doc = "A function inside a function.",
                       .form = FORM_CLOSURE,
                       .infer = infer_closure,
                       .vm = true};
const op op_call = {.name = "call",
                    .doc = "A call of a function value.",
                    .form = FORM_CALL,
                    .input = {{.name = "callee", .kind = INPUT_ANY, .doc = "the function"},
                              {.name = "arguments", .kind = INPUT_ANY, .doc = "its arguments", .optional = true}},
                    .variadic = true,
                    .infer = infer_call,
                    .vm = true};
const op op_if = {.name = "if",
                  .doc = "One of two branches.",
                  .form = FORM_IF,
                  .input = {{.name = "condition", .kind = INPUT_ANY, .doc = "a bool scalar"}},
                  .infer = infer_if,
                  .vm = true};
const op op_match_cast = {.name = "match_cast",
                          .doc = "States what a value is; checked at run time.",
                          .form = FORM_MATCH_CAST,
                          .input = {{.name = "value", .kind = INPUT_ANY, .doc = "the value"}},
                          .type_args = 1,
                          .infer = infer_match_cast,
                          .vm = true};
const op op_bind = {.name = "bind",
                    .doc = "Another name for a value.",
                    .form = FORM_BIND,
                    .input = {{.name = "value", .kind = INPUT_ANY, .doc = "the value"}},
                    .infer = infer_bind,
                    .vm = true};
const op op_poison = {
    .name = "poison", .doc = "Stands for a value whose error was reported.", .form = FORM_OPERATOR, .vm = true};
