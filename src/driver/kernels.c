// kernels.c - the table of kernels: how each is called, what its sizes are.
#include "driver/emit.h"
#include "loop/walk.h"
#include "loop/work.h"
#include "pass/two_phases.h"
#include "tensor/index_range.h"
#include "text/script.h"
#include <string.h>

// --- The table.

// How many of the last buffers the program writes.
static uint32_t count_outputs(arena *mem, const loop_func *f) {
    map written = MAP_IN(mem);
    const buffer *const *buffers;
    uint32_t count = loop_func_buffers(f, mem, &buffers), outputs = 0;
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        if (w.leaving) continue;
        if (w.st->kind == STMT_STORE) map_put(&written, MAP_KEY(w.st->as.store.buf->data), mem);
        for (uint32_t i = 0; w.st->kind == STMT_BLOCK && i < w.st->as.block->matches; i++) {
            const buffer_match *m = &w.st->as.block->match[i];
            map_put(&written, MAP_KEY(m->source.buf->data), mem);
        }
    }
    while (outputs < count && map_has(&written, MAP_KEY(buffers[count - 1 - outputs]->data))) outputs++;
    return outputs;
}

typedef VEC(uint32_t) string_list;

// A size over the kernel's scalars, which it reads as slots, and over a variable (NULL: none) in the slot behind them.
// False if the runtime can't compute it.
static bool find_program_with(emission *e, const kernel_info *info, const expr *size, const expr *more, uint32_t *out) {
    map slots = MAP_IN(e->mem);
    uint8_t *bytes;
    size_t count;
    for (uint32_t i = 0; i < info->scalars; i++) map_put(&slots, MAP_KEY(info->scalar[i]), (void *)(uintptr_t)(i + 1));
    if (more && more->op == EXPR_VAR) map_put(&slots, MAP_KEY(more), (void *)(uintptr_t)(info->scalars + 1));
    if (!expr_to_postfix(size, &slots, e->mem, &bytes, &count)) return false;
    *out = exec_writer_program(e->w, bytes, count);
    return true;
}

static bool find_program(emission *e, const kernel_info *info, const expr *size, uint32_t *out) {
    return find_program_with(e, info, size, NULL, out);
}

// "index < extent" in what R.rx.check_index asserts of the indices, which are the first buffer; NULL in any other
// assertion.
static const expr *index_below(emission *e, const loop_func *f, const stmt *st, const expr **index) {
    for (expr_walk w = expr_walk_from(e->mem, st->as.assertion.condition); (*index = expr_walk_next(&w));)
        if ((*index)->op == EXPR_LOAD) break;
    if (!*index || !f->params || (*index)->as.buffer != f->param[0].buf) return NULL;
    for (expr_walk w = expr_walk_from(e->mem, st->as.assertion.condition);;) {
        const expr *x = expr_walk_next(&w);
        const expr *left = x && x->op == EXPR_LT ? x->in[0] : NULL;
        if (left && left->op == EXPR_CAST) left = left->in[0];
        if (!x || left == *index) return x;
    }
}

// How many there are to choose from, so that the runtime can tell which index is wrong (vm/check_index.c).
static void add_extent(emission *e, const kernel_info *info, const loop_func *f, const stmt *st, exec_kernel *row) {
    const expr *index, *below = strstr(st->as.assertion.message, INDEX_SENTENCE) ? index_below(e, f, st, &index) : NULL;
    const expr *last = below && index->count ? index->in[index->count - 1] : NULL;
    uint32_t program;
    if (below && find_program_with(e, info, below->in[1], last, &program)) row->extent = program + 1;
}

// The messages of the program's assertions, in the order the code numbers them. Returns the last of them.
static const stmt *list_assertions(emission *e, const loop_func *f, string_list *out) {
    const stmt *last = NULL;
    for (stmt_walk w = stmt_walk_from(e->mem, f->body); stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_ASSERT) {
            const char *message = w.st->as.assertion.message ? w.st->as.assertion.message : "an assertion failed";
            VEC_PUSH(e->mem, out, exec_writer_string(e->w, message));
            last = w.st;
        }
    return last;
}

