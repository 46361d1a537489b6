// match.c - values against annotations: symbolic variables get their values, everything else is checked.
#include "base/count_noun.h"
#include "interp/frame.h"
#include "ops/ops.h"
#include <stdlib.h>
#include <string.h>

// --- Scopes.

// Variables have ids dense in the session; values are looked up by them without a search.
scope *frame_scope_new(run *r, const scope *outer) {
    scope *s = calloc(1, sizeof *s);
    uint32_t room = expr_var_count(r->m->exprs) + 1;
    if (!s) return NULL;
    *s = (scope){.refs = 1, .origin = malloc(room * sizeof *s->origin)};
    s->env = (expr_env){malloc(room * sizeof(scalar)), calloc(room, sizeof(bool)), room};
    if (!s->origin || !s->env.value || !s->env.bound) return frame_scope_release(s), NULL;
    for (uint32_t i = 0; outer && i < outer->env.room && i < room; i++) {
        if (!outer->env.bound[i]) continue;
        s->env.bound[i] = true;
        s->env.value[i] = outer->env.value[i];
        s->origin[i] = outer->origin[i];
    }
    return s;
}

void frame_scope_release(scope *s) {
    if (!s || --s->refs) return;
    free(s->env.value);
    free(s->env.bound);
    free(s->origin);
    free(s);
}

// Ids beyond the room belong to variables made after the scope was.
static bool is_bound(const frame *fr, const expr *var) {
    uint32_t id = var->as.var->id;
    return id < fr->vars->env.room && fr->vars->env.bound[id];
}

// The origin is kept for messages: "n is 3, bound by a.shape[0]".
static void bind(frame *fr, const expr *var, int64_t v, var_origin from) {
    if (var->as.var->id >= fr->vars->env.room) return;
    expr_env_set(&fr->vars->env, var, (scalar){.i = v});
    fr->vars->origin[var->as.var->id] = from;
}

// --- Messages.

static void put_path(text *out, const path *p) {
    text_put(out, p->name);
    for (uint32_t i = 0; i < p->depth && i < COUNT(p->index); i++) text_format(out, "[%u]", p->index[i]);
}

// a.shape[0], s[1], n
static void put_origin(text *out, const var_origin *o) {
    put_path(out, &o->at);
    if (o->what == FROM_TENSOR) text_format(out, ".shape[%u]", o->dim);
    if (o->what == FROM_SHAPE) text_format(out, "[%u]", o->dim);
}

// For messages alone: the run's arena keeps it.
static const char *path_text(frame *fr, const path *p) {
    text out = TEXT_IN(fr->mem);
    put_path(&out, p);
    return text_get(&out);
}

// "but n is 3, bound by a.shape[0]", "but n * 4 is 12, as n is 3, bound by …", "but must be 4"
static void put_wanted(frame *fr, text *out, const expr *e, int64_t want) {
    if (e->op == EXPR_INT) {
        text_format(out, "but must be %lld", (long long)want);
        return;
    }
    expr_list vars = {0};
    text_format(out, "but %s is %lld", op_dim_text(fr->mem, e), (long long)want);
    expr_free_vars(e, fr->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        uint32_t id = vars.at[i]->as.var->id;
        if (e->op != EXPR_VAR)
            text_format(out, "%s %s is %lld", i ? " and" : ", as", vars.at[i]->as.var->name,
                        (long long)fr->vars->env.value[id].i);
        text_put(out, ", bound by ");
        put_origin(out, &fr->vars->origin[id]);
    }
}

// main: b.shape[0] is 7, but n is 3, bound by a.shape[0]
static bool fail_dim(frame *fr, const var_origin *from, int64_t got, const expr *e, int64_t want, loc at) {
    text out = TEXT_IN(fr->mem);
    put_origin(&out, from);
    text_format(&out, " is %lld, ", (long long)got);
    put_wanted(fr, &out, e, want);
    return frame_fail(fr, at, "%s", text_get(&out));
}

// --- Expressions.

