// legalize_ops.c - LegalizeOps: every operator becomes a call of a loop program that computes it.
//
//   before:  y = R.add(x, b)
//   after:   y = R.call_tir(cls.add, (x, b), out_sinfo=R.Tensor((n, 4), dtype="float32"))
//            and the private loop program `add`, with symbolic variables of its own
//
// Needs nothing. Keeps values, blocks and annotations. Dims that an operator needs equal and that nothing proves equal
// are compared at run time. Calls that are equal but for the names of symbolic variables share one program. Symbols
// that no buffer's dim binds are passed in tir_vars. Operators whose shapes are not known, or that are no loops (views,
// builtins), stay as they are.
#include "ops/ops.h"
#include "pass/support.h"
#include <string.h>

// A program made for one call, to be used again: the call's symbols in order, and what it passes for scalars.
typedef struct made {
    const char *func;
    lowered lowered;
    expr_list vars;
} made;

typedef struct legalizing {
    module *m;
    diag *d;
    fresh_names names;
    text_map made;      // what matters of a call, as text -> made
    const attr *custom; // operator -> program
    bool slices;        // items of R.split become slices of what is split
    builder *scratch;   // of the calls that say so
    word_list skip;
} legalizing;

// --- Is enough known?

static bool is_known(const ann *a) {
    if (a->kind == ANN_TENSOR) return a->type.kind != DTYPE_VOID && a->rank >= 0 && (a->dim || a->rank == 0);
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++)
        if (!is_known(a->field[i])) return false;
    return true;
}

static bool all_known(const node *n) {
    for (uint32_t i = 0; i < n->count; i++)
        if (!is_known(n->in[i]->type)) return false;
    return is_known(n->type) && n->type->kind != ANN_OBJECT;
}

static bool is_skipped(const legalizing *l, const node *n) {
    for (uint32_t i = 0; i < l->skip.len; i++)
        if (strcmp(l->skip.at[i], n->op->name) == 0) return true;
    return !n->op->compute && !n->op->lower;
}

// --- What matters of a call, with symbols numbered in order of appearance.

typedef struct keying {
    arena *mem;
    text out;
    map names; // symbol -> its number as text
    expr_list *vars;
} keying;

static void number_vars(keying *k, const ann *a) {
    expr_list list = {0};
    ann_free_vars(a, k->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        const expr *var = list.at[i];
        if (map_has(&k->names, MAP_KEY(var))) continue;
        char type[32];
        char *name = arena_format(k->mem, "%s$%u", dtype_spell(var->type, type), k->vars->len);
        map_put(&k->names, MAP_KEY(var), name);
        VEC_PUSH(k->mem, k->vars, var);
    }
}

static void key_ann(keying *k, const ann *a) {
    number_vars(k, a);
    expr_print_options exprs = {.graph = true, .var_names = &k->names};
    ann_print(&k->out, a, &exprs);
}

static void key_bytes(keying *k, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) text_format(&k->out, "%02x", ((const unsigned char *)bytes)[i]);
}

// Constants of one element stand in programs as numbers.
static void key_operand(keying *k, const node *n) {
    text_put_char(&k->out, ',');
    if (n->op->form == FORM_TUPLE) {
        text_put_char(&k->out, '(');
        for (uint32_t i = 0; i < n->count; i++) key_operand(k, n->in[i]);
        text_put_char(&k->out, ')');
        return;
    }
    key_ann(k, n->type);
    size_t size;
    if (n->op->form == FORM_CONSTANT && n->as.constant->rank == 0 && dtype_bytes(n->as.constant->type, 1, &size))
        key_bytes(k, n->as.constant->data, size);
    if (n->op->form == FORM_STRING) text_put_quoted(&k->out, n->as.text.bytes, n->as.text.size);
    char type[32];
    if (n->op->form == FORM_DTYPE) text_put(&k->out, dtype_spell(n->as.type, type));
}

static const char *call_key(const legalizing *l, const node *n, expr_list *vars) {
    keying k = {.mem = l->m->mem, .out = TEXT_IN(l->m->mem), .names = MAP_IN(l->m->mem), .vars = vars};
    text_put(&k.out, n->op->name);
    for (uint32_t i = 0; i < n->count; i++) key_operand(&k, n->in[i]);
    expr_print_options exprs = {.graph = true, .var_names = &k.names};
    for (uint32_t i = 0; i < op_attrs(n->op); i++) {
        text_put_char(&k.out, ';');
        attr_print(&k.out, n->attr[i], &exprs);
    }
    text_put(&k.out, "->");
    key_ann(&k, n->type);
    return text_get(&k.out);
}

