// build_call.c - calls of operators and functions: arity, kinds of inputs, attributes, and the usual shorthands.
#include "base/count_noun.h"
#include "graph/build_inside.h"
#include <string.h>

// --- Inputs.

static const char *const input_wish[] = {
    [INPUT_TENSOR] = "a tensor",
    [INPUT_SHAPE] = "a shape",
    [INPUT_PRIM] = "a scalar (R.prim_value)",
    [INPUT_TUPLE] = "a tuple",
    [INPUT_TENSORS] = "a tuple of tensors",
    [INPUT_FUNC] = "a function",
    [INPUT_STRING] = "a string",
    [INPUT_DTYPE] = "a data type",
    [INPUT_ANY] = "a value",
};

static bool all_tensors(const ann *a) {
    if (a->kind != ANN_TUPLE) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->field[i]->kind != ANN_TENSOR) return false;
    return true;
}

static bool input_fits(op_input_kind kind, const node *n) {
    switch (kind) {
    case INPUT_TENSOR: return n->type->kind == ANN_TENSOR;
    case INPUT_SHAPE: return n->type->kind == ANN_SHAPE;
    case INPUT_PRIM: return n->type->kind == ANN_PRIM;
    case INPUT_TUPLE: return n->type->kind == ANN_TUPLE;
    case INPUT_TENSORS: return all_tensors(n->type);
    case INPUT_FUNC: return n->type->kind == ANN_CALLABLE;
    case INPUT_STRING: return n->op->form == FORM_STRING;
    case INPUT_DTYPE: return n->op->form == FORM_DTYPE;
    case INPUT_ANY: return true;
    }
    return false;
}

static bool check_count(builder *b, const op *o, uint32_t got) {
    uint32_t least = op_min_inputs(o), most = op_inputs(o);
    if (got >= least && (got <= most || o->variadic)) return true;
    const char *amount = o->variadic                  ? "at least "
                         : least < most && got > most ? "at most "
                         : least < most               ? "at least "
                                                      : "";
    uint32_t want = got > most ? most : least;
    text names = TEXT_IN(b->m->mem);
    for (uint32_t i = 0; i < most; i++) text_format(&names, "%s%s", i ? ", " : "", o->input[i].name);
    return diag_error(b->d, b->at, "%s: want %s%s (%s), got %u", o->name, amount, COUNTED(want, "input"),
                      text_get(&names), got);
}

static bool check_inputs(builder *b, const op *o, const node *const *in, uint32_t count) {
    if (!check_count(b, o, count)) return false;
    uint32_t rows = op_inputs(o);
    for (uint32_t i = 0; i < count; i++) {
        const op_input *row = &o->input[i < rows ? i : rows - 1];
        if (input_fits(row->kind, in[i])) continue;
        const char *hint =
            in[i]->type->kind == ANN_OBJECT && row->kind < INPUT_FUNC ? "; say what it is with R.match_cast" : "";
        return diag_error(b->d, b->at, "%s: %s: want %s, got %s%s", o->name, row->name, input_wish[row->kind],
                          ann_to_text(b->m->mem, in[i]->type), hint);
    }
    return true;
}

// --- Attributes.

static const char *const attr_wish[] = {
    [OPATTR_INT] = "an int",
    [OPATTR_BOOL] = "True or False",
    [OPATTR_FLOAT] = "a number",
    [OPATTR_STRING] = "a string",
    [OPATTR_DTYPE] = "a data type such as \"float32\"",
    [OPATTR_INTS] = "a list of ints",
    [OPATTR_ANY] = "a number",
};

static const attr *refuse_attr(builder *b, const op *o, const op_attr *row, const attr *given, const char *want) {
    text got = TEXT_IN(b->m->mem);
    attr_print(&got, given, NULL);
    diag_error(b->d, b->at, "%s: attribute %s: want %s, got %s", o->name, row->name, want, text_get(&got));
    return NULL;
}

// What a row's range says, for messages: "a number in [0, 1)".
static const char *range_wish(builder *b, const op_attr *row, const char *kind) {
    text wish = TEXT_IN(b->m->mem);
    if (!row->range) return kind;
    bool none = row->kind == OPATTR_ANY && row->preset && strcmp(row->preset, "None") == 0;
    if (none) text_put(&wish, "None, ");
    if (op_range_is_interval(row)) text_format(&wish, "%s ", kind);
    op_attr_put_range(&wish, row);
    return text_get(&wish);
}

