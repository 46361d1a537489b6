// loop.c - building statements and looking at their children and expressions.
#include "loop/loop.h"
#include <string.h>

// --- Building.

static const expr *const *copy_exprs(arena *mem, const expr *const *list, uint32_t count) {
    const expr **copy = ARENA_NEW(mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = list[i];
    return copy;
}

buffer *buffer_new(expr_session *s, const char *name, dtype type, const expr *const *dim, uint32_t rank,
                   const char *scope) {
    arena *mem = expr_arena(s);
    buffer *b = ARENA_NEW(mem, buffer, 1);
    b->name = expr_name(s, name, strlen(name));
    b->type = type;
    b->rank = rank;
    b->dim = copy_exprs(mem, dim, rank);
    b->scope = expr_name(s, scope, strlen(scope));
    b->data = expr_new_var(s, name, DTYPE_OF(HANDLE));
    return b;
}

static stmt *stmt_new(arena *mem, stmt_kind kind) {
    stmt *st = ARENA_NEW(mem, stmt, 1);
    st->kind = kind;
    return st;
}

const stmt *stmt_copy(arena *mem, const stmt *like) {
    stmt *st = ARENA_NEW(mem, stmt, 1);
    *st = *like;
    return st;
}

static uint32_t flat_count(const stmt *const *list, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) total += list[i]->kind == STMT_SEQ ? list[i]->as.seq.count : 1;
    return total;
}

bool buffer_is_static(const buffer *b) {
    for (uint32_t i = 0; i < b->rank; i++)
        if (b->dim[i]->op != EXPR_INT) return false;
    return true;
}

const stmt *stmt_seq(arena *mem, const stmt *const *list, uint32_t count) {
    if (count == 1) return list[0];
    const stmt **flat = ARENA_NEW(mem, const stmt *, flat_count(list, count));
    uint32_t len = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool nested = list[i]->kind == STMT_SEQ;
        const stmt *const *part = nested ? list[i]->as.seq.list : &list[i];
        uint32_t parts = nested ? list[i]->as.seq.count : 1;
        for (uint32_t j = 0; j < parts; j++) flat[len++] = part[j];
    }
    if (len == 1) return flat[0];
    stmt *st = stmt_new(mem, STMT_SEQ);
    if (count) st->at = list[0]->at;
    st->as.seq.list = flat;
    st->as.seq.count = len;
    return st;
}

const stmt *stmt_for(arena *mem, for_kind kind, const expr *var, const expr *min, const expr *extent,
                     const stmt *body) {
    stmt *st = stmt_new(mem, STMT_FOR);
    st->at = body->at;
    st->as.loop.var = var;
    st->as.loop.min = min;
    st->as.loop.extent = extent;
    st->as.loop.kind = kind;
    st->as.loop.body = body;
    return st;
}

static void *copy_list(arena *mem, const void *list, uint32_t count, size_t size) {
    void *copy = arena_take(mem, count, size);
    return count ? memcpy(copy, list, count * size) : copy;
}

const stmt *stmt_block(arena *mem, const block *b) {
    block *copy = copy_list(mem, b, 1, sizeof *b);
    copy->iter = copy_list(mem, b->iter, b->iters, sizeof *b->iter);
    copy->read = copy_list(mem, b->read, b->reads, sizeof *b->read);
    copy->write = copy_list(mem, b->write, b->writes, sizeof *b->write);
    copy->alloc = copy_list(mem, b->alloc, b->allocs, sizeof *b->alloc);
    copy->match = copy_list(mem, b->match, b->matches, sizeof *b->match);
    stmt *st = stmt_new(mem, STMT_BLOCK);
    st->at = b->body->at;
    st->as.block = copy;
    return st;
}

const stmt *stmt_store(arena *mem, const buffer *buf, const expr *const *index, uint32_t count, const expr *value) {
    stmt *st = stmt_new(mem, STMT_STORE);
    st->as.store.buf = buf;
    st->as.store.count = count;
    st->as.store.index = copy_exprs(mem, index, count);
    st->as.store.value = value;
    return st;
}

const stmt *stmt_evaluate(arena *mem, const expr *value) {
    stmt *st = stmt_new(mem, STMT_EVALUATE);
    st->as.value = value;
    return st;
}

const stmt *stmt_let(arena *mem, const expr *var, const expr *value, const stmt *body) {
    stmt *st = stmt_new(mem, STMT_LET);
    st->at = body->at;
    st->as.let.var = var;
    st->as.let.value = value;
    st->as.let.body = body;
    return st;
}

const stmt *stmt_if(arena *mem, const expr *condition, const stmt *then, const stmt *otherwise) {
    stmt *st = stmt_new(mem, STMT_IF);
    st->at = then->at;
    st->as.branch.condition = condition;
    st->as.branch.then = then;
    st->as.branch.otherwise = otherwise;
    return st;
}

// --- Children.

// Where the children of a statement stand, in order; absent ones are left out. Sequences are not asked.
static uint32_t child_slots(stmt *st, block *b, const stmt ***slot) {
    uint32_t count = 0;
    switch (st->kind) {
    case STMT_SEQ:
    case STMT_STORE:
    case STMT_EVALUATE: break;
    case STMT_FOR: slot[count++] = &st->as.loop.body; break;
    case STMT_BLOCK:
        if (b->init) slot[count++] = &b->init;
        slot[count++] = &b->body;
        break;
    case STMT_LET: slot[count++] = &st->as.let.body; break;
    case STMT_IF:
        slot[count++] = &st->as.branch.then;
        if (st->as.branch.otherwise) slot[count++] = &st->as.branch.otherwise;
        break;
    case STMT_WHILE: slot[count++] = &st->as.loop_while.body; break;
    case STMT_ALLOCATE: slot[count++] = &st->as.allocate.body; break;
    case STMT_DECL_BUFFER: slot[count++] = &st->as.declare.body; break;
    case STMT_ATTR: slot[count++] = &st->as.attribute.body; break;
    case STMT_ASSERT:
        if (st->as.assertion.body) slot[count++] = &st->as.assertion.body;
        break;
    }
    return count;
}

