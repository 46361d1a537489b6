// call_tir.c - R.call_tir: a loop program called from the graph, writing into destinations the graph allocates.
#include "base/count_noun.h"
#include "graph/deduce.h"

static const module_func *program_of(infer_ctx *c, const node *n) {
    const module_func *f = deduce_loop(c->m, n->in[0]);
    if (f) return f;
    diag_error(c->d, n->at, "%s: want a loop program of the module (@T.prim_func), got %s", n->op->name,
               deduce_name(c->mem, deduce_callee(n->in[0])));
    return NULL;
}

static bool count_fits(infer_ctx *c, const node *n, const module_func *f, uint32_t inputs, uint32_t outs,
                       uint32_t scalars) {
    uint32_t want = f->type->count;
    if (f->type->any_params || want == inputs + outs + scalars) return true;
    diag_error(c->d, n->at, "%s: %s takes %s, got %u: inputs %u, outputs %u, scalars (tir_vars) %u", n->op->name,
               f->name, COUNTED(want, "parameter"), inputs + outs + scalars, inputs, outs, scalars);
    if (f->at.src) diag_note(c->d, f->at, "%s is declared here", f->name);
    return false;
}

// One annotation per parameter, with what it is in the user's words.
typedef struct actuals {
    const ann **type;
    const char **what;
    uint32_t len;
} actuals;

static void add(infer_ctx *c, actuals *a, const ann *type, const char *kind, uint32_t i) {
    a->what[a->len] = arena_format(c->mem, "%s %u", kind, i + 1);
    a->type[a->len++] = type;
}

static actuals list_actuals(infer_ctx *c, const node *n, const ann *const *out, uint32_t outs, uint32_t scalars) {
    const ann *inputs = n->in[1]->type;
    uint32_t room = inputs->count + outs + scalars;
    actuals a = {.type = ARENA_NEW(c->mem, const ann *, room), .what = ARENA_NEW(c->mem, const char *, room)};
    for (uint32_t i = 0; i < inputs->count; i++) add(c, &a, inputs->field[i], "input", i);
    for (uint32_t i = 0; i < outs; i++) add(c, &a, out[i], "output", i);
    for (uint32_t i = 0; i < scalars; i++) {
        const expr *value = n->in[2]->type->dim[i];
        add(c, &a, ann_prim(c->mem, value->type, value), "scalar", i);
    }
    return a;
}

bool deduce_program(infer_ctx *c, const node *n, const ann *const *out, uint32_t outs) {
    const module_func *f = program_of(c, n);
    if (!f) return false;
    bool has_scalars = n->count > 2;
    if (has_scalars && !n->in[2]->type->dim)
        return diag_error(c->d, n->at, "%s: tir_vars: want R.shape([...]), got a shape of unknown values", n->op->name);
    uint32_t scalars = has_scalars ? (uint32_t)n->in[2]->type->rank : 0;
    if (!count_fits(c, n, f, n->in[1]->type->count, outs, scalars)) return false;
    if (f->type->any_params) return true;
    for (uint32_t i = 0; i < outs; i++)
        if (out[i]->type.kind == DTYPE_VOID)
            return diag_error(c->d, n->at, "%s: out_sinfo: want the dtype of output %u as well, got %s", n->op->name,
                              i + 1, ann_to_text(c->mem, out[i]));
    actuals a = list_actuals(c, n, out, outs, scalars);
    deduction d = deduce_start(c, n, f->name, f->at, NULL);
    for (uint32_t i = 0; i < a.len; i++) deduce_own(&d, f->type->field[i]);
    for (uint32_t i = 0; i < a.len; i++)
        if (!deduce_argument(&d, a.what[i], f->type->field[i], a.type[i])) return false;
    return deduce_solve(&d);
}

static bool is_destination(const ann *a) { return a->kind == ANN_TENSOR && (a->dim || a->shape); }

bool deduce_destinations(infer_ctx *c, const node *n, const ann *const **out, uint32_t *outs) {
    if (n->type_args != 1) return diag_error(c->d, n->at, "%s: out_sinfo= must say what is computed", n->op->name);
    *out = n->type_arg;
    *outs = 1;
    if (n->type_arg[0]->kind == ANN_TUPLE) {
        *out = n->type_arg[0]->field;
        *outs = n->type_arg[0]->count;
    }
    for (uint32_t i = 0; i < *outs; i++)
        if (!is_destination((*out)[i]))
            return diag_error(c->d, n->at, "%s: out_sinfo: want R.Tensor with dims, got %s", n->op->name,
                              ann_to_text(c->mem, (*out)[i]));
    return true;
}

const ann *deduce_call_tir(infer_ctx *c, const node *n) {
    const ann *const *out;
    uint32_t outs;
    if (!deduce_destinations(c, n, &out, &outs)) return NULL;
    return deduce_program(c, n, out, outs) ? n->type_arg[0] : NULL;
}

const op op_call_tir = {
    .name = "call_tir",
    .doc = "Calls a loop program of the module; its results are allocated by the graph.",
    .input = {{.name = "func", .kind = INPUT_FUNC, .doc = "the program"},
              {.name = "args", .kind = INPUT_TUPLE, .doc = "its inputs"},
              {.name = "tir_vars", .kind = INPUT_SHAPE, .doc = "its trailing scalar parameters", .optional = true}},
    .type_args = 1,
    .infer = deduce_call_tir,
    .vm = true,
};