// ", as a is 4 and b is 0".
static void put_values(frame *fr, text *out, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, fr->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        text_format(out, "%s %s is %lld", i ? " and" : ", as", vars.at[i]->as.var->name,
                    (long long)fr->vars->env.value[vars.at[i]->as.var->id].i);
}

bool frame_scalar(frame *fr, const expr *e, scalar *out, loc at) {
    expr_status status = expr_eval(e, &fr->vars->env, out);
    if (status == EXPR_DONE) return true;
    static const char *const why[] = {[EXPR_OVERFLOW] = "leaves the range of int64",
                                      [EXPR_ZERO_DIVISOR] = "divides by zero",
                                      [EXPR_UNBOUND] = "has variables without a value",
                                      [EXPR_NOT_SCALAR] = "has no value here"};
    text t = TEXT_IN(fr->mem);
    text_format(&t, "%s %s", expr_to_text(fr->mem, e), why[status]);
    if (status == EXPR_OVERFLOW || status == EXPR_ZERO_DIVISOR) put_values(fr, &t, e);
    return frame_fail(fr, at, "%s", text_get(&t));
}

bool frame_dims(frame *fr, const expr *const *dim, uint32_t rank, int64_t *out, loc at) {
    for (uint32_t i = 0; i < rank; i++) {
        scalar s;
        if (!frame_scalar(fr, dim[i], &s, at)) return false;
        out[i] = s.i;
    }
    return true;
}

// --- The three rounds: bind variables that stand alone, solve what has one unknown, check everything.

typedef enum round { ROUND_KINDS, ROUND_SOLVE, ROUND_CHECK } round;

// Recursive like the annotation, whose depth the reader bounds.
static bool match_one(frame *fr, round what, const path *p, const ann *type, const value *v, loc at);

// The one variable of e without a value; NULL if there is none, or more than one.
static const expr *unknown(frame *fr, const expr *e) {
    expr_list vars = {0};
    const expr *found = NULL;
    expr_free_vars(e, fr->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (is_bound(fr, vars.at[i])) continue;
        if (found) return NULL;
        found = vars.at[i];
    }
    return found;
}

// Linear dims: n * 4 against 12 gives 3. What can't be solved stays unknown and fails in the last round.
static void solve(frame *fr, const expr *e, int64_t got, var_origin from) {
    const expr *var = e->op == EXPR_INT || e->op == EXPR_VAR ? NULL : unknown(fr, e), *solution, *condition;
    scalar s;
    expr_session *x = fr->r->m->exprs;
    if (!var || dtype_wrap(e->type, got) != got) return;
    if (expr_solve(x, e, expr_int(x, e->type, got), var, NULL, &solution, &condition) != SOLVE_UNIQUE) return;
    if (expr_eval(solution, &fr->vars->env, &s) == EXPR_DONE) bind(fr, var, s.i, from);
}

static bool fail_unsolved(frame *fr, const var_origin *from, int64_t got, const expr *e, loc at) {
    text out = TEXT_IN(fr->mem);
    put_origin(&out, from);
    return frame_fail(fr, at, "%s is %lld, and no %s is found for which %s is that", text_get(&out), (long long)got,
                      unknown(fr, e)->as.var->name, expr_to_text(fr->mem, e));
}

// One number of the value against one expression of the annotation, in each of the rounds.
static bool match_number(frame *fr, round what, var_origin from, const expr *e, int64_t got, loc at) {
    scalar want;
    switch (what) {
    case ROUND_KINDS:
        if (e->op == EXPR_VAR && !is_bound(fr, e)) bind(fr, e, got, from);
        return true;
    case ROUND_SOLVE: return solve(fr, e, got, from), true;
    case ROUND_CHECK: break;
    }
    if (unknown(fr, e)) return fail_unsolved(fr, &from, got, e, at);
    if (!frame_scalar(fr, e, &want, at)) return false;
    return want.i == got || fail_dim(fr, &from, got, e, want.i, at);
}

// In order, so that the leftmost mention of a variable binds it.
static bool match_dims(frame *fr, round what, var_origin from, const expr *const *dim, const int64_t *got,
                       uint32_t rank, loc at) {
    for (uint32_t i = 0; i < rank; i++) {
        from.dim = i;
        if (!match_number(fr, what, from, dim[i], got[i], at)) return false;
    }
    return true;
}