const stmt *stmt_child(const stmt *st, uint32_t i) {
    if (st->kind == STMT_SEQ) return i < st->as.seq.count ? st->as.seq.list[i] : NULL;
    stmt copy = *st;
    block b = {0};
    if (st->kind == STMT_BLOCK) b = *st->as.block;
    const stmt **slot[2];
    return i < child_slots(&copy, &b, slot) ? *slot[i] : NULL;
}

static const stmt *seq_with(arena *mem, const stmt *st, const stmt *const *child) {
    uint32_t i = 0;
    while (i < st->as.seq.count && child[i] == st->as.seq.list[i]) i++;
    return i == st->as.seq.count ? st : stmt_seq(mem, child, st->as.seq.count);
}

bool stmt_is_empty(const stmt *st) { return !st || (st->kind == STMT_SEQ && !st->as.seq.count); }

uint32_t stmt_children(const stmt *st) {
    if (st->kind == STMT_SEQ) return st->as.seq.count;
    uint32_t count = 0;
    while (stmt_child(st, count)) count++;
    return count;
}

const stmt *stmt_with_children(arena *mem, const stmt *st, const stmt *const *child) {
    if (st->kind == STMT_SEQ) return seq_with(mem, st, child);
    stmt *copy = ARENA_NEW(mem, stmt, 1);
    *copy = *st;
    block *b = NULL;
    if (st->kind == STMT_BLOCK) {
        b = ARENA_NEW(mem, block, 1);
        *b = *st->as.block;
        copy->as.block = b;
    }
    const stmt **slot[2];
    uint32_t count = child_slots(copy, b, slot);
    bool differs = false;
    for (uint32_t i = 0; i < count; i++) {
        differs |= *slot[i] != child[i];
        *slot[i] = child[i];
    }
    return differs ? copy : st;
}

// --- Expressions.

static void push(arena *mem, expr_list *out, const expr *e) {
    if (e) VEC_PUSH(mem, out, e);
}

static void push_all(arena *mem, expr_list *out, const expr *const *list, uint32_t count) {
    for (uint32_t i = 0; list && i < count; i++) push(mem, out, list[i]);
}

void buffer_expressions(const buffer *b, arena *mem, expr_list *out) {
    push_all(mem, out, b->dim, b->rank);
    push_all(mem, out, b->stride, b->rank);
    push(mem, out, b->elem_offset);
}

static void push_region(arena *mem, expr_list *out, const region *r) {
    for (uint32_t i = 0; i < r->buf->rank; i++) {
        push(mem, out, r->dim[i].min);
        push(mem, out, r->dim[i].extent);
    }
}

static void push_block(arena *mem, expr_list *out, const block *b) {
    for (uint32_t i = 0; i < b->iters; i++) {
        push(mem, out, b->iter[i].dom.min);
        push(mem, out, b->iter[i].dom.extent);
        push(mem, out, b->iter[i].value);
    }
    push(mem, out, b->where);
    for (uint32_t i = 0; i < b->reads; i++) push_region(mem, out, &b->read[i]);
    for (uint32_t i = 0; i < b->writes; i++) push_region(mem, out, &b->write[i]);
    for (uint32_t i = 0; i < b->allocs; i++) buffer_expressions(b->alloc[i], mem, out);
    for (uint32_t i = 0; i < b->matches; i++) {
        buffer_expressions(b->match[i].inner, mem, out);
        push_region(mem, out, &b->match[i].source);
    }
}

void stmt_expressions(const stmt *st, arena *mem, expr_list *out) {
    switch (st->kind) {
    case STMT_SEQ: return;
    case STMT_FOR:
        push(mem, out, st->as.loop.min);
        push(mem, out, st->as.loop.extent);
        if (st->as.loop.step) push(mem, out, st->as.loop.step);
        return;
    case STMT_BLOCK: push_block(mem, out, st->as.block); return;
    case STMT_STORE:
        push(mem, out, st->as.store.value);
        push_all(mem, out, st->as.store.index, st->as.store.count);
        push(mem, out, st->as.store.predicate);
        return;
    case STMT_EVALUATE: push(mem, out, st->as.value); return;
    case STMT_LET: push(mem, out, st->as.let.value); return;
    case STMT_IF: push(mem, out, st->as.branch.condition); return;
    case STMT_WHILE: push(mem, out, st->as.loop_while.condition); return;
    case STMT_ALLOCATE:
        push_all(mem, out, st->as.allocate.extent, st->as.allocate.rank);
        push(mem, out, st->as.allocate.condition);
        return;
    case STMT_DECL_BUFFER:
        buffer_expressions(st->as.declare.buf, mem, out);
        push(mem, out, st->as.declare.buf->data);
        return;
    case STMT_ATTR:
        if (st->as.attribute.node && st->as.attribute.node->kind == ATTR_EXPR)
            push(mem, out, st->as.attribute.node->as.e);
        push(mem, out, st->as.attribute.value);
        return;
    case STMT_ASSERT: push(mem, out, st->as.assertion.condition); return;
    }
}

loc loop_place(const loop_func *f, const stmt *st) { return st && st->at.src ? st->at : f->at; }
