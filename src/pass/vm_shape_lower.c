// vm_shape_lower.c - VMShapeLower: symbols live in one host array, checks and sizes become calls that read and fill it.
//
//   before:  def main(x: R.Tensor(("n", 4), "float32")):    after:  shape_heap = R.call_builtin_with_ctx(
//                s = R.shape([n * 2])                                   "vm.builtin.alloc_shape_heap", (2,), …)
//                                                                   R.call_packed("vm.builtin.check_tensor_info", x, …)
//                                                                   R.call_packed("vm.builtin.match_shape", x, …)
//                                                                   cls.shape_func(shape_heap)
//                                                                   s = R.call_packed("vm.builtin.make_shape", …)
//
// Needs functions without dataflow blocks whose scalars are constants or symbols (ComputePrimValue). Keeps values.
// Every symbol and every size computed from symbols has a slot of the array, in order of mention; shape_func fills the
// slots that can be computed once a match has bound symbols. TVM's form, for reading and comparing: emission turns
// sizes into integer programs of the file without it.
#include "ops/ops.h"
#include "pass/clone.h"
#include <string.h>

// How a dim is matched against a number or a slot; how a dim is made from one.
enum { MATCH_IMM, MATCH_STORE, MATCH_LATER, MATCH_SLOT };
enum { MAKE_IMM, MAKE_SLOT };

typedef struct pending { // a match that has to be made, or made again
    const node *value;   // of the new function
    const ann *type;
    const char *context;
} pending;
typedef VEC(pending) pending_list;

typedef struct shape_lowering {
    module *m;
    diag *d;
    const graph_func *f;
    clone c;
    fresh_names names;
    map slot;           // MAP_KEY(expression) -> slot + 1
    expr_list expr;     // by slot
    map ready;          // MAP_KEY(expression) -> non-NULL: its slot is filled
    const node *heap;   // the array
    pending_list to_do; // in order
} shape_lowering;

// --- Slots.

// Expressions are interned: the same text is the same pointer, as TVM compares by structure.
static void add_slot(shape_lowering *x, const expr *e) {
    if (expr_const_int(e, &(int64_t){0}) || e->op == EXPR_FLOAT || map_has(&x->slot, MAP_KEY(e))) return;
    map_put(&x->slot, MAP_KEY(e), (void *)(uintptr_t)(x->expr.len + 1));
    VEC_PUSH(x->m->mem, &x->expr, e);
}

static void add_ann(shape_lowering *x, const ann *a) {
    if (a->kind == ANN_CALLABLE) return; // its symbols are its own
    for (int32_t i = 0; a->dim && i < a->rank; i++) add_slot(x, a->dim[i]);
    if (a->value) add_slot(x, a->value);
    for (uint32_t i = 0; i < a->count; i++) add_ann(x, a->field[i]);
}

static void add_leaf(shape_lowering *x, const node *n) {
    if (n->name || n->op->form == FORM_GLOBAL) return;
    if (n->op->form == FORM_SHAPE || n->op->form == FORM_PRIM) add_ann(x, n->type);
    for (uint32_t i = 0; i < n->count; i++) add_leaf(x, n->in[i]);
}

// TVM's order: what a call states of its result, then its operands.
static void add_body(shape_lowering *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            bool leaf = n->op->form == FORM_SHAPE || n->op->form == FORM_PRIM;
            for (uint32_t k = 0; k < n->type_args; k++) add_ann(x, n->type_arg[k]);
            if (leaf) add_ann(x, n->type);
            for (uint32_t k = 0; k < n->count; k++) add_leaf(x, n->in[k]);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) add_body(x, &n->as.branch[side]);
        }
    add_leaf(x, body->result);
}

static int64_t slot_of(const shape_lowering *x, const expr *e) {
    return (int64_t)(uintptr_t)map_find(&x->slot, MAP_KEY(e)) - 1;
}

static bool is_ready(const shape_lowering *x, const expr *e) { return map_has(&x->ready, MAP_KEY(e)); }

// --- Calls of the machine.

static const node *number(shape_lowering *x, int64_t value) { return build_prim(x->c.b, expr_i64(x->m->exprs, value)); }