// Without it no later round looks into the value.
static bool want_kind(frame *fr, const path *p, const value *v, value_kind kind, const char *want, loc at) {
    if (v->kind == kind) return true;
    return frame_fail(fr, at, "%s is %s, but must be %s", path_text(fr, p), value_describe(v), want);
}

// What needs no variables.
static bool tensor_fits(frame *fr, const path *p, const ann *type, const tensor *t, loc at) {
    char got[32], want[32];
    if (type->type.kind != DTYPE_VOID && !dtype_equal(t->type, type->type))
        return frame_fail(fr, at, "%s has dtype %s, but must have %s", path_text(fr, p), dtype_spell(t->type, got),
                          dtype_spell(type->type, want));
    if (type->rank == RANK_UNKNOWN || (uint32_t)type->rank == t->rank) return true;
    return frame_fail(fr, at, "%s has %s, but must have %d", path_text(fr, p), COUNTED(t->rank, "dim"), type->rank);
}

// "(3, 4)", "(3,)".
static const char *dims_text(frame *fr, const int64_t *dim, uint32_t rank) {
    text out = TEXT_IN(fr->mem);
    for (uint32_t i = 0; i < rank; i++) text_format(&out, "%s%lld", i ? ", " : "(", (long long)dim[i]);
    text_put(&out, !rank ? "()" : rank == 1 ? ",)" : ")");
    return text_get(&out);
}

// R.Tensor(s): the dims are those of a value that is a shape.
static bool match_shape_value(frame *fr, round what, const path *p, const ann *type, const tensor *t, loc at) {
    value shape;
    if (what != ROUND_CHECK) return true;
    if (!frame_value(fr, type->shape, &shape)) return false;
    bool same = shape.kind == VALUE_SHAPE && shape.as.shape.rank == t->rank &&
                (!t->rank || !memcmp(shape.as.shape.dim, t->dim, t->rank * sizeof *t->dim));
    const char *got = dims_text(fr, t->dim, t->rank), *name = type->shape->name ? type->shape->name : "the shape";
    const char *want = shape.kind == VALUE_SHAPE ? dims_text(fr, shape.as.shape.dim, shape.as.shape.rank) : "no shape";
    value_drop(&shape);
    return same || frame_fail(fr, at, "%s has the shape %s, but %s is %s", path_text(fr, p), got, name, want);
}

// dtype and rank are looked at once, in the first round; dims in each.
static bool match_tensor(frame *fr, round what, const path *p, const ann *type, const value *v, loc at) {
    if (!want_kind(fr, p, v, VALUE_TENSOR, "a tensor", at)) return false;
    const tensor *t = v->as.tensor;
    if (what == ROUND_KINDS && !tensor_fits(fr, p, type, t, at)) return false;
    if (type->shape) return match_shape_value(fr, what, p, type, t, at);
    var_origin from = {.at = *p, .what = FROM_TENSOR};
    return !type->dim || match_dims(fr, what, from, type->dim, t->dim, t->rank, at);
}

// A shape is its dims: there is no dtype to compare.
static bool match_shape(frame *fr, round what, const path *p, const ann *type, const value *v, loc at) {
    if (!want_kind(fr, p, v, VALUE_SHAPE, "a shape", at)) return false;
    if (type->rank != RANK_UNKNOWN && (uint32_t)type->rank != v->as.shape.rank)
        return frame_fail(fr, at, "%s has %s, but must have %d", path_text(fr, p), COUNTED(v->as.shape.rank, "dim"),
                          type->rank);
    var_origin from = {.at = *p, .what = FROM_SHAPE};
    return !type->dim || match_dims(fr, what, from, type->dim, v->as.shape.dim, v->as.shape.rank, at);
}

