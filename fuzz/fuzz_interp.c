// fuzz_interp.c - random modules through both interpreters: the bytes choose a loop program and a graph function that
// calls it, operators, branches and itself. Nothing may crash, hang or leak; what is refused is reported.
#include "graph/build.h"
#include "graph/verify.h"
#include "interp/interp.h"
#include "ops/ops.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BUFFERS = 8, MOST_VARS = 24, MOST_VALUES = 64, DEEP = 4 };

// The bytes as a row of choices; zeros when they are used up, so that everything ends.
typedef struct choices {
    const uint8_t *at;
    size_t left;
} choices;

static unsigned pick(choices *c, unsigned count) {
    if (!c->left || !count) return 0;
    c->left--;
    return *c->at++ % count;
}

// --- Loop programs.

typedef struct loop_gen {
    choices *c;
    expr_session *s;
    arena *mem;
    const buffer *buf[MOST_BUFFERS];
    unsigned buffers;
    const expr *var[MOST_VARS]; // int64
    unsigned vars, depth;
} loop_gen;

static const dtype_kind kinds[] = {DTYPE_F32, DTYPE_I64, DTYPE_I32, DTYPE_F16, DTYPE_I8,   DTYPE_BOOL,
                                   DTYPE_U8,  DTYPE_I4,  DTYPE_F64, DTYPE_U64, DTYPE_BF16, DTYPE_F8_E4M3FN};

static dtype pick_type(choices *c) { return (dtype){.kind = (uint8_t)kinds[pick(c, COUNT(kinds))], .lanes = 1}; }

static const expr *pick_index(loop_gen *g, unsigned depth);

static const expr *small(loop_gen *g) { return expr_i64(g->s, (int64_t)pick(g->c, 6) - 1); }

static const expr *pick_index(loop_gen *g, unsigned depth) {
    static const expr_op ops[] = {EXPR_ADD,       EXPR_SUB,       EXPR_MUL, EXPR_FLOOR_DIV, EXPR_FLOOR_MOD,
                                  EXPR_TRUNC_DIV, EXPR_TRUNC_MOD, EXPR_MIN, EXPR_MAX};
    unsigned what = pick(g->c, 8);
    if (what < 4 && g->vars) return g->var[pick(g->c, g->vars)];
    if (what < 6 || depth == 0) return small(g);
    return expr_binary(g->s, ops[pick(g->c, COUNT(ops))], pick_index(g, depth - 1), pick_index(g, depth - 1));
}

static const expr *load(loop_gen *g, const buffer *b) {
    const expr *index[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < b->rank; i++) index[i] = pick_index(g, 1);
    return expr_load(g->s, b, b->type, index, b->rank);
}

static const expr *number(loop_gen *g, dtype t) {
    int64_t n = (int64_t)pick(g->c, 9) - 4;
    if (dtype_is_float(t)) return expr_float(g->s, t, (double)n / 2);
    return expr_int(g->s, t, dtype_family_of(t) == FAMILY_BOOL ? n & 1 : dtype_wrap(t, n));
}

static const expr *pick_value(loop_gen *g, dtype t, unsigned depth);

static const expr *condition(loop_gen *g, unsigned depth) {
    static const expr_op ops[] = {EXPR_LT, EXPR_LE, EXPR_EQ, EXPR_NE, EXPR_GT, EXPR_GE};
    dtype t = pick(g->c, 2) ? DTYPE_OF(I64) : pick_type(g->c);
    if (dtype_family_of(t) == FAMILY_BOOL) t = DTYPE_OF(I32);
    const expr *a = t.kind == DTYPE_I64 ? pick_index(g, depth) : pick_value(g, t, depth);
    const expr *b = t.kind == DTYPE_I64 ? pick_index(g, depth) : pick_value(g, t, depth);
    return expr_binary(g->s, ops[pick(g->c, COUNT(ops))], a, b);
}

static const expr *call(loop_gen *g, dtype t, unsigned depth) {
    static const intrinsic_id floats[] = {INTRIN_EXP, INTRIN_SQRT, INTRIN_TANH, INTRIN_FLOOR, INTRIN_FABS};
    static const intrinsic_id ints[] = {INTRIN_SHIFT_LEFT, INTRIN_SHIFT_RIGHT, INTRIN_BITWISE_XOR, INTRIN_BITWISE_AND};
    const expr *arg[3] = {pick_value(g, t, depth), pick_value(g, t, depth)};
    if (dtype_is_float(t)) return expr_call(g->s, intrinsic_get(floats[pick(g->c, COUNT(floats))]), t, arg, 1);
    return expr_call(g->s, intrinsic_get(ints[pick(g->c, COUNT(ints))]), t, arg, 2);
}

