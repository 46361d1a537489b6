// verify.c - the rules a loop program keeps. One walk carries what is in scope; the rules of each statement are rows.
#include "loop/verify.h"
#include "base/count_noun.h"
#include "loop/regions.h"
#include "loop/walk.h"
#include <string.h>

typedef struct checker {
    const loop_func *f;
    expr_session *s;
    diag *d;
    arena *mem;
    map vars;         // MAP_KEY(variable in scope) -> how many binders around
    map buffers;      // MAP_KEY(buffer in scope) -> the same
    map loops;        // MAP_KEY(loop variable in scope) -> number of blocks around its loop + 1
    VEC(bool) closed; // one per block around: must it use iteration variables of its own?
    const stmt_walk *w;
    map reported; // MAP_KEY(variable or buffer) that an error named already
} checker;

static loc place(const checker *c, const stmt *st) { return loop_place(c->f, st); }

// One mistake is reported once, however often the name is used.
static bool is_news(checker *c, const void *named) {
    if (map_has(&c->reported, MAP_KEY(named))) return false;
    map_put(&c->reported, MAP_KEY(named), c);
    return true;
}

static bool undefined_buffer(checker *c, const stmt *st, const buffer *b) {
    if (is_news(c, b)) diag_error(c->d, place(c, st), "the buffer %s is not defined here", b->name);
    return false;
}

// --- Scope.

static void count(map *m, const void *key, int by) {
    if (key) map_put(m, MAP_KEY(key), (void *)((uintptr_t)map_find(m, MAP_KEY(key)) + (uintptr_t)(intptr_t)by));
}

static void bring_buffer(checker *c, const buffer *b, int by) {
    count(&c->buffers, b, by);
    count(&c->vars, b->data, by);
}

// Strides and offsets that are plain variables are bound by matching, as dims of the signature are.
static void bring_matched(checker *c, const buffer *b, int by) {
    bring_buffer(c, b, by);
    for (uint32_t i = 0; b->stride && i < b->rank; i++)
        if (b->stride[i]->op == EXPR_VAR) count(&c->vars, b->stride[i], by);
    if (b->elem_offset && b->elem_offset->op == EXPR_VAR) count(&c->vars, b->elem_offset, by);
}

// What a statement brings into scope for its children (by = 1), or takes out again (-1).
static void bring(checker *c, const stmt *st, int by) {
    if (st->kind == STMT_FOR) count(&c->vars, st->as.loop.var, by);
    if (st->kind == STMT_LET) count(&c->vars, st->as.let.var, by);
    if (st->kind == STMT_ALLOCATE) count(&c->vars, st->as.allocate.var, by);
    if (st->kind == STMT_ATTR) count(&c->vars, st->as.attribute.var, by);
    if (st->kind == STMT_DECL_BUFFER) bring_buffer(c, st->as.declare.buf, by);
    if (st->kind != STMT_BLOCK) return;
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->iters; i++) count(&c->vars, b->iter[i].var, by);
    for (uint32_t i = 0; i < b->allocs; i++) bring_buffer(c, b->alloc[i], by);
    for (uint32_t i = 0; i < b->matches; i++) bring_matched(c, b->match[i].inner, by);
}

// --- Expressions.

static bool check_var(checker *c, const stmt *st, const expr *e) {
    const char *name = e->as.var->name;
    if (!map_find(&c->vars, MAP_KEY(e)))
        return is_news(c, e) && diag_error(c->d, place(c, st), "the variable %s is not defined here", name);
    uintptr_t depth = (uintptr_t)map_find(&c->loops, MAP_KEY(e));
    if (!depth || depth > c->closed.len || !c->closed.at[c->closed.len - 1]) return true;
    return is_news(c, e) && diag_error(c->d, place(c, st),
                                       "the loop variable %s is used inside a block; bind an iteration variable to it "
                                       "(T.axis.spatial or T.axis.reduce)",
                                       name);
}

