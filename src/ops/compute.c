// compute.c - compiles compute text: reads it, and makes one nest of loops around one block per statement.
#include "ops/compute_nest.h"
#include <math.h>
#include <string.h>

enum { MAX_RANK = 64 };

// --- Names a text may use.
static void put_name(program *p, const char *name, const compute_name *value) {
    if (!text_map_find(&p->constants, name)) text_map_put(&p->constants, name, (void *)(uintptr_t)value);
}

static comp_tensor *put_tensor(program *p, const char *name, const comp_tensor *like) {
    comp_tensor *t = ARENA_NEW(p->mem, comp_tensor, 1);
    *t = *like;
    t->name = name;
    text_map_put(&p->tensors, name, t);
    return t;
}

static const expr *attr_number(program *p, const attr *a) {
    switch (a->kind) {
    case ATTR_BOOL: return expr_bool(p->s, a->as.i != 0);
    case ATTR_INT: return expr_i64(p->s, a->as.i);
    case ATTR_FLOAT: return expr_float(p->s, DTYPE_OF(F64), a->as.f);
    case ATTR_EXPR: return a->as.e;
    case ATTR_NONE:
    case ATTR_STRING:
    case ATTR_DTYPE:
    case ATTR_LIST:
    case ATTR_DICT:
    case ATTR_INDEX_MAP:
    case ATTR_REDUCER:
    case ATTR_BUFFER:
    case ATTR_FUNC: return NULL;
    }
    return NULL;
}

static void put_attr(program *p, const char *name, const attr *a) {
    compute_name *c = ARENA_NEW(p->mem, compute_name, 1);
    *c = (compute_name){.name = name, .value = attr_number(p, a), .is_none = a->kind == ATTR_NONE};
    if (a->kind == ATTR_DTYPE) c->type = a->as.type;
    if (a->kind == ATTR_LIST) {
        const expr **list = ARENA_NEW(p->mem, const expr *, a->count);
        for (uint32_t i = 0; i < a->count; i++) list[i] = attr_number(p, a->list[i]);
        c->list = list;
        c->count = a->count;
        c->is_list = true;
    }
    put_name(p, name, c);
}

static void put_attrs(program *p) {
    const op *o = p->n->op;
    for (uint32_t i = 0; i < op_attrs(o); i++)
        if (p->n->attr[i]) put_attr(p, o->attr[i].name, p->n->attr[i]);
}

// A scalar operand (R.prim_value) is a constant of the text by its input's name.
static void put_prims(program *p) {
    const op *o = p->n->op;
    for (uint32_t i = 0; i < p->n->count && i < op_inputs(o); i++) {
        const ann *a = p->n->in[i]->type;
        if (a->kind != ANN_PRIM || !a->value) continue;
        compute_name *c = ARENA_NEW(p->mem, compute_name, 1);
        *c = (compute_name){.name = o->input[i].name, .value = a->value};
        put_name(p, c->name, c);
        put_tensor(p, c->name, &(comp_tensor){.type = a->value->type, .scalar = a->value});
    }
}

// --- Buffers of the operands.
static const buffer *new_buffer(program *p, const char *name, dtype type, const expr *const *dim, uint32_t rank) {
    return buffer_new(p->s, name, type, dim, rank, "global");
}

static const char *buffer_name(program *p, const operand_buffer *o) {
    if (o->output) return strcmp(o->name, "out") == 0 ? p->prefix : arena_format(p->mem, "%s_%s", p->prefix, o->name);
    const node *of = p->n->in[o->operand];
    return o->field < 0 && of->name ? of->name : o->name;
}

static const buffer **put_operands(program *p, const operand_list *list) {
    const buffer **buf = ARENA_NEW(p->mem, const buffer *, list->len);
    for (uint32_t i = 0; i < list->len; i++) {
        const operand_buffer *o = &list->at[i];
        comp_tensor t = {.type = o->type->type,
                         .rank = (uint32_t)o->type->rank,
                         .dim = o->type->dim,
                         .scalar = o->scalar,
                         .output = o->output};
        if (!t.scalar) t.buf = buf[i] = new_buffer(p, buffer_name(p, o), t.type, t.dim, t.rank);
        put_tensor(p, o->name, &t);
    }
    return buf;
}

