// compute_program.c - the frame of every lowered program: buffers of operands and outputs, parameters, the root block.
#include "loop/walk.h"
#include "ops/compute.h"

enum { LOWER_MAX_RANK = 64 };

// --- Operands.
static const expr *scalar_constant(const lower_ctx *c, const node *n) {
    if (n->op->form != FORM_CONSTANT || n->as.constant->rank != 0) return NULL;
    dtype type = n->as.constant->type;
    if (dtype_is_float(type)) return expr_float(c->exprs, type, tensor_get_float(n->as.constant, 0));
    bool whole = dtype_is_int(type) || dtype_family_of(type) == FAMILY_BOOL;
    return whole ? expr_int(c->exprs, type, tensor_get_int(n->as.constant, 0)) : NULL;
}

static bool put_operand(const lower_ctx *c, const node *n, operand_list *out, operand_buffer o) {
    bool whole = o.type->kind == ANN_TENSOR && o.type->rank >= 0 && o.type->type.kind && (o.type->dim || !o.type->rank);
    if (!whole)
        return diag_error(c->d, n->at,
                          "%s: cannot be lowered: %s is only known as %s; state its shape and dtype with R.match_cast",
                          n->op->name, o.output ? "the result" : o.name, ann_to_text(c->mem, o.type));
    if (o.type->rank > LOWER_MAX_RANK)
        return diag_error(c->d, n->at, "%s: cannot be lowered: %s has more than %d dims", n->op->name,
                          o.output ? "the result" : o.name, LOWER_MAX_RANK);
    VEC_PUSH(c->mem, out, o);
    return true;
}

static bool put_input(const lower_ctx *c, const node *n, uint32_t i, operand_list *out) {
    uint32_t rows = op_inputs(n->op);
    const op_input *row = &n->op->input[i < rows ? i : rows - 1];
    const ann *a = n->in[i]->type;
    if (a->kind == ANN_TENSOR)
        return put_operand(
            c, n, out,
            (operand_buffer){
                .name = row->name, .type = a, .operand = i, .field = -1, .scalar = scalar_constant(c, n->in[i])});
    if (a->kind == ANN_PRIM && !a->value && row->kind != INPUT_PRIM)
        return diag_error(c->d, n->at, "%s: cannot be lowered: %s is a scalar without a name", n->op->name, row->name);
    for (uint32_t k = 0; a->kind == ANN_TUPLE && k < a->count; k++) {
        if (a->field[k]->kind != ANN_TENSOR) continue;
        operand_buffer o = {
            .name = arena_format(c->mem, "%s%u", row->name, k), .type = a->field[k], .operand = i, .field = (int32_t)k};
        if (n->in[i]->op->form == FORM_TUPLE) o.scalar = scalar_constant(c, n->in[i]->in[k]);
        if (!put_operand(c, n, out, o)) return false;
    }
    return true;
}

const buffer **operand_globals(const lower_ctx *c, const operand_list *operands, const char *const *results) {
    const buffer **buf = ARENA_NEW(c->mem, const buffer *, operands->len);
    for (uint32_t i = 0; i < operands->len; i++) {
        const operand_buffer *o = &operands->at[i];
        const char *name = o->output && results ? *results++ : o->name;
        buf[i] = buffer_new(c->exprs, name, o->type->type, o->type->dim, (uint32_t)o->type->rank, "global");
    }
    return buf;
}

bool operand_buffers(const lower_ctx *c, const node *n, operand_list *out) {
    for (uint32_t i = 0; i < n->count; i++)
        if (!put_input(c, n, i, out)) return false;
    if (n->type->kind != ANN_TUPLE)
        return put_operand(c, n, out, (operand_buffer){.name = "out", .type = n->type, .output = true});
    for (uint32_t k = 0; k < n->type->count; k++)
        if (!put_operand(
                c, n, out,
                (operand_buffer){.name = arena_format(c->mem, "out%u", k), .type = n->type->field[k], .output = true}))
            return false;
    return true;
}

// --- The signature.
typedef VEC(loop_param) param_list;

static void note_bound(const buffer *b, map *bound) {
    for (uint32_t i = 0; i < b->rank; i++)
        if (b->dim[i]->op == EXPR_VAR) map_put(bound, MAP_KEY(b->dim[i]), bound);
}

static void put_buffer(const lower_ctx *c, const buffer *b, param_list *out) {
    bool fixed = buffer_is_static(b);
    const char *name = fixed ? b->name : arena_format(c->mem, "var_%s", b->name);
    const expr *handle = expr_new_var(c->exprs, name, DTYPE_OF(HANDLE));
    loop_param param = {.var = handle, .buf = b, .inline_buffer = fixed};
    VEC_PUSH(c->mem, out, param);
}

// Variables that neither a dim binds nor the body itself become scalar parameters.
static void put_scalars(const lower_ctx *c, const expr *e, map *bound, param_list *out) {
    expr_list vars = {0};
    expr_free_vars(e, c->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(bound, MAP_KEY(vars.at[i])) || dtype_family_of(vars.at[i]->type) == FAMILY_NONE) continue;
        map_put(bound, MAP_KEY(vars.at[i]), bound);
        loop_param param = {.var = vars.at[i]};
        VEC_PUSH(c->mem, out, param);
    }
}

static void note_own(const stmt *st, map *bound) {
    if (st->kind == STMT_FOR) map_put(bound, MAP_KEY(st->as.loop.var), bound);
    if (st->kind == STMT_LET) map_put(bound, MAP_KEY(st->as.let.var), bound);
    for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->iters; i++)
        map_put(bound, MAP_KEY(st->as.block->iter[i].var), bound);
}

static void put_body_scalars(const lower_ctx *c, const stmt *body, map *bound, param_list *out) {
    for (stmt_walk w = stmt_walk_from(c->mem, body); stmt_walk_next(&w);)
        if (!w.leaving) note_own(w.st, bound);
    for (stmt_walk w = stmt_walk_from(c->mem, body); stmt_walk_next(&w);) {
        if (w.leaving) continue;
        expr_list list = {0};
        stmt_expressions(w.st, c->mem, &list);
        for (uint32_t i = 0; i < list.len; i++) put_scalars(c, list.at[i], bound, out);
    }
}

const loop_func *compute_program(const lower_ctx *c, const operand_list *operands, const buffer *const *buf,
                                 const stmt *body, const buffer *const *alloc, uint32_t allocs) {
    param_list params = {0};
    map bound = MAP_IN(c->mem);
    block root = {.name = "root", .allocs = allocs, .alloc = alloc, .body = body};
    const stmt *whole = stmt_block(c->mem, &root);
    for (uint32_t i = 0; i < operands->len; i++)
        if (buf[i]) put_buffer(c, buf[i], &params), note_bound(buf[i], &bound);
    for (uint32_t i = 0; i < operands->len; i++)
        for (uint32_t k = 0; buf[i] && k < buf[i]->rank; k++) put_scalars(c, buf[i]->dim[k], &bound, &params);
    put_body_scalars(c, whole, &bound, &params);
    loop_func *f = ARENA_NEW(c->mem, loop_func, 1);
    const char *key = "tirx.noalias";
    const attr *truth = attr_bool(c->mem, true);
    *f = (loop_func){.name = c->name,
                     .is_private = true,
                     .s_tir = true,
                     .params = params.len,
                     .param = params.at,
                     .attrs = attr_dict(c->mem, &key, &truth, 1),
                     .body = whole};
    return f;
}
