// compile.c - the compilation of a loop program: what its parts share.
#include "interp/compile.h"
#include "base/count_noun.h"
#include "loop/walk.h"

// Statements made by passes have no place of their own: then the program's.
static loc compile_loc(const compiler *c) { return loop_place(c->f, c->at); }

// Only the first failure is said: those after it are its echoes. Compilation goes on without emitting.
bool compile_fail(compiler *c, const char *format, ...) {
    if (c->failed) return false;
    va_list args;
    va_start(args, format);
    diag_error(c->r->d, compile_loc(c), "%s: %s", c->f->name, arena_vformat(c->mem, format, args));
    va_end(args);
    c->failed = true;
    return false;
}

// --- Emitting.

// The limit bounds what repeated lanes and branches of T.if_then_else can blow a small text up to.
void compile_emit_x(compiler *c, code what, unsigned x, uint32_t a, uint32_t b, uint32_t to) {
    if (c->code.len >= COMPILE_MAX_CODE && !c->failed) compile_fail(c, "the program is too large to interpret");
    if (c->failed) return;
    instr i = {.code = (uint16_t)what, .x = (uint16_t)x, .a = a, .b = b, .c = to};
    VEC_PUSH(c->mem, &c->code, i);
    VEC_PUSH(c->mem, &c->origin, c->at);
}

uint32_t compile_emit(compiler *c, code what, uint32_t a, uint32_t b, uint32_t to) {
    compile_emit_x(c, what, 0, a, b, to);
    return c->code.len - 1;
}

// Jumps forward are emitted without a target, which is set when it is known.
void compile_patch(compiler *c, uint32_t at) {
    if (!c->failed) c->code.at[at].c = c->code.len;
}

// Registers are never used twice: a value stays where it was computed, so it can be found again.
uint32_t compile_register(compiler *c, uint32_t count) {
    c->p->regs += count;
    return c->p->regs - count;
}

uint32_t compile_int(compiler *c, int64_t n) { return compile_value(c, expr_i64(c->s, n), 0); }

// --- Variables, scopes, memory.

// Rebinding happens where one thread variable is launched several times; values of the old binding must not be found.
void compile_set(compiler *c, const expr *var, uint32_t reg) {
    if (map_has(&c->vars, MAP_KEY(var))) c->epoch++; // what was computed from its former value is stale
    map_put(&c->vars, MAP_KEY(var), (void *)(uintptr_t)(reg + 1));
}

uint32_t compile_bind(compiler *c, const expr *var) {
    uint32_t reg = compile_register(c, dtype_lanes(var->type));
    compile_set(c, var, reg);
    return reg;
}

// A scope is a stretch of code that runs as a whole once it is entered: a branch, a loop's body, a block.
uint32_t compile_open(compiler *c) {
    uint32_t outer = c->scope;
    VEC_PUSH(c->mem, &c->open, true);
    c->scope = c->open.len - 1;
    c->version++;
    return outer;
}

// What was computed inside may not have been, for the code that follows.
void compile_close(compiler *c, uint32_t outer) {
    c->open.at[c->scope] = false;
    c->scope = outer;
    c->version++;
}

// Loads are compared by this number; pure values stay known.
void compile_forget(compiler *c) { c->version++; }

// --- Buffers.

// A slot is found by the buffer's identity: names may be shared.
uint32_t compile_slot(compiler *c, const buffer *b) {
    uintptr_t slot = (uintptr_t)map_find(&c->buffers, MAP_KEY(b));
    if (slot) return (uint32_t)slot - 1;
    compile_fail(c, "buffer %s is used where it is not declared", b->name);
    return NO_SLOT;
}

uint32_t compile_access(compiler *c, const buffer *b, const uint32_t *index, uint32_t count, uint32_t lane) {
    if (count != b->rank)
        compile_fail(c, "%s has %s, but %s", b->name, COUNTED(b->rank, "dim"), COUNTED(count, "index"));
    access a = {.slot = compile_slot(c, b), .lane = lane, .index = index, .buf = b};
    VEC_PUSH(c->mem, &c->access, a);
    return c->access.len - 1;
}

// Dims, strides and the offset are computed where the buffer comes into scope, so later changes of variables do not
// move it.
void compile_setup(compiler *c, const setup *like) {
    setup s = *like;
    const buffer *b = s.buf;
    if (b->rank > TENSOR_MAX_RANK) compile_fail(c, "buffer %s has more than %d dims", b->name, TENSOR_MAX_RANK);
    s.dim = compile_list(c, b->dim, b->rank);
    if (s.how != SETUP_MATCH) s.stride = b->stride ? compile_list(c, b->stride, b->rank) : NULL;
    s.offset = b->elem_offset && s.how != SETUP_MATCH ? compile_value(c, b->elem_offset, 0) : NO_REGISTER;
    s.slot = c->p->slots++;
    map_put(&c->buffers, MAP_KEY(b), (void *)(uintptr_t)(s.slot + 1));
    VEC_PUSH(c->mem, &c->setup, s);
    compile_emit(c, CODE_SETUP, 0, 0, c->setup.len - 1);
}