// --- Programs.

// "nn.softmax" gives softmax.
static const char *program_wish(const node *n) {
    const char *dot = strrchr(n->op->name, '.');
    return dot ? dot + 1 : n->op->name;
}

static const made *make_program(legalizing *l, const node *n, const char *key, const expr_list *vars) {
    made *p = ARENA_NEW(l->m->mem, made, 1);
    p->func = fresh_name(&l->names, program_wish(n));
    p->vars = *vars;
    lower_ctx c = {.m = l->m, .mem = l->m->mem, .exprs = l->m->exprs, .d = l->d, .name = p->func};
    if (!op_lower_call(&c, n, &p->lowered)) return NULL;
    module_put_loop(l->m, p->lowered.func);
    text_map_put(&l->made, key, p);
    return p;
}

static const node *argument(builder *b, const node *const *in, const lowered_arg *arg) {
    const node *operand = in[arg->operand];
    if (arg->field < 0) return operand;
    uint32_t field = (uint32_t)arg->field;
    return operand->op->form == FORM_TUPLE ? operand->in[field] : build_item(b, "lv", operand, field);
}

// The scalars of the program as the present call has them.
static const expr **scalars(const legalizing *l, const made *p, const expr_list *vars) {
    map now = MAP_IN(l->m->mem);
    for (uint32_t i = 0; i < vars->len; i++) map_put(&now, MAP_KEY(p->vars.at[i]), (void *)(uintptr_t)vars->at[i]);
    const expr **list = ARENA_NEW(l->m->mem, const expr *, p->lowered.tir_vars);
    for (uint32_t i = 0; i < p->lowered.tir_vars; i++)
        list[i] = expr_substitute(l->m->exprs, p->lowered.tir_var[i], &now);
    return list;
}

static const node *call_program(legalizing *l, builder *b, const node *old, const node *const *in) {
    expr_list vars = {0};
    const char *key = call_key(l, old, &vars);
    const made *p = text_map_find(&l->made, key);
    if (!p) p = make_program(l, old, key, &vars);
    if (!p) return build_poison(b);
    const node **arg = ARENA_NEW(l->m->mem, const node *, p->lowered.args);
    for (uint32_t i = 0; i < p->lowered.args; i++) arg[i] = argument(b, in, &p->lowered.arg[i]);
    return build_call_tir(b, old->name, p->func, arg, p->lowered.args, old->type, scalars(l, p, &vars),
                          p->lowered.tir_vars);
}

// A user's own program takes the tensors among the operands as they are.
static const node *call_custom(builder *b, const node *old, const node *const *in, const char *func) {
    VEC(const node *) arg = {0};
    for (uint32_t i = 0; i < old->count; i++)
        if (in[i]->type->kind == ANN_TENSOR) VEC_PUSH(b->m->mem, &arg, in[i]);
    return build_call_tir(b, old->name, func, arg.at, arg.len, old->type, NULL, 0);
}

// The call over its new operands. Its annotation is the old one, unless the old one left open what can be said now: an
// operand was made precise here, or only the run decides how dims broadcast.
static node *call_over(const builder *b, const node *old, const node *const *in) {
    node *now = arena_take(b->m->mem, 1, sizeof *now + old->count * sizeof now->in[0]);
    memcpy(now, old, sizeof *now);
    memcpy(now->in, in, old->count * sizeof *in);
    return now;
}

static bool operands_known(const node *n) {
    for (uint32_t i = 0; i < n->count; i++)
        if (!is_known(n->in[i]->type)) return false;
    return true;
}

// Dims that deduction had to take for equal are compared when the module runs: R.match_cast(R.shape([m]),
// R.Shape([n])).
static void check_undecided(builder *b, node *now) {
    module *m = b->m;
    op_questions open = {0};
    infer_ctx c = {.m = m, .mem = m->mem, .exprs = m->exprs, .facts = b->facts};
    const ann *type = operands_known(now) ? op_undecided(&c, now, &open) : NULL;
    if (type && !is_known(now->type)) now->type = type;
    for (uint32_t i = 0; i < open.len; i++) {
        const op_question *q = &open.at[i];
        build_match_cast(b, arena_format(m->mem, "%s_dim", q->op), build_shape(b, &q->got, 1),
                         ann_shape(m->mem, &q->want, 1));
    }
}

