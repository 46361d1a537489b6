// access.c - every access of a program, with what is known where it stands.
//
// An index is first tried as it is written, under the ranges of the variables around; then with iteration variables
// and lets replaced by what they stand for, under the conditions around. What is not proved is tried for the contrary:
// it is wrong if no value at all lies inside, or if the first or last rounds of the loops, where all conditions
// provably hold, lead outside. For that sizes are taken to be at least 1, and loops that no other determines to run.
#include "loop/access_inside.h"
#include "loop/walk.h"

typedef struct mark {
    facts *known;
    uint32_t rounds, conditions;
} mark;

typedef struct finder {
    access_scope in;
    const loop_func *f;
    const stmt *at;
    doubt_place place;
    map written;           // MAP_KEY(data variable) that the program writes -> anything
    map memory;            // MAP_KEY(data variable) -> the bits behind it
    map lets;              // MAP_KEY(variable of a T.Let) -> its value, without such variables
    bool empty;            // a parameter has a dim of 0: the program has nothing to do, and may say so in any way
    const expr *allocated; // by the T.allocate met last: the buffer declared over it has its extents
    expr_list asked;       // conditions of the T.if_then_else around, in the words of the text, innermost last
    VEC(mark) marks;
    doubt_list *out;
} finder;

// --- What may change while it is known.

static bool is_stable(finder *f, const expr *e) {
    expr_walk w = expr_walk_from(f->in.mem, e);
    for (const expr *n = expr_walk_next(&w); n; n = expr_walk_next(&w)) {
        if (n->op == EXPR_LOAD && map_has(&f->written, MAP_KEY(n->as.buffer->data))) return false;
        if (n->op == EXPR_CALL_FUNC || (n->op == EXPR_CALL && !n->as.intrin->pure)) return false;
    }
    return true;
}

static void note_written(finder *f, const expr *e) {
    expr_walk w = expr_walk_from(f->in.mem, e);
    for (const expr *n = expr_walk_next(&w); n; n = expr_walk_next(&w))
        if (n->op == EXPR_VAR) map_put(&f->written, MAP_KEY(n), f);
}

// The same memory under several names counts as written under all of them.
static void find_written(finder *f) {
    arena *mem = f->in.mem;
    map same = MAP_IN(mem); // data of a match -> data of what it is taken from
    for (stmt_walk w = stmt_walk_from(mem, f->f->body); stmt_walk_next(&w);) {
        const stmt *st = w.st;
        if (w.leaving) continue;
        if (st->kind == STMT_STORE) map_put(&f->written, MAP_KEY(st->as.store.buf->data), f);
        if (st->kind == STMT_EVALUATE) note_written(f, st->as.value);
        for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->matches; i++) {
            const buffer_match *m = &st->as.block->match[i];
            map_put(&same, MAP_KEY(m->inner->data), (void *)(uintptr_t)m->source.buf->data);
        }
    }
    for (uint32_t i = 0; i < f->f->params; i++) {
        const loop_param *p = &f->f->param[i]; // a call gets the handle
        if (p->buf && map_has(&f->written, MAP_KEY(p->var))) map_put(&f->written, MAP_KEY(p->buf->data), f);
    }
    for (uint32_t i = same.len; i-- > 0;) {
        const expr *data = same.entry[i].value;
        if (map_has(&f->written, same.entry[i].key)) map_put(&f->written, MAP_KEY(data), f);
    }
    for (uint32_t i = 0; i < same.len; i++)
        if (map_has(&f->written, MAP_KEY(same.entry[i].value))) map_put(&f->written, same.entry[i].key, f);
}

// --- Asking.

static const expr *wrapped(finder *f, const expr *holds) {
    expr_session *s = f->in.s;
    if (!holds) return NULL;
    for (uint32_t i = f->asked.len; i-- > 0;) {
        if (dtype_lanes(f->asked.at[i]->type) > 1) return NULL;
        const expr *arg[] = {f->asked.at[i], holds, expr_bool(s, true)};
        holds = expr_call(s, intrinsic_get(INTRIN_IF_THEN_ELSE), DTYPE_OF(BOOL), arg, 3);
    }
    return expr_substitute(s, holds, &f->lets);
}

