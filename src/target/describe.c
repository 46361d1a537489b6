// describe.c - how a program in launch form is called: its pointers, scalars, grid and scratch memory.
#include "base/size.h"
#include "loop/walk.h"
#include "target/launch.h"

const stmt *launch_body(const loop_func *f, const block **root) {
    *root = NULL;
    if (f->body->kind != STMT_BLOCK || f->body->as.block->iters) return f->body;
    *root = f->body->as.block;
    return (*root)->body;
}

static bool is_grid(const stmt *st) { return st->kind == STMT_FOR && st->as.loop.kind == FOR_PARALLEL; }

const stmt *launch_loop(const loop_func *f) {
    const block *root;
    const stmt *body = launch_body(f, &root);
    if (body->kind == STMT_SEQ && body->as.seq.count) body = body->as.seq.list[body->as.seq.count - 1];
    return is_grid(body) ? body : NULL;
}

const stmt *launch_first_phase(const loop_func *f, arena *mem) {
    const block *root;
    const stmt *body = launch_body(f, &root);
    if (body->kind != STMT_SEQ || !launch_loop(f)) return NULL;
    return stmt_seq(mem, body->as.seq.list, body->as.seq.count - 1);
}

bool local_fits_stack(const buffer *b, size_t used, size_t *bytes) {
    int64_t count = 1, dim;
    for (uint32_t i = 0; i < b->rank; i++)
        if (!expr_const_int(b->dim[i], &dim) || dim < 0 || !int_mul(count, dim, &count)) return false;
    if (!dtype_bytes(b->type, count, bytes) || !size_align(*bytes, LOCAL_ALIGN, bytes)) return false;
    return *bytes <= LOCAL_STACK_BYTES - used;
}

// A dim that a schedule made of extents may come out below 0 where a loop is empty: "the last place less the first, and
// one". Nothing is there then.
static bool may_be_negative(const buffer *b) {
    int64_t known;
    for (uint32_t i = 0; i < b->rank; i++)
        if (expr_const_int(b->dim[i], &known) ? known < 0 : b->dim[i]->op != EXPR_VAR) return true;
    return false;
}

// Bytes of a local buffer, rounded up to LOCAL_ALIGN, as an expression.
static const expr *local_bytes(expr_session *s, const buffer *b) {
    const expr *bits = expr_i64(s, dtype_bits(b->type));
    const expr *align = expr_i64(s, LOCAL_ALIGN);
    bool checked = may_be_negative(b);
    for (uint32_t i = 0; i < b->rank; i++) {
        const expr *dim = expr_cast(s, DTYPE_OF(I64), b->dim[i]);
        if (checked) dim = expr_binary(s, EXPR_MAX, dim, expr_i64(s, 0));
        bits = expr_binary(s, EXPR_MUL, bits, dim);
    }
    const expr *bytes = expr_binary(s, EXPR_FLOOR_DIV, expr_binary(s, EXPR_ADD, bits, expr_i64(s, 7)), expr_i64(s, 8));
    const expr *up = expr_binary(s, EXPR_ADD, bytes, expr_i64(s, LOCAL_ALIGN - 1));
    return expr_binary(s, EXPR_MUL, expr_binary(s, EXPR_FLOOR_DIV, up, align), align);
}

typedef struct describer {
    expr_session *s;
    arena *mem;
    const loop_func *f;
    kernel_info *out;
    map scalars; // what sizes may depend on
    size_t stack_used;
    diag *d;
} describer;

static bool sizes_known(describer *x, const buffer *b, loc at) {
    for (uint32_t i = 0; i < b->rank; i++) {
        expr_list vars = {0};
        map loaded = MAP_IN(x->mem);
        expr_loaded_buffers(b->dim[i], &loaded);
        if (loaded.len)
            return diag_error(
                x->d, at,
                "%s: the size of local buffer %s is read from memory, which is not known when the kernel is "
                "launched; give it as a dim of an argument, or as a scalar",
                x->f->name, b->name);
        expr_free_vars(b->dim[i], x->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++)
            if (!map_has(&x->scalars, MAP_KEY(vars.at[v])))
                return diag_error(x->d, at,
                                  "%s: the size of local buffer %s depends on %s, which is not known when the "
                                  "kernel is launched",
                                  x->f->name, b->name, vars.at[v]->as.var->name);
    }
    return true;
}