typedef VEC(const node *) argument_list;

static const node *call(shape_lowering *x, const char *name, const char *func, const argument_list *args,
                        const ann *type) {
    const node **in = ARENA_NEW(x->m->mem, const node *, args->len + 1);
    in[0] = build_extern(x->c.b, arena_format(x->m->mem, "vm.builtin.%s", func));
    for (uint32_t i = 0; i < args->len; i++) in[i + 1] = args->at[i];
    const call_parts parts = {
        .op = &op_call_packed, .in = in, .count = args->len + 1, .type_arg = &type, .type_args = 1};
    return build_call(x->c.b, name, &parts);
}

static void check(shape_lowering *x, const char *func, argument_list *args, const char *context) {
    VEC_PUSH(x->m->mem, args, build_string(x->c.b, context, strlen(context)));
    call(x, "_", func, args, ann_tuple(x->m->mem, NULL, 0));
}

static void make_heap(shape_lowering *x) {
    builder *b = x->c.b;
    if (!x->expr.len) {
        x->heap = build_op(b, "shape_heap", &op_null_value, NULL, 0);
        return;
    }
    const node *slots = number(x, x->expr.len);
    const node *in[] = {build_extern(b, "vm.builtin.alloc_shape_heap"), build_tuple(b, NULL, &slots, 1)};
    const ann *type = ann_tensor_rank(x->m->mem, DTYPE_OF(I64), 1);
    const call_parts parts = {
        .op = &op_call_builtin_with_ctx, .in = in, .count = COUNT(in), .type_arg = &type, .type_args = 1};
    x->heap = build_call(b, "shape_heap", &parts);
}

// --- The function that computes slots from slots.

// The array holds 64-bit numbers whatever the symbol's type is.
static const expr *load_slot(shape_lowering *x, const buffer *heap, int64_t slot) {
    const expr *index = expr_i64(x->m->exprs, slot);
    return expr_load(x->m->exprs, heap, DTYPE_OF(I64), &index, 1);
}

static bool vars_ready(const shape_lowering *x, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, x->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!is_ready(x, vars.at[i])) return false;
    return true;
}