static const expr *choice(loop_gen *g, dtype t, unsigned depth) {
    const expr *arg[] = {condition(g, 0), pick_value(g, t, depth), pick_value(g, t, depth)};
    if (pick(g->c, 2)) return expr_select(g->s, arg[0], arg[1], arg[2]);
    return expr_call(g->s, intrinsic_get(INTRIN_IF_THEN_ELSE), t, arg, 3);
}

static const expr *arithmetic(loop_gen *g, dtype t, unsigned depth) {
    static const expr_op ops[] = {EXPR_ADD,       EXPR_SUB,       EXPR_MUL, EXPR_MIN, EXPR_MAX, EXPR_FLOOR_DIV,
                                  EXPR_FLOOR_MOD, EXPR_TRUNC_DIV, EXPR_DIV, EXPR_AND, EXPR_OR};
    expr_op how = ops[pick(g->c, COUNT(ops))];
    if (!expr_op_allows(how, t)) how = dtype_family_of(t) == FAMILY_BOOL ? EXPR_AND : EXPR_ADD;
    return expr_binary(g->s, how, pick_value(g, t, depth), pick_value(g, t, depth));
}

static const expr *pick_value(loop_gen *g, dtype t, unsigned depth) {
    unsigned what = depth ? pick(g->c, 8) : pick(g->c, 3);
    const buffer *b = g->buffers ? g->buf[pick(g->c, g->buffers)] : NULL;
    switch (what) {
    case 0: return number(g, t);
    case 1: return b ? expr_cast(g->s, t, load(g, b)) : number(g, t);
    case 2: return expr_cast(g->s, t, pick_index(g, 1));
    case 3: return choice(g, t, depth - 1);
    case 4: return dtype_family_of(t) == FAMILY_BOOL ? condition(g, depth - 1) : call(g, t, depth - 1);
    default: return arithmetic(g, t, depth - 1);
    }
}

static const stmt *statement(loop_gen *g);

static const stmt *store(loop_gen *g) {
    const buffer *b = g->buf[pick(g->c, g->buffers)];
    const expr *index[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < b->rank; i++) index[i] = pick_index(g, 1);
    return stmt_store(g->mem, b, index, b->rank, pick_value(g, b->type, 3));
}

static const expr *new_var(loop_gen *g) {
    const expr *v = expr_new_var(g->s, "i", DTYPE_OF(I64));
    if (g->vars < MOST_VARS) g->var[g->vars++] = v;
    return v;
}

static const stmt *loop(loop_gen *g) {
    static const char *const threads[] = {"threadIdx.x", "threadIdx.y", "blockIdx.x", "vthread.x"};
    for_kind kind = (for_kind)pick(g->c, 5);
    unsigned vars = g->vars;
    const expr *extent = pick_index(g, 1), *min = pick(g->c, 3) ? expr_i64(g->s, 0) : small(g), *var = new_var(g);
    stmt *st = (stmt *)(uintptr_t)stmt_for(g->mem, kind, var, min, extent, statement(g));
    if (kind == FOR_THREAD) st->as.loop.thread = threads[pick(g->c, COUNT(threads))];
    g->vars = vars;
    return st;
}

static const buffer *new_buffer(loop_gen *g) {
    static const char *const scopes[] = {"global", "shared", "local"};
    const expr *dim[3];
    uint32_t rank = pick(g->c, 4);
    for (uint32_t i = 0; i < rank; i++) dim[i] = expr_i64(g->s, pick(g->c, 5));
    const buffer *b = buffer_new(g->s, "B", pick_type(g->c), dim, rank, scopes[pick(g->c, COUNT(scopes))]);
    if (g->buffers < MOST_BUFFERS) g->buf[g->buffers++] = b;
    return b;
}