// `refuted`: it is refused where it provably fails.
static void ask(finder *f, const access_wish *wish, const char *what, bool refuted) {
    if (access_holds(&f->in, wish)) return;
    access_doubt d = {.at = f->at, .place = f->place, .what = what};
    if (refuted && !f->empty) d.wrong = access_fails(&f->in, wish);
    d.holds = wrapped(f, access_condition(&f->in, wish));
    VEC_PUSH(f->in.mem, f->out, d);
}

static void ask_index_of(finder *f, const buffer *b, uint32_t dim, const expr *index) {
    const access_wish wish = {index, expr_int(f->in.s, b->dim[dim]->type, 0), b->dim[dim], false};
    ask(f, &wish, arena_format(f->in.mem, "index %u of %s", dim, b->name), true);
}

static void ask_index(finder *f, const buffer *b, const expr *const *index, uint32_t count) {
    for (uint32_t i = 0; i < count && count == b->rank; i++) ask_index_of(f, b, i, index[i]);
}

// --- What is wrong wherever it stands.

static void refuse(finder *f, const char *what, const char *wrong) {
    if (f->empty || access_contradicts(&f->in, f->in.known)) return;
    VEC_PUSH(f->in.mem, f->out, ((access_doubt){.at = f->at, .place = f->place, .what = what, .wrong = wrong}));
}

static const expr *one_lane(const expr *e) { return e->op == EXPR_BROADCAST ? e->in[0] : e; }

static void ask_divisor(finder *f, const expr *e) {
    const expr *divisor = one_lane(e->in[1]);
    if (!expr_is_index(divisor) || divisor->op == EXPR_VAR) return;
    if (!prove_equal(f->in.s, divisor, expr_int(f->in.s, divisor->type, 0), NULL)) return;
    refuse(f, access_shown(&f->in, e), "divides by zero");
}

static void ask_shift(finder *f, const expr *e) {
    int64_t by;
    unsigned bits = dtype_bits(dtype_scalar(e->type));
    if (!expr_const_int(one_lane(e->in[1]), &by) || (by >= 0 && by < (int64_t)bits)) return;
    refuse(f, access_shown(&f->in, e),
           arena_format(f->in.mem, "shifts by %lld; want 0 to %u", (long long)by, bits - 1));
}

static void ask_operation(finder *f, const expr *e) {
    if (e->op >= EXPR_FLOOR_DIV && e->op <= EXPR_TRUNC_MOD) ask_divisor(f, e);
    if (e->op == EXPR_CALL && (e->as.intrin->id == INTRIN_SHIFT_LEFT || e->as.intrin->id == INTRIN_SHIFT_RIGHT))
        ask_shift(f, e);
}

// Sizes: of loops, of buffers.
static void ask_size(finder *f, const expr *size, const char *what) {
    if (!expr_is_index(size)) return;
    const expr *zero = expr_int(f->in.s, size->type, 0);
    bool always = prove_less(f->in.s, size, zero, f->in.known);
    if (!always && (access_contradicts(&f->in, f->in.sizes) || !prove_less(f->in.s, size, zero, f->in.sizes))) return;
    refuse(f, what, arena_format(f->in.mem, "is %s, which is negative", access_shown(&f->in, size)));
}

static void ask_dims(finder *f, const buffer *b) {
    for (uint32_t i = 0; i < b->rank; i++) ask_size(f, b->dim[i], arena_format(f->in.mem, "dim %u of %s", i, b->name));
}

// --- Expressions.

static mark now(const finder *f) { return (mark){f->in.known, f->in.rounds.len, f->in.conditions.len}; }

static void back_to(finder *f, mark m) {
    f->in.known = m.known;
    f->in.rounds.len = m.rounds;
    f->in.conditions.len = m.conditions;
}

static void assume(finder *f, const expr *condition, bool holds) {
    if (dtype_lanes(condition->type) > 1) {
        // It may hold for some lanes: nothing is known, not even that the place is reached.
        access_assume(&f->in, expr_bool(f->in.s, false), false);
        return;
    }
    access_assume(&f->in, holds ? condition : expr_not(f->in.s, condition), is_stable(f, condition));
}

static void find_loads(finder *f, const expr *root);