// Numbers need not have the exact type, as in Python; only float and integer are kept apart.
static bool match_prim(frame *fr, round what, const path *p, const ann *type, const value *v, loc at) {
    if (!want_kind(fr, p, v, VALUE_PRIM, "a number", at)) return false;
    dtype got = v->as.prim.type;
    char a[32], b[32];
    if (type->type.kind != DTYPE_VOID && dtype_is_float(type->type) != dtype_is_float(got))
        return frame_fail(fr, at, "%s is %s, but must be %s", path_text(fr, p), dtype_spell(got, a),
                          dtype_spell(type->type, b));
    if (!type->value || dtype_is_float(got)) return true;
    return match_number(fr, what, (var_origin){.at = *p, .what = FROM_NUMBER}, type->value, v->as.prim.scalar.i, at);
}

// Paths name at most three levels.
static bool match_tuple(frame *fr, round what, const path *p, const ann *type, const value *v, loc at) {
    if (!want_kind(fr, p, v, VALUE_TUPLE, "a tuple", at)) return false;
    if (v->as.tuple.count != type->count)
        return frame_fail(fr, at, "%s has %s, but must have %u", path_text(fr, p), COUNTED(v->as.tuple.count, "field"),
                          type->count);
    path inner = *p;
    uint32_t level = inner.depth < COUNT(inner.index) ? inner.depth++ : COUNT(inner.index) - 1;
    for (uint32_t i = 0; i < type->count; i++) {
        inner.index[level] = i;
        if (!match_one(fr, what, &inner, type->field[i], &v->as.tuple.item[i], at)) return false;
    }
    return true;
}

static bool match_one(frame *fr, round what, const path *p, const ann *type, const value *v, loc at) {
    switch (type->kind) {
    case ANN_OBJECT: return true;
    case ANN_PRIM: return match_prim(fr, what, p, type, v, at);
    case ANN_SHAPE: return match_shape(fr, what, p, type, v, at);
    case ANN_TENSOR: return match_tensor(fr, what, p, type, v, at);
    case ANN_TUPLE: return match_tuple(fr, what, p, type, v, at);
    case ANN_CALLABLE: break;
    }
    return want_kind(fr, p, v, VALUE_FUNC, "a function", at);
}

// The rounds go over all values before the next begins.
bool match_values(frame *fr, const path *what, const ann *const *type, const value *v, uint32_t count, loc at) {
    static const round rounds[] = {ROUND_KINDS, ROUND_SOLVE, ROUND_CHECK};
    for (size_t k = 0; k < COUNT(rounds); k++)
        for (uint32_t i = 0; i < count; i++)
            if (!match_one(fr, rounds[k], &what[i], type[i], &v[i], at)) return false;
    return true;
}

// --- Bounds that the function's attributes promise: {"tir_var_upper_bound": {"n": 4096}}.

// main: x.shape[0] is 5000, but n must be at most 4096
static bool check_bound(frame *fr, const expr *var, const char *rule, int64_t bound, bool upper) {
    uint32_t id = var->as.var->id;
    int64_t got = fr->vars->env.value[id].i;
    if (upper ? got <= bound : got >= bound) return true;
    text out = TEXT_IN(fr->mem);
    put_origin(&out, &fr->vars->origin[id]);
    return frame_fail(fr, fr->f->at, "%s is %lld, but %s must be at %s %lld", text_get(&out), (long long)got,
                      var->as.var->name, rule, (long long)bound);
}

static bool check_rule(frame *fr, const char *key, const char *rule, bool upper) {
    const attr *bounds = attr_find(fr->f->attrs, key);
    for (uint32_t i = 0; bounds && bounds->kind == ATTR_DICT && i < fr->f->params; i++) {
        expr_list vars = {0};
        ann_defined_vars(fr->f->param[i]->type, fr->mem, &vars);
        for (uint32_t k = 0; k < vars.len; k++) {
            int64_t bound;
            if (!attr_get_int(attr_find(bounds, vars.at[k]->as.var->name), &bound) || !is_bound(fr, vars.at[k]))
                continue;
            if (!check_bound(fr, vars.at[k], rule, bound, upper)) return false;
        }
    }
    return true;
}

// Only what parameters bind: nothing else is named in the attributes.
bool match_bounds(frame *fr) {
    return check_rule(fr, "tir_var_upper_bound", "most", true) && check_rule(fr, "tir_var_lower_bound", "least", false);
}