static const stmt *block_of(loop_gen *g) {
    unsigned vars = g->vars, buffers = g->buffers;
    iter *its = ARENA_NEW(g->mem, iter, 2);
    block b = {.name = "block", .iters = pick(g->c, 3), .iter = its};
    for (uint32_t i = 0; i < b.iters; i++) {
        its[i].kind = pick(g->c, 2) ? ITER_REDUCE : ITER_SPATIAL;
        its[i].value = pick_index(g, 1);
        its[i].dom = (range){expr_i64(g->s, 0), pick_index(g, 1)};
    }
    for (uint32_t i = 0; i < b.iters; i++) its[i].var = new_var(g);
    const buffer **own = ARENA_NEW(g->mem, const buffer *, 1);
    b.allocs = pick(g->c, 2);
    if (b.allocs) own[0] = new_buffer(g);
    b.alloc = own;
    if (pick(g->c, 3) == 0) b.where = condition(g, 1);
    if (pick(g->c, 2)) b.init = store(g);
    b.body = statement(g);
    g->vars = vars;
    g->buffers = buffers;
    return stmt_block(g->mem, &b);
}

static const stmt *other(loop_gen *g, stmt_kind kind) {
    stmt *st = ARENA_NEW(g->mem, stmt, 1);
    *st = (stmt){.kind = kind};
    if (kind == STMT_WHILE) {
        st->as.loop_while.condition = condition(g, 1);
        st->as.loop_while.body = statement(g);
    } else if (kind == STMT_LET) {
        unsigned vars = g->vars;
        st->as.let.value = pick_index(g, 2);
        st->as.let.var = new_var(g);
        st->as.let.body = statement(g);
        g->vars = vars;
    } else {
        st->as.assertion.condition = condition(g, 1);
        st->as.assertion.message = "asserted";
        st->as.assertion.body = statement(g);
    }
    return st;
}

static const stmt *effect(loop_gen *g) {
    static const intrinsic_id ids[] = {INTRIN_TVM_STORAGE_SYNC, INTRIN_BREAK_LOOP, INTRIN_CONTINUE_LOOP,
                                       INTRIN_THREAD_RETURN};
    const intrinsic *f = intrinsic_get(ids[pick(g->c, COUNT(ids))]);
    const expr *scope = pick(g->c, 3) ? expr_string(g->s, "shared", 6) : expr_string(g->s, "warp", 4);
    return stmt_evaluate(g->mem, expr_call(g->s, f, DTYPE_OF(VOID), &scope, f->id == INTRIN_TVM_STORAGE_SYNC));
}

static const stmt *sequence(loop_gen *g) {
    const stmt *list[3];
    uint32_t count = 1 + pick(g->c, 3);
    for (uint32_t i = 0; i < count; i++) list[i] = statement(g);
    return stmt_seq(g->mem, list, count);
}

static const stmt *statement(loop_gen *g) {
    unsigned what = g->depth >= DEEP ? 0 : pick(g->c, 12);
    g->depth++;
    const stmt *st;
    switch (what) {
    case 1:
    case 2:
    case 3: st = loop(g); break;
    case 4: st = block_of(g); break;
    case 5: st = stmt_if(g->mem, condition(g, 2), statement(g), pick(g->c, 2) ? statement(g) : NULL); break;
    case 6: st = other(g, STMT_WHILE); break;
    case 7: st = other(g, STMT_LET); break;
    case 8: st = other(g, STMT_ASSERT); break;
    case 9: st = effect(g); break;
    case 10:
    case 11: st = sequence(g); break;
    default: st = store(g); break;
    }
    g->depth--;
    return st;
}

static const loop_func *make_loop(module *m, choices *c, dtype in, dtype out) {
    loop_gen g = {.c = c, .s = m->exprs, .mem = m->mem};
    const expr *n = expr_new_var(g.s, "n", DTYPE_OF(I64)), *dim[2] = {n, expr_i64(g.s, 1 + pick(c, 4))};
    loop_param *param = ARENA_NEW(g.mem, loop_param, 2);
    for (unsigned i = 0; i < 2; i++) {
        g.buf[g.buffers++] = buffer_new(g.s, i ? "Y" : "X", i ? out : in, dim, 2, "global");
        param[i] = (loop_param){.var = expr_new_var(g.s, "h", DTYPE_OF(HANDLE)), .buf = g.buf[i]};
    }
    g.var[g.vars++] = n;
    loop_func *f = ARENA_NEW(g.mem, loop_func, 1);
    *f = (loop_func){.name = "loops", .is_private = true, .s_tir = true, .params = 2, .param = param};
    f->body = statement(&g);
    return f;
}

// --- Graph functions.

typedef struct graph_gen {
    choices *c;
    builder *b;
    const node *value[MOST_VALUES];
    unsigned values, depth;
} graph_gen;

static const node *some(graph_gen *g) { return g->value[pick(g->c, g->values)]; }