static void find_choice(finder *f, const expr *e) {
    find_loads(f, e->in[0]);
    for (uint32_t side = 0; side < 2; side++) {
        mark m = now(f);
        assume(f, e->in[0], side == 0);
        VEC_PUSH(f->in.mem, &f->asked, side == 0 ? e->in[0] : expr_not(f->in.s, e->in[0]));
        find_loads(f, e->in[1 + side]);
        f->asked.len--;
        back_to(f, m);
    }
}

static void find_let(finder *f, const expr *e) {
    find_loads(f, e->in[1]);
    access_let(&f->in, e->in[0], e->in[1], is_stable(f, e->in[1]));
    map_put(&f->lets, MAP_KEY(e->in[0]), (void *)(uintptr_t)expr_substitute(f->in.s, e->in[1], &f->lets));
    find_loads(f, e->in[2]);
}

// Outer loads are found first and asked for last: an index that is read from memory is checked before it is used.
static void find_loads(finder *f, const expr *root) {
    if (!root || (!root->count && root->op != EXPR_LOAD)) return;
    arena *mem = f->in.mem;
    map seen = MAP_IN(mem);
    expr_list todo = {0}, found = {0};
    VEC_PUSH(mem, &todo, root);
    while (todo.len) {
        const expr *e = todo.at[--todo.len];
        if (map_has(&seen, MAP_KEY(e))) continue;
        map_put(&seen, MAP_KEY(e), f);
        bool scopes = expr_is_choice(e) || e->op == EXPR_LET;
        ask_operation(f, e);
        if (scopes || e->op == EXPR_LOAD) VEC_PUSH(mem, &found, e);
        for (uint32_t i = 0; i < e->count && !scopes; i++)
            if (e->in[i]->count || e->in[i]->op == EXPR_LOAD) VEC_PUSH(mem, &todo, e->in[i]);
    }
    while (found.len) {
        const expr *e = found.at[--found.len];
        if (e->op == EXPR_LOAD)
            ask_index(f, e->as.buffer, e->in, e->count);
        else if (e->op == EXPR_LET)
            find_let(f, e);
        else
            find_choice(f, e);
    }
}

// --- Statements, before their children.

static void find_in_statement(finder *f, const stmt *st) {
    expr_list list = {0};
    stmt_expressions(st, f->in.mem, &list);
    for (uint32_t i = 0; i < list.len; i++) find_loads(f, list.at[i]);
}

// Lanes of a store may be left out: then it takes a proof for all.
static void enter_store(finder *f, const stmt *st) {
    find_in_statement(f, st);
    mark m = now(f);
    if (st->as.store.predicate) access_assume(&f->in, expr_bool(f->in.s, false), false);
    ask_index(f, st->as.store.buf, st->as.store.index, st->as.store.count);
    back_to(f, m);
}

static void enter_loop(finder *f, const expr *var, const expr *min, const expr *extent) {
    access_loop(&f->in, var, min, extent, is_stable(f, min) && is_stable(f, extent));
}

static const expr *end_of(finder *f, range r) {
    if (expr_is_int(r.min, 0) || !dtype_equal(r.min->type, r.extent->type)) return r.extent;
    return expr_binary(f->in.s, EXPR_ADD, r.min, r.extent);
}

static void enter_iter(finder *f, const block *b, const iter *it) {
    const char *name = it->var->as.var->name;
    access_wish wish = {it->value, it->dom.min, end_of(f, it->dom), false};
    bool stable = is_stable(f, it->value);
    access_let(&f->in, it->var, it->value, stable);
    if (!access_holds(&f->in, &wish)) {
        wish.value = it->var; // computed once
        ask(f, &wish, arena_format(f->in.mem, "the iteration variable %s of block %s", name, b->name),
            it->dom.min->op == EXPR_INT);
    }
    f->in.known = facts_push(f->in.known);
    facts_range(f->in.known, it->var, it->dom.min, it->dom.extent);
}

static void ask_part(finder *f, const expr *value, const expr *end, const char *what, bool refuted) {
    const access_wish wish = {value, expr_int(f->in.s, end->type, 0), end, true};
    ask(f, &wish, what, refuted);
}