static const stmt *fill_slot(shape_lowering *x, const buffer *heap, const expr *e) {
    expr_list vars = {0};
    map loads = MAP_IN(x->m->mem);
    expr_free_vars(e, x->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        map_put(&loads, MAP_KEY(vars.at[i]), (void *)(uintptr_t)load_slot(x, heap, slot_of(x, vars.at[i])));
    const expr *index = expr_i64(x->m->exprs, slot_of(x, e));
    return stmt_store(x->m->mem, heap, &index, 1, expr_substitute(x->m->exprs, e, &loads));
}

// Fills what the symbols that are bound now allow. Nothing where that is filled already.
static void compute_slots(shape_lowering *x) {
    arena *mem = x->m->mem;
    const expr *size = expr_i64(x->m->exprs, x->expr.len);
    const buffer *heap = buffer_new(x->m->exprs, "H", DTYPE_OF(I64), &size, 1, "global");
    VEC(const stmt *) list = {0};
    for (uint32_t i = 0; i < x->expr.len; i++) {
        const expr *e = x->expr.at[i];
        if (is_ready(x, e) || e->op == EXPR_VAR || !vars_ready(x, e)) continue;
        VEC_PUSH(mem, &list, fill_slot(x, heap, e));
        map_put(&x->ready, MAP_KEY(e), x);
    }
    if (!list.len) return;
    loop_func *f = ARENA_NEW(mem, loop_func, 1);
    loop_param *param = ARENA_NEW(mem, loop_param, 1);
    *param = (loop_param){.var = expr_new_var(x->m->exprs, "H", DTYPE_OF(HANDLE)), .buf = heap, .inline_buffer = true};
    *f = (loop_func){.name = fresh_name(&x->names, "shape_func"),
                     .is_private = true,
                     .s_tir = true,
                     .params = 1,
                     .param = param,
                     .attrs = attr_with(mem, NULL, "tirx.is_host_func", attr_bool(mem, true)),
                     .body = stmt_seq(mem, list.at, list.len)};
    module_put_loop(x->m, f);
    build_call_func(x->c.b, "_", build_global(x->c.b, f->name), &x->heap, 1);
}

// --- Checks: what kind of value it is, then its dims.

// Dims are not looked at: they are matched, not checked.
static bool kind_known(const ann *value, const ann *want) {
    return value->kind == want->kind && value->rank == want->rank && dtype_equal(value->type, want->type) &&
           value->count == want->count;
}

static void check_kind(shape_lowering *x, const node *value, const ann *a, const char *context) {
    argument_list args = {0};
    VEC_PUSH(x->m->mem, &args, value);
    switch (a->kind) {
    case ANN_TENSOR:
        VEC_PUSH(x->m->mem, &args, number(x, a->rank));
        VEC_PUSH(x->m->mem, &args, build_dtype(x->c.b, a->type));
        check(x, "check_tensor_info", &args, context);
        break;
    case ANN_SHAPE:
        VEC_PUSH(x->m->mem, &args, number(x, a->rank));
        check(x, "check_shape_info", &args, context);
        break;
    case ANN_PRIM:
        VEC_PUSH(x->m->mem, &args, build_dtype(x->c.b, a->type));
        check(x, "check_prim_value_info", &args, context);
        break;
    case ANN_TUPLE:
        VEC_PUSH(x->m->mem, &args, number(x, a->count));
        check(x, "check_tuple_info", &args, context);
        break;
    case ANN_CALLABLE: check(x, "check_func_info", &args, context); break;
    case ANN_OBJECT: break;
    }
}

static bool has_dims(const ann *a) {
    return (a->dim && a->rank > 0 && (a->kind == ANN_TENSOR || a->kind == ANN_SHAPE)) ||
           (a->kind == ANN_PRIM && a->value);
}

// Of `always`, values are checked whatever is known of them.
static void require(shape_lowering *x, const node *value, const ann *a, const char *context, bool always) {
    if (!always && ann_fits(x->m->exprs, value->type, a, NULL) == ANN_YES) return;
    if (always || !kind_known(value->type, a)) check_kind(x, value, a, context);
    if (has_dims(a)) VEC_PUSH(x->m->mem, &x->to_do, ((pending){value, a, context}));
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) {
        bool known = value->type->kind == ANN_TUPLE && i < value->type->count &&
                     ann_fits(x->m->exprs, value->type->field[i], a->field[i], NULL) == ANN_YES;
        if (always || !known) require(x, build_item(x->c.b, "gv", value, i), a->field[i], context, always);
    }
}

// --- Matches.

// False: it has to be made again when the slots are filled.
static bool match_number(shape_lowering *x, const expr *e, argument_list *args) {
    int64_t value;
    int how = MATCH_LATER;
    if (expr_const_int(e, &value)) {
        how = MATCH_IMM;
    } else if (is_ready(x, e)) {
        how = MATCH_SLOT;
        value = slot_of(x, e);
    } else if (e->op == EXPR_VAR) {
        how = MATCH_STORE;
        value = slot_of(x, e);
        map_put(&x->ready, MAP_KEY(e), x);
    } else {
        value = 0;
    }
    VEC_PUSH(x->m->mem, args, number(x, how));
    VEC_PUSH(x->m->mem, args, number(x, value));
    return how != MATCH_LATER;
}

// Is there a dim to check or to bind already?
static bool can_start(const shape_lowering *x, const ann *a) {
    for (int32_t i = 0; a->dim && i < a->rank; i++)
        if (a->dim[i]->op == EXPR_VAR || expr_const_int(a->dim[i], &(int64_t){0}) || is_ready(x, a->dim[i]))
            return true;
    return a->value && (a->value->op == EXPR_VAR || expr_const_int(a->value, &(int64_t){0}) || is_ready(x, a->value));
}