static bool check_index(checker *c, const stmt *st, const buffer *b, const expr *const *index, uint32_t n) {
    if (!map_find(&c->buffers, MAP_KEY(b))) return undefined_buffer(c, st, b);
    if (n != b->rank)
        return diag_error(c->d, place(c, st), "%s has %s, got %s", b->name, COUNTED(b->rank, "dim"),
                          COUNTED(n, "index"));
    for (uint32_t i = 0; i < n; i++) {
        char spelled[32];
        if (!dtype_is_int(index[i]->type))
            return diag_error(c->d, place(c, st), "index %u of %s: want an integer, got %s", i, b->name,
                              dtype_spell(index[i]->type, spelled));
        if (i + 1 < n && dtype_lanes(index[i]->type) > 1)
            return diag_error(c->d, place(c, st), "index %u of %s: only the last index may be a vector", i, b->name);
    }
    return true;
}

static unsigned index_lanes(const expr *const *index, uint32_t n) { return n ? dtype_lanes(index[n - 1]->type) : 1; }

// A value of `type` at these indices of b: the element type, with as many lanes as indices and elements give.
static bool type_fits(const buffer *b, const expr *const *index, uint32_t n, dtype type) {
    dtype_kind kind = type.kind;
    bool same = kind == b->type.kind || (kind == DTYPE_BOOL && b->type.kind == DTYPE_I8);
    return same && dtype_lanes(type) == index_lanes(index, n) * dtype_lanes(b->type);
}

static bool check_load(checker *c, const stmt *st, const expr *e) {
    const buffer *b = e->as.buffer;
    if (!check_index(c, st, b, e->in, e->count)) return false;
    if (type_fits(b, e->in, e->count, e->type)) return true;
    char have[32], want[32];
    return diag_error(c->d, place(c, st), "a load from %s gives %s, but its elements are %s", b->name,
                      dtype_spell(e->type, have), dtype_spell(b->type, want));
}

static void check_expr(checker *c, const stmt *st, const expr *root) {
    if (!root || root->op == EXPR_INT) return;
    map seen = MAP_IN(c->mem);
    expr_list todo = {0}, lets = {0};
    VEC_PUSH(c->mem, &todo, root);
    bool good = true;
    while (todo.len && good) {
        const expr *e = todo.at[--todo.len];
        if (map_has(&seen, MAP_KEY(e))) continue;
        map_put(&seen, MAP_KEY(e), c);
        if (e->op == EXPR_LET) {
            VEC_PUSH(c->mem, &lets, e->in[0]);
            count(&c->vars, e->in[0], 1);
        }
        if (e->op == EXPR_VAR) good = check_var(c, st, e);
        if (e->op == EXPR_LOAD) good = check_load(c, st, e);
        for (uint32_t i = e->count; i-- > 0;) VEC_PUSH(c->mem, &todo, e->in[i]);
    }
    for (uint32_t i = 0; i < lets.len; i++) count(&c->vars, lets.at[i], -1);
}

static void check_condition(checker *c, const stmt *st, const char *what, const expr *e) {
    if (!e || (e->type.kind == DTYPE_BOOL && dtype_lanes(e->type) == 1)) return;
    char spelled[32];
    diag_error(c->d, place(c, st), "%s: want a bool, got %s", what, dtype_spell(e->type, spelled));
}

static void check_integer(checker *c, const stmt *st, const char *what, const expr *e) {
    if (dtype_is_int(e->type) && dtype_lanes(e->type) == 1) return;
    char spelled[32];
    diag_error(c->d, place(c, st), "%s: want an integer, got %s", what, dtype_spell(e->type, spelled));
}

// --- Rules about one statement, before its children come into scope.

static void rule_expressions(checker *c, const stmt *st) {
    if (st->kind == STMT_BLOCK) return; // partly inside its own scope: rule_block
    if (st->kind == STMT_ATTR) { // the node is what it is about, not a value: TVM names loops there before they begin
        check_expr(c, st, st->as.attribute.value);
        return;
    }
    expr_list list = {0};
    stmt_expressions(st, c->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) check_expr(c, st, list.at[i]);
}

static void rule_bound_once(checker *c, const stmt *st) {
    const expr *var = NULL;
    if (st->kind == STMT_FOR) var = st->as.loop.var;
    if (st->kind == STMT_LET) var = st->as.let.var;
    if (st->kind == STMT_ALLOCATE) var = st->as.allocate.var;
    if (var && map_find(&c->vars, MAP_KEY(var)))
        diag_error(c->d, place(c, st), "the variable %s is bound again inside its own scope", var->as.var->name);
}