// A box lies within what it is taken from. Its last dims are those of its buffer, the others have one element.
static void ask_box(finder *f, const buffer_match *m) {
    const buffer *from = m->source.buf, *b = m->inner;
    for (uint32_t i = 0; i < from->rank && b->rank <= from->rank; i++) {
        const expr *min = m->source.dim[i].min, *extent = expr_int(f->in.s, min->type, 1);
        if (i + b->rank >= from->rank) extent = b->dim[i + b->rank - from->rank];
        if (!dtype_equal(min->type, extent->type))
            min = access_index(&f->in, min), extent = access_index(&f->in, extent);
        ask_part(f, min, from->dim[i],
                 arena_format(f->in.mem, "the begin of %s in dim %u of %s", b->name, i, from->name), true);
        ask_part(f, expr_binary(f->in.s, EXPR_ADD, min, extent), from->dim[i],
                 arena_format(f->in.mem, "the end of %s in dim %u of %s", b->name, i, from->name), true);
    }
}

// Bits of so many elements of the type.
static const expr *bits_of(finder *f, dtype type, const expr *elements) {
    return expr_binary(f->in.s, EXPR_MUL, elements, expr_i64(f->in.s, (int64_t)dtype_bits(type) * dtype_lanes(type)));
}

// How many elements lie between the first and behind the last.
static const expr *elements_of(finder *f, const expr *const *dim, const expr *const *stride, uint32_t rank) {
    const expr *one = expr_i64(f->in.s, 1), *count = one;
    for (uint32_t i = 0; i < rank; i++) {
        const expr *d = access_index(&f->in, dim[i]);
        if (stride)
            d = expr_binary(f->in.s, EXPR_MUL, expr_binary(f->in.s, EXPR_SUB, d, one), access_index(&f->in, stride[i]));
        count = i == 0 && !stride ? d : expr_binary(f->in.s, stride ? EXPR_ADD : EXPR_MUL, count, d);
    }
    return count;
}

static void note_memory(finder *f, const expr *data, dtype type, const expr *const *dim, uint32_t rank) {
    for (uint32_t i = 0; i < rank; i++)
        if (!expr_is_index(dim[i])) return;
    map_put(&f->memory, MAP_KEY(data), (void *)(uintptr_t)bits_of(f, type, elements_of(f, dim, NULL, rank)));
}

// A view lies within the memory it is declared over. One that is larger is no mistake yet: TVM pads strides so.
static void ask_view(finder *f, const buffer *b) {
    const expr *room = map_find(&f->memory, MAP_KEY(b->data)), *count = elements_of(f, b->dim, b->stride, b->rank);
    const char *name = b->data->as.var->name;
    if (!room) {
        VEC_PUSH(f->in.mem, f->out,
                 ((access_doubt){.at = f->at, .what = arena_format(f->in.mem, "%s, over %s,", b->name, name)}));
        return;
    }
    const expr *from = b->elem_offset ? access_index(&f->in, b->elem_offset) : expr_i64(f->in.s, 0);
    const expr *end = bits_of(f, b->type, expr_binary(f->in.s, EXPR_ADD, from, count));
    if (b->elem_offset)
        ask_part(f, bits_of(f, b->type, from), room,
                 arena_format(f->in.mem, "the first bit of %s over %s", b->name, name), false);
    ask_part(f, end, room, arena_format(f->in.mem, "the last bit of %s over %s", b->name, name), false);
}

static void enter_block(finder *f, const stmt *st) {
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->allocs; i++) {
        ask_dims(f, b->alloc[i]);
        note_memory(f, b->alloc[i]->data, b->alloc[i]->type, b->alloc[i]->dim, b->alloc[i]->rank);
    }
    for (uint32_t i = 0; i < b->iters; i++) find_loads(f, b->iter[i].value);
    find_loads(f, b->where);
    if (b->where) assume(f, b->where, true);
    f->place = DOUBT_INSIDE;
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].value) enter_iter(f, b, &b->iter[i]);
    for (uint32_t i = 0; i < b->matches; i++) ask_box(f, &b->match[i]);
}

