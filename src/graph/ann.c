// ann.c - annotations: building, the variables in them, rewriting their dims.
#include "graph/op.h"

// --- Building.

const ann *ann_object(void) {
    static const ann object = {.kind = ANN_OBJECT, .rank = RANK_UNKNOWN};
    return &object;
}

static ann *ann_new(arena *mem, ann_kind kind) {
    ann *a = ARENA_NEW(mem, ann, 1);
    a->kind = kind;
    a->rank = RANK_UNKNOWN;
    return a;
}

const ann *ann_prim(arena *mem, dtype type, const expr *value) {
    ann *a = ann_new(mem, ANN_PRIM);
    a->type = type;
    a->value = value;
    return a;
}

static void set_dims(arena *mem, ann *a, const expr *const *dim, uint32_t rank) {
    const expr **copy = ARENA_NEW(mem, const expr *, rank);
    for (uint32_t i = 0; i < rank; i++) copy[i] = dim[i];
    a->dim = copy;
    a->rank = (int32_t)rank;
}

const ann *ann_shape(arena *mem, const expr *const *dim, uint32_t rank) {
    ann *a = ann_new(mem, ANN_SHAPE);
    set_dims(mem, a, dim, rank);
    return a;
}

const ann *ann_shape_rank(arena *mem, int32_t rank) {
    ann *a = ann_new(mem, ANN_SHAPE);
    a->rank = rank;
    return a;
}

const ann *ann_tensor(arena *mem, dtype type, const expr *const *dim, uint32_t rank) {
    ann *a = ann_new(mem, ANN_TENSOR);
    a->type = type;
    set_dims(mem, a, dim, rank);
    return a;
}

const ann *ann_tensor_rank(arena *mem, dtype type, int32_t rank) {
    ann *a = ann_new(mem, ANN_TENSOR);
    a->type = type;
    a->rank = rank;
    return a;
}

const ann *ann_tensor_shape_var(arena *mem, dtype type, const node *shape) {
    ann *a = ann_new(mem, ANN_TENSOR);
    a->type = type;
    a->shape = shape;
    a->rank = shape->type->rank;
    return a;
}

