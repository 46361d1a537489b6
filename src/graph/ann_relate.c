// ann_relate.c - how two annotations relate: equal, one within the other, the finest that holds for both.
#include "graph/graph.h"
#include <string.h>

static ann_fit worse(ann_fit a, ann_fit b) { return a < b ? a : b; }

static ann_fit exprs_fit(expr_session *s, const expr *a, const expr *b, const facts *f) {
    if (a == b) return ANN_YES;
    if (!dtype_equal(a->type, b->type) || !expr_is_index(a)) return ANN_MAYBE;
    if (a->op == EXPR_INT && b->op == EXPR_INT) return a->as.ival == b->as.ival ? ANN_YES : ANN_NO;
    if (prove_equal(s, a, b, f)) return ANN_YES;
    return prove_true(s, expr_binary(s, EXPR_NE, a, b), f) ? ANN_NO : ANN_MAYBE;
}

static ann_fit dtypes_fit(dtype a, dtype b) {
    if (b.kind == DTYPE_VOID || dtype_equal(a, b)) return ANN_YES;
    return a.kind == DTYPE_VOID ? ANN_MAYBE : ANN_NO;
}

static ann_fit ranks_fit(int32_t a, int32_t b) {
    if (b == RANK_UNKNOWN || a == b) return ANN_YES;
    return a == RANK_UNKNOWN ? ANN_MAYBE : ANN_NO;
}

static ann_fit dims_fit(expr_session *s, const ann *a, const ann *b, const facts *f) {
    ann_fit fit = ranks_fit(a->rank, b->rank);
    if (!b->dim || fit == ANN_NO) return fit;
    if (!a->dim) return ANN_MAYBE;
    for (int32_t i = 0; i < b->rank; i++) fit = worse(fit, exprs_fit(s, a->dim[i], b->dim[i], f));
    return fit;
}

static ann_fit tensors_fit(expr_session *s, const ann *a, const ann *b, const facts *f) {
    ann_fit fit = worse(dtypes_fit(a->type, b->type), dims_fit(s, a, b, f));
    if (b->shape && a->shape != b->shape) fit = worse(fit, ANN_MAYBE);
    if (b->device && a->device && strcmp(a->device, b->device) != 0) return ANN_NO;
    return b->device && !a->device ? worse(fit, ANN_MAYBE) : fit;
}

static ann_fit prims_fit(expr_session *s, const ann *a, const ann *b, const facts *f) {
    ann_fit fit = dtypes_fit(a->type, b->type);
    if (!b->value || fit == ANN_NO) return fit;
    return a->value ? worse(fit, exprs_fit(s, a->value, b->value, f)) : ANN_MAYBE;
}

static ann_fit tuples_fit(expr_session *s, const ann *a, const ann *b, const facts *f) {
    if (a->count != b->count) return ANN_NO;
    ann_fit fit = ANN_YES;
    for (uint32_t i = 0; i < a->count; i++) fit = worse(fit, ann_fits(s, a->field[i], b->field[i], f));
    return fit;
}

// A signature's variables are its own, whatever they are called outside: dims that use any are no contradiction.
static ann_fit part_fits(expr_session *s, const ann *a, const ann *b, const facts *f) {
    ann_fit fit = ann_fits(s, a, b, f);
    if (fit != ANN_NO) return fit;
    arena *mem = expr_arena(s);
    map own = MAP_IN(mem);
    expr_list vars = {0};
    ann_free_vars(a, mem, &vars);
    ann_free_vars(b, mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) map_put(&own, MAP_KEY(vars.at[i]), &own);
    ann_rewriting coarse = {.s = s, .mem = mem, .drop = &own};
    return worse(ANN_MAYBE, ann_fits(s, ann_rewrite(&coarse, a), ann_rewrite(&coarse, b), f));
}

// A function fits where fewer promises are made: parameters the other way round.
static ann_fit callables_fit(expr_session *s, const ann *a, const ann *b, const facts *f) {
    ann_fit fit = b->pure && !a->pure ? ANN_NO : ANN_YES;
    if (b->result && b->result->kind != ANN_OBJECT)
        fit = worse(fit, part_fits(s, a->result ? a->result : ann_object(), b->result, f));
    if (b->any_params) return fit;
    if (a->any_params) return worse(fit, ANN_MAYBE);
    if (a->count != b->count) return ANN_NO;
    for (uint32_t i = 0; i < a->count; i++) fit = worse(fit, part_fits(s, b->field[i], a->field[i], f));
    return fit;
}

