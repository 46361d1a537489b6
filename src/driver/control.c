// control.c - bodies, choices between them, and calls of a function by itself as its last step, which become jumps.
#include "driver/emit.h"
#include "graph/deduce.h"
#include "pass/liveness.h"
#include <string.h>

// --- Tail positions.

// The binding that makes the body's result as its last step (only kills follow); NULL if there is none.
static const node *last_step(const graph_body *body) {
    const node *last = NULL;
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++)
            if (!is_kill(run->bound[i])) last = run->bound[i];
    return last && last == body->result ? last : NULL;
}

static bool calls_itself(const function_emission *f, const node *n) {
    if (n->op->form != FORM_CALL) return false;
    const node *callee = deduce_callee(n->in[0]);
    return callee->op->form == FORM_GLOBAL && strcmp(callee->as.text.bytes, f->f->name) == 0;
}

// Arguments become parameters (by way of new registers: one may be another's argument), all else is emptied, and
// everything starts anew. What an argument lies in is kept by the argument, so that the next round allocates another
// block: memory is double-buffered.
static bool emit_again(function_emission *f, const node *call) {
    uint32_t params = f->f->params, *from = ARENA_NEW(f->e->mem, uint32_t, params);
    for (uint32_t i = 0; i < params; i++) {
        uint32_t r;
        if (!value_of(f, call->in[i + 1], &r)) return false;
        from[i] = register_temp(f);
        instruction(f, OP_COPY);
        operand(f, from[i]);
        operand(f, r);
    }
    for (uint32_t i = 0; i < params; i++) {
        instruction(f, OP_COPY);
        operand(f, i);
        operand(f, from[i]);
    }
    uint32_t others = f->registers - params, *gone = ARENA_NEW(f->e->mem, uint32_t, others);
    for (uint32_t i = 0; i < others; i++) gone[i] = params + i;
    instruction(f, OP_KILL);
    operands(f, gone, others);
    for (uint32_t i = 0; i < params; i++) {
        const char *name = f->f->param[i]->name;
        uint32_t text_at = text_constant(f, name, strlen(name));
        instruction(f, OP_MATCH);
        operand(f, i);
        operand(f, f->param_annotation[i]);
        operand(f, text_at);
    }
    instruction(f, OP_GOTO);
    exec_writer_jump(f->e->w, f->start);
    return true;
}

// --- Choices.

// What a branch bound is not seen after it. `left`: a jump emptied the registers.
static void forget_body(function_emission *f, const graph_body *body, bool left) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            uint32_t *r = &f->reg[run->bound[i]->id];
            if (*r && left) VEC_PUSH(f->e->mem, &f->free, *r - 1);
            if (*r && !left) register_kill(f, *r - 1);
            *r = 0;
        }
}

static bool emit_branch(function_emission *f, const graph_body *body, uint32_t d, bool tail) {
    uint32_t r;
    f->depth++;
    bool ok = emit_body(f, body, tail, &r), left = ok && r == NO_REGISTER;
    f->depth--;
    if (!ok) return false;
    if (!left) {
        instruction(f, OP_COPY);
        operand(f, d);
        operand(f, r);
        registers_done(f);
    }
    forget_body(f, body, left);
    return true;
}

// Jumps to a label when the condition is false.
static bool emit_condition(function_emission *f, const node *n, uint32_t otherwise) {
    const ann *type = n->in[0]->type;
    uint32_t which;
    opcode code = OP_IF;
    if (type->kind == ANN_PRIM && type->value) {
        code = OP_WHEN;
        if (!program_of(f, type->value, n->at, &which)) return false;
    } else if (!value_of(f, n->in[0], &which)) {
        return false;
    }
    instruction(f, code);
    operand(f, which);
    exec_writer_jump(f->e->w, otherwise);
    registers_done(f);
    return true;
}

// Registers and symbols are those before the branch again after it.
static bool emit_side(function_emission *f, const graph_body *body, uint32_t d, bool tail) {
    map bound = MAP_IN(f->e->mem);
    for (uint32_t i = 0; i < f->bound.len; i++) map_put(&bound, f->bound.entry[i].key, f->bound.entry[i].value);
    bool ok = emit_branch(f, body, d, tail);
    f->bound = bound;
    return ok;
}

bool emit_if(function_emission *f, const node *n, bool tail) {
    exec_writer *w = f->e->w;
    uint32_t otherwise = exec_writer_label(w), end = exec_writer_label(w), d = register_new(f);
    if (!emit_condition(f, n, otherwise) || !emit_side(f, &n->as.branch[0], d, tail)) return false;
    instruction(f, OP_GOTO);
    exec_writer_jump(w, end);
    exec_writer_place(w, otherwise);
    if (!emit_side(f, &n->as.branch[1], d, tail)) return false;
    instruction(f, OP_GOTO);
    exec_writer_jump(w, end);
    exec_writer_place(w, end);
    f->reg[n->id] = d + 1;
    f->made_at[n->id] = f->depth;
    return true;
}

// --- Bodies.

bool emit_body(function_emission *f, const graph_body *body, bool tail, uint32_t *result) {
    const node *last = tail ? last_step(body) : NULL;
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (n == last && calls_itself(f, n)) {
                *result = NO_REGISTER;
                bool ok = emit_again(f, n);
                f->temps.len = 0;
                return ok;
            }
            bool ok = n == last && n->op->form == FORM_IF ? emit_if(f, n, true) : emit_node(f, n);
            if (!ok) return false;
        }
    return value_of(f, body->result, result);
}