static bool scalar_program(emission *e, const kernel_info *info, const expr *size, uint32_t *out) {
    return find_program(e, info, size, out) || diag_error(e->d, (loc){0}, "%s: %s can't be computed by the runtime",
                                                          info->name, expr_to_text(e->mem, size));
}

// What profilers are told; what the runtime can't compute is left out.
static void add_work(emission *e, const kernel_entry *k, exec_kernel *row) {
    static const int place[WORK_KINDS] = {
        [WORK_FLOPS] = EXEC_FLOPS, [WORK_DOUBLES] = EXEC_DOUBLES, [WORK_DOTS] = EXEC_DOTS, [WORK_BYTES] = EXEC_TOUCHED};
    loop_work w = loop_work_find(e->m->exprs, e->mem, k->func);
    for (int i = 0; i < WORK_KINDS; i++) {
        uint32_t program;
        if (w.amount[i] && find_program(e, &k->info, w.amount[i], &program)) row->work[place[i]] = program + 1;
    }
}

static bool add_kernel(emission *e, kernel_entry *k) {
    string_list messages = {0};
    if (!kernel_describe(e->m->exprs, e->mem, k->func, &k->info, e->d)) return false;
    const stmt *assertion = list_assertions(e, k->func, &messages);
    exec_kernel row = {.name = exec_writer_string(e->w, k->func->name),
                       .buffers = k->info.buffers,
                       .scalars = k->info.scalars,
                       .outputs = count_outputs(e->mem, k->func),
                       .asserts = messages.len,
                       .assertion = messages.at};
    if (!scalar_program(e, &k->info, k->info.grid, &row.grid)) return false;
    if (!scalar_program(e, &k->info, k->info.scratch, &row.scratch)) return false;
    add_work(e, k, &row);
    const attr *phase = attr_find(k->func->attrs, FIRST_PHASE_ATTR);
    if (phase && phase->kind == ATTR_STRING) row.phase = exec_writer_string(e->w, phase->as.text) + 1;
    if (messages.len == 1 && assertion->as.assertion.message) add_extent(e, &k->info, k->func, assertion, &row);
    k->index = exec_writer_kernel(e->w, &row);
    return true;
}

static const char *kernel_text(const emission *e, const loop_func *f) {
    text t = TEXT_IN(e->mem);
    loop_func nameless = *f;
    nameless.name = "kernel";
    script_print_loop(&t, e->m, &nameless);
    return text_get(&t);
}

// What another module of this file has too, in name and text, is one row.
static bool find_row(emission *e, kernel_entry *k) {
    k->spelled = kernel_text(e, k->func);
    const char *key = arena_format(e->mem, "%s\n%s", k->func->name, k->spelled);
    uintptr_t known = (uintptr_t)text_map_find(&e->once->rows, key);
    k->index = (uint32_t)(known - 1);
    if (known) return kernel_describe(e->m->exprs, e->mem, k->func, &k->info, e->d);
    if (!add_kernel(e, k)) return false;
    text_map_put(&e->once->rows, key, (void *)(uintptr_t)(k->index + 1));
    return true;
}

// Programs that a pass has made stand where they are called.
static const loop_func *with_place(emission *e, const loop_func *f, loc called) {
    if (f->at.src && f->at.line) return f;
    loop_func *now = ARENA_NEW(e->mem, loop_func, 1);
    *now = *f;
    now->at = called;
    return now;
}

kernel_entry *kernel_of(emission *e, const loop_func *f, loc called) {
    kernel_entry *k = map_find(&e->kernels, MAP_KEY(f));
    if (k) return k;
    k = ARENA_NEW(e->mem, kernel_entry, 1);
    k->func = with_place(e, f, called);
    if (!find_row(e, k)) return NULL;
    map_put(&e->kernels, MAP_KEY(f), k);
    VEC_PUSH(e->mem, &e->kernel, k);
    return k;
}