// --- One statement.
static const expr *identity(nest *z, update u, dtype type) {
    expr_session *s = z->p->s;
    bool real = dtype_is_float(type), max = u == UPDATE_MAX;
    if (u == UPDATE_ADD || u == UPDATE_MUL)
        return real ? expr_float(s, type, u == UPDATE_MUL) : expr_int(s, type, u == UPDATE_MUL);
    if (real) return expr_float(s, type, max ? -(double)INFINITY : (double)INFINITY);
    return expr_int(s, type, max ? dtype_int_min(type) : (int64_t)dtype_int_max(type));
}

static const expr *combine(nest *z, update u, const expr *acc, const expr *value) {
    static const expr_op ops[] = {
        [UPDATE_ADD] = EXPR_ADD, [UPDATE_MUL] = EXPR_MUL, [UPDATE_MAX] = EXPR_MAX, [UPDATE_MIN] = EXPR_MIN};
    return nest_arith(z, ops[u], acc, value);
}

// T_take, T_take_1, …: schedules find blocks by name.
static const char *block_name(program *p, const char *wish) {
    const char *name = wish;
    p->blocks.mem = p->mem;
    for (uint32_t i = 1; text_map_find(&p->blocks, name); i++) name = arena_format(p->mem, "%s_%u", wish, i);
    text_map_put(&p->blocks, name, p);
    return name;
}

const stmt *nest_loops(nest *z, const block *b) {
    program *p = z->p;
    iter *iters = ARENA_NEW(p->mem, iter, z->order.len);
    const expr **loop = ARENA_NEW(p->mem, const expr *, z->order.len);
    for (uint32_t i = 0; i < z->order.len; i++) {
        const index_element *e = &z->element.at[z->order.at[i]];
        loop[i] = expr_new_var(p->s, e->name, DTYPE_OF(I64));
        iters[i] = (iter){.var = e->var,
                          .kind = e->spatial ? ITER_SPATIAL : ITER_REDUCE,
                          .dom = {expr_i64(p->s, 0), e->extent},
                          .value = loop[i]};
    }
    block whole = *b;
    whole.name = block_name(p, b->name);
    whole.iters = z->order.len;
    whole.iter = iters;
    const stmt *st = stmt_block(p->mem, &whole);
    for (uint32_t i = z->order.len; i-- > 0;)
        st = stmt_for(p->mem, FOR_SERIAL, loop[i], expr_i64(p->s, 0), iters[i].dom.extent, st);
    return st;
}

static bool reduces(const nest *z) {
    for (uint32_t i = 0; i < z->order.len; i++)
        if (!z->element.at[z->order.at[i]].spatial) return true;
    return false;
}

// The local a statement sets first: its dims are the extents of what stands on the left.
static comp_tensor *new_local(nest *z, dtype type) {
    program *p = z->p;
    const term *target = z->st->target;
    uint32_t rank = nest_written_rank(z, target);
    slot slots[MAX_RANK];
    if (!nest_slots(z, target, rank, slots)) return NULL;
    const expr **dim = ARENA_NEW(p->mem, const expr *, rank);
    for (uint32_t i = 0; i < rank; i++) {
        int32_t k = nest_plain(z, &slots[i]);
        if (k < 0) return nest_fail(z, target->at, "`%s` is new: want plain indices", target->name), NULL;
        dim[i] = z->element.at[k].extent;
    }
    comp_tensor t = {.type = type, .rank = rank, .dim = dim};
    t.buf = new_buffer(p, arena_format(p->mem, "%s_%s", p->prefix, target->name), type, dim, rank);
    VEC_PUSH(p->mem, &p->allocs, t.buf);
    return put_tensor(p, target->name, &t);
}

static bool sums(update u) { return u == UPDATE_ADD || u == UPDATE_MUL; }