static bool match(shape_lowering *x, const pending *p) {
    argument_list args = {0};
    bool whole = true, prim = p->type->kind == ANN_PRIM;
    if (!can_start(x, p->type)) return false;
    VEC_PUSH(x->m->mem, &args, p->value);
    VEC_PUSH(x->m->mem, &args, x->heap);
    if (prim) {
        whole = match_number(x, p->type->value, &args);
    } else {
        VEC_PUSH(x->m->mem, &args, number(x, p->type->rank));
        for (int32_t i = 0; i < p->type->rank; i++) whole = match_number(x, p->type->dim[i], &args) && whole;
    }
    check(x, prim ? "match_prim_value" : "match_shape", &args, p->context);
    return whole;
}

// Until nothing is left: each round binds symbols, which lets slots be computed that the next one compares with.
static bool match_all(shape_lowering *x, loc at) {
    while (x->to_do.len) {
        pending_list again = {0};
        for (uint32_t i = 0; i < x->to_do.len; i++)
            if (!match(x, &x->to_do.at[i])) VEC_PUSH(x->m->mem, &again, x->to_do.at[i]);
        uint32_t before = x->ready.len;
        compute_slots(x);
        if (again.len == x->to_do.len && x->ready.len == before)
            return diag_error(x->d, at, "VMShapeLower: %s: a dim of %s needs a symbol that nothing gives a value to",
                              x->f->name, ann_to_text(x->m->mem, again.at[0].type));
        x->to_do = again;
    }
    return true;
}

// --- Values made from slots.

static bool is_constant(const ann *a) {
    for (int32_t i = 0; a->dim && i < a->rank; i++)
        if (!expr_const_int(a->dim[i], &(int64_t){0})) return false;
    return !a->value || expr_const_int(a->value, &(int64_t){0}) || a->value->op == EXPR_FLOAT;
}

static void make_number(shape_lowering *x, const expr *e, argument_list *args) {
    int64_t value;
    bool constant = expr_const_int(e, &value);
    VEC_PUSH(x->m->mem, args, number(x, constant ? MAKE_IMM : MAKE_SLOT));
    VEC_PUSH(x->m->mem, args, number(x, constant ? value : slot_of(x, e)));
}

static const node *make(shape_lowering *x, const node *leaf, const char *name) {
    argument_list args = {0};
    const ann *a = leaf->type;
    bool prim = leaf->op->form == FORM_PRIM;
    if (prim && a->value->op != EXPR_VAR) {
        diag_error(x->d, leaf->at, "VMShapeLower: %s: a scalar that must be computed: run ComputePrimValue first",
                   x->f->name);
        return build_poison(x->c.b);
    }
    VEC_PUSH(x->m->mem, &args, x->heap);
    if (!prim) VEC_PUSH(x->m->mem, &args, number(x, a->rank));
    for (int32_t i = 0; !prim && i < a->rank; i++) make_number(x, a->dim[i], &args);
    if (prim) make_number(x, a->value, &args);
    return call(x, name, prim ? "make_prim_value" : "make_shape", &args, prim ? a : ann_shape_rank(x->m->mem, a->rank));
}

static bool is_made(const node *n) {
    return (n->op->form == FORM_SHAPE || n->op->form == FORM_PRIM) && !is_constant(n->type);
}

// A shape that is written where it is used is bound before, in order of use.
static void make_leaves(shape_lowering *x, const node *n) {
    if (n->name || n->op->form == FORM_GLOBAL || map_has(&x->c.now, MAP_KEY(n))) return;
    if (is_made(n)) map_put(&x->c.now, MAP_KEY(n), (void *)(uintptr_t)make(x, n, "gv"));
    for (uint32_t i = 0; i < n->count; i++) make_leaves(x, n->in[i]);
}

// --- Bodies.

static const node *lower_body(shape_lowering *x, const graph_body *body, bool *ok);

static bool lower_if(shape_lowering *x, const node *old) {
    builder *b = x->c.b;
    bool ok = true;
    map before = MAP_IN(x->m->mem); // what a branch fills is not filled in the other one, nor behind the `if`
    for (uint32_t i = 0; i < x->ready.len; i++) map_put(&before, x->ready.entry[i].key, x);
    if_parts *p = build_if(b, clone_value(&x->c, old->in[0]));
    build_block(b, false);
    const node *then = lower_body(x, &old->as.branch[0], &ok);
    x->ready = MAP_IN(x->m->mem);
    for (uint32_t i = 0; i < before.len; i++) map_put(&x->ready, before.entry[i].key, x);
    build_else(b, p, then);
    build_block(b, false);
    const node *otherwise = lower_body(x, &old->as.branch[1], &ok);
    x->ready = before;
    map_put(&x->c.now, MAP_KEY(old), (void *)(uintptr_t)build_end_if(b, p, old->name, otherwise));
    return ok;
}