static void rule_loop(checker *c, const stmt *st) {
    if (st->kind != STMT_FOR) return;
    const expr *var = st->as.loop.var, *min = st->as.loop.min, *extent = st->as.loop.extent;
    char a[32], b[32], e[32];
    if (!dtype_is_int(var->type) || !dtype_equal(var->type, min->type) || !dtype_equal(var->type, extent->type))
        diag_error(c->d, place(c, st),
                   "loop over %s: variable, start and extent must be of one integer type, got %s, %s and %s",
                   var->as.var->name, dtype_spell(var->type, a), dtype_spell(min->type, b),
                   dtype_spell(extent->type, e));
    if (st->as.loop.kind == FOR_THREAD && !(st->as.loop.thread && *st->as.loop.thread))
        diag_error(c->d, place(c, st),
                   "loop over %s: a thread-bound loop must name its thread (thread=\"threadIdx.x\")",
                   var->as.var->name);
}

// Nested loops over one hardware thread index must agree about its extent.
static void rule_threads(checker *c, const stmt *st) {
    if (st->kind != STMT_FOR || st->as.loop.kind != FOR_THREAD || !st->as.loop.thread) return;
    int64_t mine, other;
    uint32_t depth = stmt_walk_depth(c->w);
    for (uint32_t i = 0; i < depth; i++) {
        const stmt *around = stmt_walk_open(c->w, i);
        if (around->kind != STMT_FOR || around->as.loop.kind != FOR_THREAD || !around->as.loop.thread) continue;
        if (strcmp(around->as.loop.thread, st->as.loop.thread) != 0 || text_starts(st->as.loop.thread, "vthread"))
            continue;
        if (!expr_const_int(st->as.loop.extent, &mine) || !expr_const_int(around->as.loop.extent, &other)) continue;
        if (mine != other)
            diag_error(c->d, place(c, st), "%s has extent %lld here and %lld in a loop around it", st->as.loop.thread,
                       (long long)mine, (long long)other);
    }
}

static void rule_store(checker *c, const stmt *st) {
    if (st->kind != STMT_STORE) return;
    const buffer *b = st->as.store.buf;
    const expr *value = st->as.store.value;
    if (!check_index(c, st, b, st->as.store.index, st->as.store.count)) return;
    char have[32], want[32];
    if (!type_fits(b, st->as.store.index, st->as.store.count, value->type))
        diag_error(c->d, place(c, st), "store to %s: want %s%s, got %s", b->name, dtype_spell(b->type, want),
                   index_lanes(st->as.store.index, st->as.store.count) > 1 ? " with the lanes of the index" : "",
                   dtype_spell(value->type, have));
}

static void rule_conditions(checker *c, const stmt *st) {
    if (st->kind == STMT_IF) check_condition(c, st, "if", st->as.branch.condition);
    if (st->kind == STMT_WHILE) check_condition(c, st, "while", st->as.loop_while.condition);
    if (st->kind == STMT_ASSERT) check_condition(c, st, "assert", st->as.assertion.condition);
    if (st->kind == STMT_ALLOCATE) check_condition(c, st, "T.allocate", st->as.allocate.condition);
    if (st->kind == STMT_BLOCK) check_condition(c, st, "T.where", st->as.block->where);
}

static void rule_let(checker *c, const stmt *st) {
    if (st->kind != STMT_LET || dtype_equal(st->as.let.var->type, st->as.let.value->type)) return;
    char have[32], want[32];
    diag_error(c->d, place(c, st), "%s is %s, but its value is %s", st->as.let.var->as.var->name,
               dtype_spell(st->as.let.var->type, want), dtype_spell(st->as.let.value->type, have));
}