// The type of a local: that of its value, sums in the accumulator's.
static comp_tensor *declare_target(nest *z) {
    comp_tensor *t = nest_tensor(z, z->st->target);
    if (t) return t;
    const expr *value = nest_value(z, z->st->value, -1, (dtype){0});
    return z->failed ? NULL : new_local(z, sums(z->st->update) ? accumulator(value->type) : value->type);
}

typedef struct stored {
    const expr *index[MAX_RANK];
    uint32_t rank;
} stored;

static bool target_index(nest *z, const comp_tensor *t, stored *out) {
    slot slots[MAX_RANK];
    if (!nest_slots(z, z->st->target, t->rank, slots)) return false;
    for (uint32_t i = 0; i < t->rank; i++) out->index[i] = nest_position(z, i, &slots[i], t->dim);
    out->rank = t->rank;
    return true;
}

static bool emit_set(nest *z, const comp_tensor *t) {
    program *p = z->p;
    stored at;
    if (!target_index(z, t, &at)) return false;
    dtype want = nest_adapts(z, z->st->value) ? t->type : (dtype){0};
    const expr *value = nest_convert(z, nest_value(z, z->st->value, -1, want), t->type);
    if (z->failed) return false;
    const stmt *store = stmt_store(p->mem, t->buf, at.index, at.rank, value);
    const expr *where = z->st->where ? nest_condition(z, z->st->where) : NULL;
    if (where && !expr_is_int(where, 1)) store = stmt_if(p->mem, where, store, NULL);
    VEC_PUSH(p->mem, &p->body, nest_loops(z, &(block){.name = t->buf->name, .body = store}));
    return !z->failed;
}

static bool emit_reduction(nest *z, const comp_tensor *t) {
    program *p = z->p;
    update u = z->st->update;
    stored at;
    if (!target_index(z, t, &at)) return false;
    dtype want = sums(u) || nest_adapts(z, z->st->value) ? t->type : (dtype){0};
    const expr *value = nest_convert(z, nest_value(z, z->st->value, -1, want), t->type);
    if (z->failed) return false;
    const expr *acc = expr_load(p->s, t->buf, t->type, at.index, at.rank);
    const stmt *init = stmt_store(p->mem, t->buf, at.index, at.rank, identity(z, u, t->type));
    const stmt *step = stmt_store(p->mem, t->buf, at.index, at.rank, combine(z, u, acc, value));
    if (!reduces(z)) init = NULL, step = stmt_store(p->mem, t->buf, at.index, at.rank, value);
    VEC_PUSH(p->mem, &p->body, nest_loops(z, &(block){.name = t->buf->name, .init = init, .body = step}));
    return true;
}

// Into a half-precision tensor: into a local of the accumulator's type, then rounded once. Maxima are the same either
// way; of halves they are no instruction: rows of 4096, 650 to 14 us, their softmax 750 to 115.
static bool emit_wide(nest *z, const comp_tensor *t) {
    program *p = z->p;
    stored at;
    if (!target_index(z, t, &at)) return false;
    comp_tensor wide = *t;
    wide.type = accumulator(t->type);
    wide.buf = new_buffer(p, arena_format(p->mem, "%s_acc", t->buf->name), wide.type, t->dim, t->rank);
    VEC_PUSH(p->mem, &p->allocs, wide.buf);
    if (!emit_reduction(z, &wide)) return false;
    nest copy = {.p = p, .st = z->st, .element = z->element};
    uint32_t spatial = 0;
    for (uint32_t i = 0; i < z->order.len; i++) spatial += z->element.at[z->order.at[i]].spatial;
    for (uint32_t i = 0; i < spatial; i++) VEC_PUSH(p->mem, &copy.order, z->order.at[i]);
    const expr *sum = expr_cast(p->s, t->type, expr_load(p->s, wide.buf, wide.type, at.index, at.rank));
    const stmt *store = stmt_store(p->mem, t->buf, at.index, at.rank, sum);
    const stmt *loops = nest_loops(&copy, &(block){.name = t->buf->name, .body = store});
    VEC_PUSH(p->mem, &p->body, stmt_refresh(p->s, p->mem, loops));
    return true;
}