static bool lower_cast(shape_lowering *x, const node *old) {
    const ann *a = old->type_arg[0];
    const char *context =
        arena_format(x->m->mem, "ErrorContext(match_cast, struct_info=%s) ", ann_to_text(x->m->mem, a));
    require(x, clone_value(&x->c, old->in[0]), a, context, false);
    if (!match_all(x, old->at)) return false;
    clone_binding(&x->c, old);
    return true;
}

static bool lower_binding(shape_lowering *x, const node *old) {
    const node *value = old->op->form == FORM_BIND && !old->in[0]->name ? old->in[0] : old;
    if (is_made(value)) {
        map_put(&x->c.now, MAP_KEY(old), (void *)(uintptr_t)make(x, value, old->name));
        return true;
    }
    for (uint32_t i = 0; i < old->count; i++) make_leaves(x, old->in[i]);
    if (old->op->form == FORM_MATCH_CAST) return lower_cast(x, old);
    if (old->op->form == FORM_IF) return lower_if(x, old);
    clone_binding(&x->c, old);
    return true;
}

static const node *lower_body(shape_lowering *x, const graph_body *body, bool *ok) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; *ok && i < run->len; i++) *ok = lower_binding(x, run->bound[i]);
    if (!*ok) return build_poison(x->c.b);
    make_leaves(x, body->result);
    return clone_value(&x->c, body->result);
}

// --- Functions.

// Parameters are checked whatever their annotations say: anybody may call.
static bool enter(shape_lowering *x) {
    for (uint32_t i = 0; i < x->f->params; i++) {
        const node *p = x->f->param[i];
        const char *context = arena_format(x->m->mem, "ErrorContext(fn=%s, loc=param[%u], param=%s, annotation=%s) ",
                                           x->f->name, i, p->name, ann_to_text(x->m->mem, p->type));
        require(x, clone_value(&x->c, p), p->type, context, true);
    }
    return match_all(x, x->f->at);
}

static bool leave(shape_lowering *x, const node *result) {
    const char *context = arena_format(x->m->mem, "ErrorContext(fn=%s, loc=return, annotation=%s) ", x->f->name,
                                       ann_to_text(x->m->mem, x->f->result_type));
    if (result->name) require(x, result, x->f->result_type, context, false);
    return match_all(x, x->f->at);
}

static bool lower_func(shape_lowering *x) {
    map none = MAP_IN(x->m->mem);
    bool ok = true;
    x->slot = x->ready = none;
    x->expr = (expr_list){0};
    for (uint32_t i = 0; i < x->f->params; i++) add_ann(x, x->f->param[i]->type);
    add_body(x, &x->f->body);
    add_ann(x, x->f->result_type);
    x->c = clone_into(build_func(x->m, x->f->name, x->d));
    clone_signature(&x->c, x->f);
    clone_params(&x->c, x->f);
    build_block(x->c.b, false);
    make_heap(x);
    if (!enter(x)) return false;
    const node *result = lower_body(x, &x->f->body, &ok);
    if (!ok || !leave(x, result)) return false;
    module_put_graph(x->m, build_finish(x->c.b, result));
    return true;
}

static bool vm_shape_lower(module *m, const pass_ctx *c) {
    shape_lowering x = {.m = m, .d = c->d, .names = fresh_names_in(m)};
    func_list list = {0};
    uint32_t errors = c->d->errors;
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        x.f = list.at[i];
        if (!lower_func(&x)) return false;
    }
    return c->d->errors == errors;
}

const pass pass_vm_shape_lower = {
    .name = "VMShapeLower",
    .doc = "keeps symbols in one array that checks fill and sizes are made from",
    .erases = true,
    .needs = NEEDS_NO_DATAFLOW,
    .run = vm_shape_lower,
};