// The values of iteration variables and the predicate stand outside the block, in the loops around it.
static void rule_block(checker *c, const stmt *st) {
    if (st->kind != STMT_BLOCK) return;
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->iters; i++) {
        const iter *it = &b->iter[i];
        const char *name = it->var->as.var->name;
        if (!it->value) {
            diag_error(c->d, place(c, st), "block %s: the iteration variable %s is bound to nothing", b->name, name);
            continue;
        }
        check_expr(c, st, it->value);
        check_expr(c, st, it->dom.min);
        check_expr(c, st, it->dom.extent);
        check_integer(c, st, name, it->value);
        char have[32], want[32];
        if (!dtype_equal(it->var->type, it->dom.extent->type))
            diag_error(c->d, place(c, st), "block %s: %s is %s, but its extent is %s", b->name, name,
                       dtype_spell(it->var->type, want), dtype_spell(it->dom.extent->type, have));
    }
    check_expr(c, st, b->where);
}

// --- Rules about a block, seen from inside.

static void check_region(checker *c, const stmt *st, const region *r) {
    if (!map_find(&c->buffers, MAP_KEY(r->buf))) {
        undefined_buffer(c, st, r->buf);
        return;
    }
    for (uint32_t i = 0; i < r->buf->rank; i++) {
        check_expr(c, st, r->dim[i].min);
        check_expr(c, st, r->dim[i].extent);
    }
}

static void rule_inside(checker *c, const stmt *st) {
    if (st->kind != STMT_BLOCK) return;
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->reads; i++) check_region(c, st, &b->read[i]);
    for (uint32_t i = 0; i < b->writes; i++) check_region(c, st, &b->write[i]);
    for (uint32_t i = 0; i < b->matches; i++) check_region(c, st, &b->match[i].source);
    expr_list list = {0};
    for (uint32_t i = 0; i < b->allocs; i++) buffer_expressions(b->alloc[i], c->mem, &list);
    for (uint32_t i = 0; i < b->matches; i++) buffer_expressions(b->match[i].inner, c->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) check_expr(c, st, list.at[i]);
}

// A written region is refused where it provably misses an access; a doubt is left to whoever wrote it.
static bool dim_misses(checker *c, range written, range real, const facts *f) {
    if (!dtype_equal(written.min->type, real.min->type) || !dtype_equal(written.extent->type, real.extent->type))
        return false;
    if (!dtype_equal(written.min->type, written.extent->type)) return false;
    const expr *written_end = expr_binary(c->s, EXPR_ADD, written.min, written.extent);
    const expr *real_end = expr_binary(c->s, EXPR_ADD, real.min, real.extent);
    return prove_less(c->s, real.min, written.min, f) || prove_less(c->s, written_end, real_end, f);
}

static const region *find_region(const region *list, uint32_t n, const buffer *b) {
    for (uint32_t i = 0; i < n; i++)
        if (list[i].buf == b) return &list[i];
    return NULL;
}

// A buffer that is missing in the list but stands in `also` is fine: what a reduction reads of its own results is no
// read of it, and stays none where its init has become a block of its own.
static void check_cover(checker *c, const stmt *st, const char *what, const region_list *real, const region *written,
                        uint32_t n, const facts *f, const region *also, uint32_t alsos) {
    const char *name = st->as.block->name;
    for (uint32_t i = 0; i < real->len; i++) {
        const buffer *b = real->at[i].buf;
        const region *said = find_region(written, n, b);
        if (!said && find_region(also, alsos, b)) continue;
        if (!said) {
            diag_error(c->d, place(c, st), "block %s accesses %s, which is missing in %s", name, b->name, what);
            continue;
        }
        for (uint32_t d = 0; d < b->rank; d++)
            if (dim_misses(c, said->dim[d], real->at[i].dim[d], f)) {
                diag_error(c->d, place(c, st), "block %s: dim %u of %s in %s leaves out what the block accesses", name,
                           d, b->name, what);
                break;
            }
    }
}

// Two empty lists say nothing: so TVM prints programs that were written without blocks.
static void rule_regions(checker *c, const stmt *st) {
    if (st->kind != STMT_BLOCK || !st->as.block->regions_written) return;
    const block *b = st->as.block;
    if (!b->reads && !b->writes) return;
    region_list reads = {0}, writes = {0};
    facts *f = facts_new(c->s);
    for (uint32_t i = 0; i < b->iters; i++) facts_range(f, b->iter[i].var, b->iter[i].dom.min, b->iter[i].dom.extent);
    block_regions(c->s, c->mem, b, &reads, &writes);
    check_cover(c, st, "T.reads", &reads, b->read, b->reads, f, b->write, b->writes);
    check_cover(c, st, "T.writes", &writes, b->write, b->writes, f, NULL, 0);
}