static bool emit_scan(nest *z, const comp_tensor *t) {
    stored at;
    const stmt *loops = target_index(z, t, &at) ? nest_scan(z, t, at.index) : NULL;
    if (loops) VEC_PUSH(z->p->mem, &z->p->body, loops);
    return loops != NULL;
}

static bool emit(program *p, const statement *st, const statement *const *spans, uint32_t span_count) {
    nest z = {.p = p, .st = st};
    if (!nest_indices(&z, spans, span_count)) return false;
    comp_tensor *t = declare_target(&z);
    if (!t || z.failed) return false;
    p->reduces = reduces(&z);
    if (st->update == UPDATE_SET) return emit_set(&z, t);
    if (st->update == UPDATE_SCAN_ADD || st->update == UPDATE_SCAN_MUL) return emit_scan(&z, t);
    bool wide = !dtype_equal(accumulator(t->type), t->type) && reduces(&z);
    return wide ? emit_wide(&z, t) : emit_reduction(&z, t);
}

// --- The whole text.
static bool emit_all(program *p, const statement_list *list) {
    VEC(const statement *) ranges = {0};
    for (uint32_t i = 0; i < list->len; i++) {
        const statement *st = &list->at[i];
        if (st->update == UPDATE_RANGE)
            VEC_PUSH(p->mem, &ranges, st);
        else if (!emit(p, st, ranges.at, ranges.len))
            return false;
    }
    return true;
}

// T_add for what computes each element by itself, matmul for what ends in a reduction, as TVM has it.
static const char *program_prefix(const lower_ctx *c, const node *n, const statement_list *list) {
    const char *last = strrchr(n->op->name, '.');
    const char *name = last ? last + 1 : n->op->name;
    bool reduces = list->len && list->at[list->len - 1].update != UPDATE_SET && list->len == 1;
    return reduces ? name : arena_format(c->mem, "T_%s", name);
}

const loop_func *compute_build(const lower_ctx *c, const node *n, const char *meaning, const compute_name *names,
                               uint32_t count) {
    statement_list list = {0};
    operand_list operands = {0};
    if (c->text) *c->text = meaning;
    if (!compute_read(c->mem, meaning, &list, c->d) || !operand_buffers(c, n, &operands)) return NULL;
    program p = {.c = c,
                 .n = n,
                 .mem = c->mem,
                 .s = c->exprs,
                 .tensors = TEXT_MAP_IN(c->mem),
                 .constants = TEXT_MAP_IN(c->mem),
                 .prefix = program_prefix(c, n, &list)};
    for (uint32_t i = 0; i < count; i++) put_name(&p, names[i].name, &names[i]);
    put_prims(&p);
    put_attrs(&p);
    const buffer **buf = put_operands(&p, &operands);
    if (!emit_all(&p, &list)) return NULL;
    return compute_program(c, &operands, buf, stmt_seq(c->mem, p.body.at, p.body.len), p.allocs.at, p.allocs.len);
}

// The operand stands in the text as a scalar constant does.
const expr *compute_element(const lower_ctx *c, const node *n, const op *what, const expr *x) {
    statement_list list = {0};
    program p = {
        .c = c, .n = n, .mem = c->mem, .s = c->exprs, .tensors = TEXT_MAP_IN(c->mem), .constants = TEXT_MAP_IN(c->mem)};
    if (!compute_read(c->mem, what->compute, &list, c->d)) return NULL;
    CHECK(list.len == 1 && list.at[0].update == UPDATE_SET);
    put_tensor(&p, what->input[0].name, &(comp_tensor){.type = x->type, .scalar = x});
    nest z = {.p = &p, .st = list.at};
    const expr *value = nest_convert(&z, nest_value(&z, list.at[0].value, -1, x->type), x->type);
    return z.failed ? NULL : value;
}