static void enter(finder *f, const stmt *st) {
    f->at = st;
    f->place = st->kind == STMT_WHILE ? DOUBT_AGAIN : DOUBT_AROUND;
    switch (st->kind) {
    case STMT_SEQ: return;
    case STMT_STORE: enter_store(f, st); return;
    case STMT_BLOCK: enter_block(f, st); return;
    case STMT_FOR:
        find_in_statement(f, st);
        ask_size(f, st->as.loop.extent,
                 arena_format(f->in.mem, "the extent of loop %s", st->as.loop.var->as.var->name));
        enter_loop(f, st->as.loop.var, st->as.loop.min, st->as.loop.extent);
        return;
    case STMT_LET:
        find_in_statement(f, st);
        access_let(&f->in, st->as.let.var, st->as.let.value, is_stable(f, st->as.let.value));
        return;
    case STMT_ATTR:
        find_loads(f, st->as.attribute.value);
        if (st->as.attribute.var && expr_is_index(st->as.attribute.value))
            enter_loop(f, st->as.attribute.var, expr_int(f->in.s, st->as.attribute.value->type, 0),
                       st->as.attribute.value);
        return;
    case STMT_WHILE:
        find_in_statement(f, st);
        access_assume(&f->in, st->as.loop_while.condition, false); // the body may change what it asks
        return;
    case STMT_ASSERT:
        find_in_statement(f, st);
        assume(f, st->as.assertion.condition, true);
        return;
    case STMT_ALLOCATE:
        find_in_statement(f, st);
        f->allocated = st->as.allocate.var;
        note_memory(f, st->as.allocate.var, st->as.allocate.type, st->as.allocate.extent, st->as.allocate.rank);
        for (uint32_t i = 0; i < st->as.allocate.rank; i++)
            ask_size(f, st->as.allocate.extent[i],
                     arena_format(f->in.mem, "extent %u of %s", i, st->as.allocate.var->as.var->name));
        return;
    case STMT_DECL_BUFFER:
        find_in_statement(f, st);
        if (st->as.declare.buf->data != f->allocated) ask_dims(f, st->as.declare.buf);
        ask_view(f, st->as.declare.buf);
        return;
    case STMT_IF:
    case STMT_EVALUATE: find_in_statement(f, st); return;
    }
}

// The condition of an `if` is known in its branches.
static void enter_branch(finder *f, const stmt *st, const stmt *parent) {
    if (!parent || parent->kind != STMT_IF) return;
    assume(f, parent->as.branch.condition, st == parent->as.branch.then);
}

// --- The program.

static void know_sizes(finder *f) {
    facts *known = f->in.known = facts_new(f->in.s), *sizes = facts_new(f->in.s);
    for (uint32_t i = 0; i < f->f->params; i++) {
        const buffer *b = f->f->param[i].buf;
        for (uint32_t d = 0; b && d < b->rank; d++) {
            f->empty |= expr_is_int(b->dim[d], 0);
            if (!expr_is_index(b->dim[d]) || b->dim[d]->op == EXPR_INT) continue;
            facts_assume(known, expr_binary(f->in.s, EXPR_LE, expr_int(f->in.s, b->dim[d]->type, 0), b->dim[d]));
            facts_assume(sizes, expr_binary(f->in.s, EXPR_LE, expr_int(f->in.s, b->dim[d]->type, 1), b->dim[d]));
        }
    }
    f->in.sizes = sizes;
}

static void enter_param(finder *f, const buffer *b) {
    ask_dims(f, b);
    note_memory(f, b->data, b->type, b->dim, b->rank);
}

void loop_find_doubts(expr_session *s, arena *mem, const loop_func *func, doubt_list *out) {
    finder f = {.in = {.s = s, .mem = mem, .loaded = MAP_IN(mem), .meaning = MAP_IN(mem)},
                .f = func,
                .written = MAP_IN(mem),
                .memory = MAP_IN(mem),
                .lets = MAP_IN(mem),
                .out = out};
    find_written(&f);
    know_sizes(&f);
    for (uint32_t i = 0; i < func->params; i++)
        if (func->param[i].buf) enter_param(&f, func->param[i].buf);
    for (stmt_walk w = stmt_walk_from(mem, func->body); stmt_walk_next(&w);) {
        uint32_t depth = stmt_walk_depth(&w);
        if (w.leaving) {
            back_to(&f, f.marks.at[--f.marks.len]);
            continue;
        }
        VEC_PUSH(mem, &f.marks, now(&f));
        enter_branch(&f, w.st, depth ? stmt_walk_open(&w, depth - 1) : NULL);
        enter(&f, w.st);
    }
}