static void keep(graph_gen *g, const node *n) {
    if (!node_is_poison(n) && g->values < MOST_VALUES) g->value[g->values++] = n;
}

static void operator_call(graph_gen *g) {
    uint32_t count;
    const op *const *all = op_all(&count);
    const op *o = all[(pick(g->c, 256) * 7 + pick(g->c, 7)) % count];
    const node *in[OP_MAX_INPUTS];
    uint32_t inputs = op_min_inputs(o) + pick(g->c, 2);
    if (inputs > op_inputs(o)) inputs = op_inputs(o);
    if (o->vm) return;
    for (uint32_t i = 0; i < inputs; i++) in[i] = some(g);
    keep(g, build_op(g->b, "v", o, in, inputs));
}

static void program_call(graph_gen *g, const ann *out) {
    const node *x = some(g);
    if (x->type->kind == ANN_TENSOR) keep(g, build_call_tir(g->b, "t", "loops", &x, 1, out, NULL, 0));
}

static void bindings(graph_gen *g, const ann *out, unsigned count);

static void branch(graph_gen *g, const ann *out) {
    unsigned values = g->values;
    if_parts *p = build_if(g->b, some(g));
    bindings(g, out, 2);
    build_else(g->b, p, some(g));
    g->values = values;
    bindings(g, out, 2);
    const node *last = some(g);
    g->values = values;
    keep(g, build_end_if(g->b, p, "z", last));
}

static void bindings(graph_gen *g, const ann *out, unsigned count) {
    g->depth++;
    for (unsigned i = 0; i < count; i++) {
        const node *in[2] = {some(g), some(g)};
        switch (pick(g->c, 8)) {
        case 0: program_call(g, out); break;
        case 1: keep(g, build_tuple(g->b, "p", in, 2)); break;
        case 2:
            if (in[0]->type->kind == ANN_TUPLE && in[0]->type->count) keep(g, build_item(g->b, "i", in[0], 0));
            break;
        case 3:
            if (g->depth < DEEP) branch(g, out);
            break;
        case 4: keep(g, build_match_cast(g->b, "m", in[0], in[1]->type)); break;
        case 5: keep(g, build_call_func(g->b, "r", build_global(g->b, "main"), in, 2)); break;
        default: operator_call(g); break;
        }
    }
    g->depth--;
}

static void make_graph(module *m, choices *c, dtype in, diag *d) {
    const expr *n = expr_new_var(m->exprs, "n", DTYPE_OF(I64)), *dim[2] = {n, expr_i64(m->exprs, 1 + pick(c, 4))};
    graph_gen g = {.c = c};
    const ann *x = ann_tensor(m->mem, in, dim, 2), *y = pick(c, 2) ? x : ann_tensor_rank(m->mem, DTYPE_OF(BOOL), 0);
    const ann *param[2] = {x, y};
    module_declare(m, "main", FUNC_GRAPH, ann_callable(m->mem, param, 2, ann_object(), false), (loc){0});
    g.b = build_func(m, "main", d);
    keep(&g, build_param(g.b, "x", x));
    keep(&g, build_param(g.b, "y", y));
    g.b->f->pure = false;
    build_block(g.b, false);
    bindings(&g, x, 1 + pick(c, 8));
    graph_func *f = build_finish(g.b, g.value[g.values - 1]);
    if (f) module_put_graph(m, f);
}

// --- Running.

static void run_all(const module *m, const char *name) {
    for (uint32_t draw = 0; draw < 3; draw++) {
        arena *mem = arena_new();
        value *arg, result;
        uint32_t count;
        interp_options o = {.max_steps = 3000, .max_bytes = 1 << 22};
        if (interp_draw(m, name, 1, draw, mem, &arg, &count, NULL)) {
            if (interp_run(m, name, arg, count, &o, mem, &result, diag_new(mem))) interp_release(&result);
            for (uint32_t i = 0; i < count; i++) interp_release(&arg[i]);
        }
        arena_free(mem);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    choices c = {data, size < 4096 ? size : 4096};
    module *m = module_new();
    diag *d = diag_new(m->mem);
    dtype in = pick_type(&c), out = pick(&c, 2) ? in : pick_type(&c);
    module_put_loop(m, make_loop(m, &c, in, out));
    run_all(m, "loops");
    make_graph(m, &c, in, d);
    const module_func *f = module_find(m, "main");
    if (f && f->graph && !d->errors && module_verify(m, d)) run_all(m, "main");
    module_free(m);
    return 0;
}