// --- Items of a split, each as a slice: then each fuses with what reads it, and the split is left to dead code.

static const node *tuple_of(legalizing *l, const expr *value) {
    const node *prim = build_prim(l->scratch, value);
    return build_tuple(l->scratch, NULL, &prim, 1);
}

// The slice over the old function's nodes; NULL where the pieces' dims are not known.
static const node *slice_of(legalizing *l, const node *item) {
    const node *split = item->in[0];
    int64_t axis = 0;
    if (!is_known(split->type) || split->type->kind != ANN_TUPLE || !is_known(split->in[0]->type)) return NULL;
    for (uint32_t i = 0; i < op_attrs(split->op); i++)
        if (strcmp(split->op->attr[i].name, "axis") == 0 && !attr_get_int(split->attr[i], &axis)) return NULL;
    if (axis < 0) axis += split->in[0]->type->rank;
    if (axis < 0 || axis >= split->in[0]->type->rank) return NULL;
    expr_session *s = l->m->exprs;
    const expr *begin = expr_i64(s, 0);
    for (uint32_t i = 0; i < item->as.index; i++)
        begin = expr_simplify(s, expr_binary(s, EXPR_ADD, begin, split->type->field[i]->dim[axis]), NULL);
    const expr *end = expr_simplify(s, expr_binary(s, EXPR_ADD, begin, item->type->dim[axis]), NULL);
    const attr *inside = attr_bool(l->m->mem, true);
    const node *in[] = {split->in[0], tuple_of(l, expr_i64(s, axis)), tuple_of(l, begin), tuple_of(l, end)};
    const call_parts parts = {.op = op_find("strided_slice"), .in = in, .count = COUNT(in), .attr = &inside};
    const node *slice = build_call(l->scratch, item->name, &parts);
    return node_is_poison(slice) || !ann_equal(s, slice->type, item->type) ? NULL : slice;
}

static const node *legalize_item(legalizing *l, builder *b, const node *old, const node *const *in) {
    bool split = old->name && old->in[0]->op == op_find("split") && in[0]->op == &op_call_tir;
    const node *slice = split ? slice_of(l, old) : NULL;
    if (!slice) return NULL;
    const node *now[] = {in[0]->in[1]->in[0], slice->in[1], slice->in[2], slice->in[3]};
    return call_program(l, b, slice, now);
}

static const node *legalize(builder *b, const node *old, const node *const *in, void *user) {
    legalizing *l = user;
    if (old->op->form == FORM_ITEM && l->slices) return legalize_item(l, b, old, in);
    if (old->op->form != FORM_OPERATOR) return NULL;
    node *now = call_over(b, old, in);
    check_undecided(b, now);
    const attr *custom = attr_find(l->custom, now->op->name);
    if (custom) return call_custom(b, now, in, custom->as.text);
    if (now->op->refused && !is_skipped(l, now)) {
        diag_error(l->d, now->at, "LegalizeOps: %s has no meaning as a program", now->op->name);
        return build_poison(b);
    }
    if (is_skipped(l, now) || !all_known(now)) return NULL;
    return call_program(l, b, now, in);
}

static bool legalize_ops(module *m, const pass_ctx *c) {
    legalizing l = {.m = m, .d = c->d, .names = fresh_names_in(m), .made = TEXT_MAP_IN(m->mem)};
    if (!pass_get_pairs(c, &pass_legalize_ops, "customize_legalize_map", m->mem, &l.custom)) return false;
    if (!pass_get_words(c, &pass_legalize_ops, "skip_ops", m->mem, &l.skip)) return false;
    if (!pass_get_bool(c, &pass_legalize_ops, "slices", &l.slices)) return false;
    l.scratch = build_func(m, "scratch", c->d);
    return rebuild_functions(m, legalize, &l, c->d);
}

const pass pass_legalize_ops = {
    .name = "LegalizeOps",
    .doc = "lowers operators to calls of loop programs; equal calls share one",
    .option = {{"customize_legalize_map", "",
                "{operator: program}: calls of these become calls of that program of the module"},
               {"skip_ops", "", "[operators] that stay as they are"},
               {"slices", "false", "items of R.split become slices, which fuse with what reads them"}},
    .run = legalize_ops,
};