static void set_fields(arena *mem, ann *a, const ann *const *field, uint32_t count) {
    const ann **copy = ARENA_NEW(mem, const ann *, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = field[i];
    a->field = copy;
    a->count = count;
}

const ann *ann_tuple(arena *mem, const ann *const *field, uint32_t count) {
    ann *a = ann_new(mem, ANN_TUPLE);
    set_fields(mem, a, field, count);
    return a;
}

const ann *ann_callable(arena *mem, const ann *const *param, uint32_t count, const ann *result, bool pure) {
    ann *a = ann_new(mem, ANN_CALLABLE);
    set_fields(mem, a, param, count);
    a->result = result;
    a->pure = pure;
    return a;
}

// --- Variables.

typedef struct collecting {
    arena *mem;
    expr_list *out;
    bool callables; // look into them
} collecting;

static void collect_expr(const collecting *c, const expr *e) {
    if (!e || e->op == EXPR_INT) return;
    expr_list vars = {0};
    if (e->op == EXPR_VAR)
        VEC_PUSH(c->mem, &vars, e);
    else
        expr_free_vars(e, c->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        uint32_t seen = 0;
        while (seen < c->out->len && c->out->at[seen] != vars.at[i]) seen++;
        if (seen == c->out->len) VEC_PUSH(c->mem, c->out, vars.at[i]);
    }
}

static void collect(const collecting *c, const ann *a) {
    if (a->kind == ANN_CALLABLE && !c->callables) return;
    for (int32_t i = 0; a->dim && i < a->rank; i++) collect_expr(c, a->dim[i]);
    collect_expr(c, a->value);
    for (uint32_t i = 0; i < a->count; i++) collect(c, a->field[i]);
    if (a->result) collect(c, a->result);
}

void ann_free_vars(const ann *a, arena *mem, expr_list *out) { collect(&(collecting){mem, out, true}, a); }

void ann_defined_vars(const ann *a, arena *mem, expr_list *out) { collect(&(collecting){mem, out, false}, a); }

// --- Rewriting.

static const expr *rewrite_expr(const ann_rewriting *r, const expr *e) {
    if (!e || e->op == EXPR_INT) return e;
    if (r->with) e = expr_substitute(r->s, e, r->with);
    if (!r->fold || e->op == EXPR_VAR || !expr_is_index(e)) return e;
    const expr *canon = expr_canon(r->s, e);
    return canon->op == EXPR_INT || canon->op == EXPR_VAR ? canon : e;
}

static bool uses_dropped(const ann_rewriting *r, const expr *e) {
    if (!r->drop || !e || e->op == EXPR_INT) return false;
    expr_list vars = {0};
    expr_free_vars(e, r->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (map_has(r->drop, MAP_KEY(vars.at[i]))) return true;
    return false;
}

// Rewrites the dims of `now` in place; true if something changed.
static bool rewrite_dims(const ann_rewriting *r, ann *now) {
    if (!now->dim) return false;
    const expr **dim = ARENA_NEW(r->mem, const expr *, (size_t)now->rank);
    bool differs = false, dropped = false;
    for (int32_t i = 0; i < now->rank; i++) {
        dim[i] = rewrite_expr(r, now->dim[i]);
        differs |= dim[i] != now->dim[i];
        dropped |= uses_dropped(r, dim[i]);
    }
    if (differs) now->dim = dim;
    if (dropped) now->dim = NULL;
    return differs || dropped;
}

static bool rewrite_value(const ann_rewriting *r, ann *now) {
    const expr *old = now->value;
    now->value = rewrite_expr(r, old);
    if (uses_dropped(r, now->value)) now->value = NULL;
    return now->value != old;
}

static bool rewrite_shape(const ann_rewriting *r, ann *now) {
    if (!now->shape) return false;
    if (r->drop_shapes || (r->drop_local_shapes && now->shape->op->form != FORM_PARAM)) {
        now->shape = NULL;
        return true;
    }
    const node *other = r->nodes ? map_find(r->nodes, MAP_KEY(now->shape)) : NULL;
    if (!other || other == now->shape) return false;
    now->shape = other;
    return true;
}

bool ann_has_shape(const ann *a) {
    if (a->shape) return true;
    for (uint32_t i = 0; i < a->count; i++)
        if (ann_has_shape(a->field[i])) return true;
    return a->result && ann_has_shape(a->result);
}

static bool rewrite_fields(const ann_rewriting *r, ann *now) {
    const ann **field = ARENA_NEW(r->mem, const ann *, now->count);
    bool differs = false;
    for (uint32_t i = 0; i < now->count; i++) {
        field[i] = ann_rewrite(r, now->field[i]);
        differs |= field[i] != now->field[i];
    }
    if (differs) now->field = field;
    const ann *result = now->result;
    if (result) now->result = ann_rewrite(r, result);
    return differs || now->result != result;
}

static bool callable_uses_dropped(const ann_rewriting *r, const ann *a) {
    if (!r->drop || !r->drop->len) return false;
    expr_list vars = {0};
    ann_free_vars(a, r->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (map_has(r->drop, MAP_KEY(vars.at[i]))) return true;
    return false;
}

const ann *ann_rewrite(const ann_rewriting *r, const ann *a) {
    ann now = *a;
    bool differs = false;
    switch (a->kind) {
    case ANN_OBJECT: return a;
    case ANN_PRIM: differs = rewrite_value(r, &now); break;
    case ANN_SHAPE: differs = rewrite_dims(r, &now); break;
    case ANN_TENSOR:
        differs = rewrite_dims(r, &now);
        differs |= rewrite_shape(r, &now);
        break;
    case ANN_TUPLE: differs = rewrite_fields(r, &now); break;
    case ANN_CALLABLE:
        // A coarser parameter would promise that more is accepted: the whole signature goes instead.
        if (callable_uses_dropped(r, a))
            now = (ann){.kind = ANN_CALLABLE, .rank = RANK_UNKNOWN, .any_params = true, .pure = a->pure};
        differs = now.any_params != a->any_params || rewrite_fields(r, &now);
        break;
    }
    if (!differs) return a;
    ann *made = ARENA_NEW(r->mem, ann, 1);
    *made = now;
    return made;
}

const ann *ann_substitute(expr_session *s, arena *mem, const ann *a, const map *with) {
    return ann_rewrite(&(ann_rewriting){.s = s, .mem = mem, .with = with}, a);
}