static bool add_local(describer *x, const buffer *b, loc at) {
    size_t bytes;
    if (!sizes_known(x, b, at)) return false;
    if (local_fits_stack(b, x->stack_used, &bytes)) {
        x->stack_used += bytes;
        return true;
    }
    const expr *more = local_bytes(x->s, b);
    x->out->scratch = expr_simplify(x->s, expr_binary(x->s, EXPR_ADD, x->out->scratch, more), NULL);
    return true;
}

// What a first phase has written each worker has for itself, and only reads in its units of the loop.
static bool is_shared(const describer *x, const buffer *b, const stmt *loop) {
    if (!launch_first_phase(x->f, x->mem)) return true;
    for (stmt_walk w = stmt_walk_from(x->mem, loop); stmt_walk_next(&w);) {
        if (w.st->kind == STMT_STORE && w.st->as.store.buf->data == b->data) return true;
        for (uint32_t i = 0; w.st->kind == STMT_BLOCK && i < w.st->as.block->matches; i++)
            if (w.st->as.block->match[i].source.buf->data == b->data) return true;
    }
    return false;
}

// Walks the program in the emitter's order, so that both hand out the same memory. `loop`: the grid; NULL: none.
static bool add_locals(describer *x, const stmt *st, bool in_root, const stmt *loop) {
    if (st->kind == STMT_BLOCK) {
        const block *b = st->as.block;
        for (uint32_t i = 0; i < b->allocs; i++) {
            if (in_root && loop && is_shared(x, b->alloc[i], loop))
                return diag_error(x->d, st->at,
                                  "%s: buffer %s is shared by the iterations of the parallel loop; lift "
                                  "it to the graph first (pass LiftWorkspace)",
                                  x->f->name, b->alloc[i]->name);
            if (!add_local(x, b->alloc[i], st->at)) return false;
        }
    }
    for (uint32_t i = 0; stmt_child(st, i); i++)
        if (!add_locals(x, stmt_child(st, i), false, loop)) return false;
    return true;
}

static void add_scalars(describer *x) {
    expr_list list = {0};
    loop_func_scalars(x->f, x->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) map_put(&x->scalars, MAP_KEY(list.at[i]), (void *)list.at[i]);
    x->out->scalar = list.at;
    x->out->scalars = list.len;
}

// The units of a parallel loop's iterations.
static const expr *grid_of(expr_session *s, arena *mem, const stmt *loop) {
    const expr *extent = expr_cast(s, DTYPE_OF(I64), loop->as.loop.extent);
    const launch_units u = launch_units_of(mem, loop);
    if (u.alone == 1) return expr_simplify(s, extent, NULL);
    const expr *up = expr_binary(s, EXPR_ADD, extent, expr_i64(s, u.grain - 1));
    const expr *many = expr_binary(s, EXPR_FLOOR_DIV, up, expr_i64(s, u.grain));
    const expr *few = expr_binary(s, EXPR_MIN, extent, expr_i64(s, 1));
    const expr *alone = expr_binary(s, EXPR_LE, extent, expr_i64(s, u.alone));
    return expr_simplify(s, expr_select(s, alone, few, many), NULL);
}

bool kernel_describe(expr_session *s, arena *mem, const loop_func *f, kernel_info *out, diag *d) {
    const buffer *const *buffers;
    *out = (kernel_info){.name = f->name, .grid = expr_i64(s, 1), .scratch = expr_i64(s, 0)};
    out->buffers = loop_func_buffers(f, mem, &buffers);
    describer x = {.s = s, .mem = mem, .f = f, .out = out, .scalars = MAP_IN(mem), .d = d};
    add_scalars(&x);
    const stmt *loop = launch_loop(f);
    if (loop) out->grid = grid_of(s, mem, loop);
    return add_locals(&x, f->body, true, loop);
}