typedef VEC(const buffer *) buffer_vec;

// Text such as `B = T.Buffer((16,), data=A)` declares nothing: B becomes a view as soon as A's memory is known.
void compile_over(compiler *c, const expr *data, uint32_t slot) {
    map_put(&c->handles, MAP_KEY(data), (void *)(uintptr_t)(slot + 1));
    const buffer_vec *list = map_find(&c->over, MAP_KEY(data));
    for (uint32_t i = 0; list && i < list->len; i++) {
        if (map_has(&c->buffers, MAP_KEY(list->at[i]))) continue;
        compile_setup(c, &(setup){.how = SETUP_OVER, .buf = list->at[i], .from = slot});
    }
}

// --- Buffers that are used, but declared nowhere: they lie over the memory behind their data variable.

typedef struct uses {
    compiler *c;
    map declared, used; // MAP_KEY(buffer)
} uses;

static void declare(uses *u, const buffer *b) { map_put(&u->declared, MAP_KEY(b), u); }

// Regions of blocks count as uses too; that only makes a view more than is needed.
static void note_statement(uses *u, const stmt *st) {
    expr_list list = {0};
    stmt_expressions(st, u->c->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) expr_loaded_buffers(list.at[i], &u->used);
    if (st->kind == STMT_STORE) map_put(&u->used, MAP_KEY(st->as.store.buf), u);
    if (st->kind == STMT_DECL_BUFFER) declare(u, st->as.declare.buf);
    if (st->kind != STMT_BLOCK) return;
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->allocs; i++) declare(u, b->alloc[i]);
    for (uint32_t i = 0; i < b->matches; i++) declare(u, b->match[i].inner);
}

// Two passes over the program: what is declared anywhere is left to its declaration.
static void find_undeclared(compiler *c) {
    uses u = {.c = c, .declared = MAP_IN(c->mem), .used = MAP_IN(c->mem)};
    for (uint32_t i = 0; i < c->f->params; i++)
        if (c->f->param[i].buf) declare(&u, c->f->param[i].buf);
    for (stmt_walk w = stmt_walk_from(c->mem, c->f->body); stmt_walk_next(&w);)
        if (!w.leaving) note_statement(&u, w.st);
    for (uint32_t i = 0; i < u.used.len; i++) {
        const buffer *b = (const buffer *)(uintptr_t)u.used.entry[i].key;
        if (map_has(&u.declared, MAP_KEY(b)) || !b->data) continue;
        buffer_vec *list = map_find(&c->over, MAP_KEY(b->data));
        if (!list) map_put(&c->over, MAP_KEY(b->data), list = ARENA_NEW(c->mem, buffer_vec, 1));
        VEC_PUSH(c->mem, list, b);
    }
}

// --- The whole.

// The growing arrays of the compiler become the program's; both live in the run's arena.
static void finish(compiler *c) {
    program *p = c->p;
    p->code = c->code.at;
    p->origin = c->origin.at;
    p->constants = c->constant.len;
    p->constant_reg = c->constant_reg.at;
    p->constant = c->constant.at;
    p->access = c->access.at;
    p->applied = c->applied.at;
    p->setup = c->setup.at;
    p->call = c->call.at;
    p->fork = c->fork.at;
}

// Does the body do more than write to its arguments?
static bool acts(const compiler *c, uint32_t body) {
    for (uint32_t i = body; i < c->code.len; i++) {
        const instr *in = &c->code.at[i];
        if (in->code == CODE_ASSERT || in->code == CODE_CALL || (in->code == CODE_RETURN && in->x)) return true;
    }
    return false;
}

// Found by the loop_func's address: programs are immutable, and a run sees each many times.
const program *interp_program(run *r, const loop_func *f) {
    program *p = map_find(&r->programs, MAP_KEY(f));
    if (p) return p;
    arena *mem = r->mem;
    p = ARENA_NEW(mem, program, 1);
    *p = (program){.f = f};
    compiler c = {.r = r, .mem = mem, .s = r->m->exprs, .f = f, .p = p, .vars = MAP_IN(mem), .buffers = MAP_IN(mem)};
    c.handles = c.over = c.known = c.loops = MAP_IN(mem);
    compile_open(&c);
    find_undeclared(&c);
    compile_signature(&c);
    uint32_t body = c.code.len;
    compile_emit(&c, CODE_IDLE_RETURN, 0, 0, 0);
    compile_stmt(&c, f->body);
    if (acts(&c, body)) c.code.at[body] = (instr){.code = CODE_JUMP, .c = body + 1};
    compile_emit(&c, CODE_RETURN, 0, 0, 0);
    if (c.failed) return NULL;
    finish(&c);
    map_put(&r->programs, MAP_KEY(f), p);
    return p;
}