// --- The tables.

typedef struct stmt_rule {
    const char *law;
    void (*check)(checker *c, const stmt *st);
} stmt_rule;

static const stmt_rule outside_rules[] = {
    {"variables and buffers are declared before use", rule_expressions},
    {"a variable is bound once at a time", rule_bound_once},
    {"loop bounds are of one integer type", rule_loop},
    {"one thread index has one extent", rule_threads},
    {"stores fit their buffer", rule_store},
    {"conditions are bools", rule_conditions},
    {"a let's value has its type", rule_let},
    {"iteration variables are bound", rule_block},
};
static const stmt_rule inside_rules[] = {
    {"regions and local buffers use what is in scope", rule_inside},
    {"written regions cover the accesses", rule_regions},
};

// --- The walk.

static bool is_closed(const block *b) {
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].kind == ITER_OPAQUE) return false;
    return b->iters > 0;
}

static void enter_block(checker *c, const stmt *st) {
    if (st->kind == STMT_FOR) map_put(&c->loops, MAP_KEY(st->as.loop.var), (void *)(uintptr_t)(c->closed.len + 1));
    if (st->kind == STMT_BLOCK) VEC_PUSH(c->mem, &c->closed, is_closed(st->as.block));
}

static void leave_block(checker *c, const stmt *st) {
    if (st->kind == STMT_FOR) map_put(&c->loops, MAP_KEY(st->as.loop.var), NULL);
    if (st->kind == STMT_BLOCK) c->closed.len--;
}

static void check_body(checker *c) {
    for (stmt_walk w = stmt_walk_from(c->mem, c->f->body); stmt_walk_next(&w);) {
        c->w = &w;
        if (w.leaving) {
            bring(c, w.st, -1);
            leave_block(c, w.st);
            continue;
        }
        for (size_t i = 0; i < COUNT(outside_rules); i++) outside_rules[i].check(c, w.st);
        bring(c, w.st, 1);
        enter_block(c, w.st);
        for (size_t i = 0; i < COUNT(inside_rules); i++) inside_rules[i].check(c, w.st);
    }
}

// --- The signature.

static void bring_dims(checker *c, const buffer *b) {
    for (uint32_t i = 0; i < b->rank; i++)
        if (b->dim[i]->op == EXPR_VAR && !map_find(&c->vars, MAP_KEY(b->dim[i]))) count(&c->vars, b->dim[i], 1);
}

static void check_signature(checker *c) {
    const loop_func *f = c->f;
    for (uint32_t i = 0; i < f->params; i++) {
        if (map_find(&c->vars, MAP_KEY(f->param[i].var)))
            diag_error(c->d, f->at, "%s: parameter %u (%s) appears twice", f->name, i + 1,
                       f->param[i].var->as.var->name);
        count(&c->vars, f->param[i].var, 1);
    }
    for (uint32_t i = 0; i < f->params; i++) {
        if (!f->param[i].buf) continue;
        bring_matched(c, f->param[i].buf, 1);
        bring_dims(c, f->param[i].buf);
    }
    expr_list list = {0};
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].buf) buffer_expressions(f->param[i].buf, c->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) check_expr(c, NULL, list.at[i]);
}

bool loop_verify_forms(const loop_func *f, expr_session *s, diag *d) {
    uint32_t errors = d->errors;
    arena *mem = arena_new();
    checker c = {.f = f,
                 .s = s,
                 .d = d,
                 .mem = mem,
                 .vars = MAP_IN(mem),
                 .buffers = MAP_IN(mem),
                 .loops = MAP_IN(mem),
                 .reported = MAP_IN(mem)};
    check_signature(&c);
    check_body(&c);
    arena_free(mem);
    return d->errors == errors;
}

bool loop_verify(const loop_func *f, expr_session *s, diag *d) {
    return loop_verify_forms(f, s, d) && loop_verify_access(f, s, d);
}