static const attr *one_attr(builder *b, const op *o, const op_attr *row, const attr *given) {
    if (!given) {
        if (row->preset) return builder_preset(b->m, row);
        diag_error(b->d, b->at, "%s: the attribute %s must be given (%s)", o->name, row->name,
                   row->doc ? row->doc : "");
        return NULL;
    }
    const attr *value = builder_attr(b->m->mem, row, given);
    if (!value) return refuse_attr(b, o, row, given, attr_wish[row->kind]);
    if (op_attr_takes(row, value)) return value;
    return refuse_attr(b, o, row, given, range_wish(b, row, attr_wish[row->kind]));
}

static bool set_attrs(builder *b, node *n, const attr *const *given) {
    uint32_t count = op_attrs(n->op);
    const attr **list = ARENA_NEW(b->m->mem, const attr *, count);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = one_attr(b, n->op, &n->op->attr[i], given ? given[i] : NULL);
        if (!list[i]) return false;
    }
    n->attr = list;
    return true;
}

// --- Calls.

static void set_type_args(builder *b, node *n, const call_parts *c) {
    const ann **list = ARENA_NEW(b->m->mem, const ann *, c->type_args);
    for (uint32_t i = 0; i < c->type_args; i++) list[i] = c->type_arg[i];
    n->type_arg = list;
    n->type_args = c->type_args;
}

static bool check_type_args(builder *b, const call_parts *c) {
    if (!c->type_args || c->op->type_args || c->op->form == FORM_CALL) return true;
    return diag_error(b->d, b->at, "%s: takes no annotation (out_sinfo= or sinfo_args=)", c->op->name);
}

const node *build_call(builder *b, const char *name, const call_parts *c) {
    if (builder_has_poison(c->in, c->count)) return build_poison(b);
    if (!check_inputs(b, c->op, c->in, c->count) || !check_type_args(b, c)) return build_poison(b);
    node *n = builder_node(b, c->op, c->in, c->count);
    n->written = c->written;
    set_type_args(b, n, c);
    return set_attrs(b, n, c->attr) ? builder_bound(b, n, name) : build_poison(b);
}

const node *build_op(builder *b, const char *name, const op *o, const node *const *in, uint32_t count) {
    return build_call(b, name, &(call_parts){.op = o, .in = in, .count = count});
}

const node *build_op_with(builder *b, const char *name, const op *o, const node *const *in, uint32_t count,
                          const named_attr *attrs, uint32_t given) {
    const attr *row[OP_MAX_ATTRS] = {0};
    for (uint32_t i = 0; i < given; i++) {
        uint32_t at = op_attr_row(o, attrs[i].name);
        CHECK(at < op_attrs(o));
        row[at] = attrs[i].value;
    }
    return build_call(b, name, &(call_parts){.op = o, .in = in, .count = count, .attr = row});
}

const node *build_call_func(builder *b, const char *name, const node *callee, const node *const *arg, uint32_t count) {
    const node **in = ARENA_NEW(b->m->mem, const node *, count + 1);
    in[0] = callee;
    for (uint32_t i = 0; i < count; i++) in[i + 1] = arg[i];
    return build_op(b, name, &op_call, in, count + 1);
}

const node *build_call_tir(builder *b, const char *name, const char *func, const node *const *arg, uint32_t count,
                           const ann *out, const expr *const *tir_var, uint32_t tir_vars) {
    const node *in[3] = {build_global(b, func), build_tuple(b, NULL, arg, count)};
    if (tir_vars) in[2] = build_shape(b, tir_var, tir_vars);
    call_parts c = {.op = &op_call_tir, .in = in, .count = tir_vars ? 3 : 2, .type_arg = &out, .type_args = 1};
    return build_call(b, name, &c);
}

const node *build_match_cast(builder *b, const char *name, const node *value, const ann *type) {
    call_parts c = {.op = &op_match_cast, .in = &value, .count = 1, .type_arg = &type, .type_args = 1};
    const node *n = build_call(b, name, &c);
    if (node_is_poison(n)) return n;
    builder_cast(b, n);
    return n;
}

const node *build_bind(builder *b, const char *name, const node *value, const ann *written) {
    return build_call(b, name, &(call_parts){.op = &op_bind, .in = &value, .count = 1, .written = written});
}