ann_fit ann_fits(expr_session *s, const ann *a, const ann *b, const facts *f) {
    if (a == b || b->kind == ANN_OBJECT) return ANN_YES;
    if (a->kind == ANN_OBJECT) return ANN_MAYBE;
    if (a->kind != b->kind) return ANN_NO;
    switch (a->kind) {
    case ANN_OBJECT: return ANN_YES;
    case ANN_PRIM: return prims_fit(s, a, b, f);
    case ANN_SHAPE: return dims_fit(s, a, b, f);
    case ANN_TENSOR: return tensors_fit(s, a, b, f);
    case ANN_TUPLE: return tuples_fit(s, a, b, f);
    case ANN_CALLABLE: return callables_fit(s, a, b, f);
    }
    return ANN_NO;
}

// --- Equality.

static bool exprs_equal(expr_session *s, const expr *a, const expr *b) {
    if (a == b) return true;
    if (!a || !b || !dtype_equal(a->type, b->type) || !expr_is_index(a)) return false;
    return prove_equal(s, a, b, NULL);
}

static bool dims_equal(expr_session *s, const ann *a, const ann *b) {
    if (a->rank != b->rank || !a->dim != !b->dim) return false;
    for (int32_t i = 0; a->dim && i < a->rank; i++)
        if (!exprs_equal(s, a->dim[i], b->dim[i])) return false;
    return true;
}

static bool texts_equal(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool places_equal(const ann *a, const ann *b) {
    return texts_equal(a->device, b->device) && texts_equal(a->mesh, b->mesh) &&
           texts_equal(a->placement, b->placement);
}

static bool results_equal(expr_session *s, const ann *a, const ann *b) {
    return ann_equal(s, a->result ? a->result : ann_object(), b->result ? b->result : ann_object());
}

static bool fields_equal(expr_session *s, const ann *a, const ann *b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!ann_equal(s, a->field[i], b->field[i])) return false;
    return true;
}

bool ann_equal(expr_session *s, const ann *a, const ann *b) {
    if (a == b) return true;
    if (a->kind != b->kind || !dtype_equal(a->type, b->type)) return false;
    switch (a->kind) {
    case ANN_OBJECT: return true;
    case ANN_PRIM: return exprs_equal(s, a->value, b->value);
    case ANN_SHAPE: return dims_equal(s, a, b);
    case ANN_TENSOR: return a->shape == b->shape && places_equal(a, b) && dims_equal(s, a, b);
    case ANN_TUPLE: return fields_equal(s, a, b);
    case ANN_CALLABLE:
        return a->pure == b->pure && a->any_params == b->any_params && results_equal(s, a, b) && fields_equal(s, a, b);
    }
    return false;
}

// --- Joining.

static const ann *join_dims(expr_session *s, arena *mem, const ann *a, const ann *b) {
    ann *out = ARENA_NEW(mem, ann, 1);
    *out = *a;
    if (!dtype_equal(a->type, b->type)) out->type = (dtype){0};
    if (a->shape != b->shape) out->shape = NULL;
    if (!texts_equal(a->device, b->device)) out->device = NULL;
    if (!dims_equal(s, a, b)) {
        out->dim = NULL;
        out->rank = a->rank == b->rank ? a->rank : RANK_UNKNOWN;
    }
    return out;
}

static const ann *join_prims(arena *mem, const ann *a, const ann *b) {
    return dtype_equal(a->type, b->type) ? ann_prim(mem, a->type, NULL) : ann_object();
}

static const ann *join_tuples(expr_session *s, arena *mem, const ann *a, const ann *b) {
    if (a->count != b->count) return ann_object();
    const ann **field = ARENA_NEW(mem, const ann *, a->count);
    for (uint32_t i = 0; i < a->count; i++) field[i] = ann_join(s, mem, a->field[i], b->field[i]);
    return ann_tuple(mem, field, a->count);
}

// Signatures that differ have no parameters in common that both would accept for sure.
static const ann *join_callables(expr_session *s, arena *mem, const ann *a, const ann *b) {
    const ann *object = ann_object();
    ann *out = ARENA_NEW(mem, ann, 1);
    *out = (ann){.kind = ANN_CALLABLE, .rank = RANK_UNKNOWN, .any_params = true, .pure = a->pure && b->pure};
    out->result = ann_join(s, mem, a->result ? a->result : object, b->result ? b->result : object);
    return out;
}

const ann *ann_join(expr_session *s, arena *mem, const ann *a, const ann *b) {
    if (ann_equal(s, a, b)) return a;
    if (a->kind != b->kind) return ann_object();
    switch (a->kind) {
    case ANN_OBJECT: return a;
    case ANN_PRIM: return join_prims(mem, a, b);
    case ANN_SHAPE:
    case ANN_TENSOR: return join_dims(s, mem, a, b);
    case ANN_TUPLE: return join_tuples(s, mem, a, b);
    case ANN_CALLABLE: return join_callables(s, mem, a, b);
    }
    return ann_object();
}
