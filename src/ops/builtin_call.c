// builtin_call.c - reads the text of operators that are builtins of the runtime.
#include "ops/builtin_call.h"
#include <string.h>

// The text is ours: what it names exists.
typedef struct form_reader {
    arena *mem;
    const node *n;
    const char *at;
    builtin_form form;
} form_reader;

static const char *read_word(form_reader *r) {
    r->at += strspn(r->at, " ,;");
    size_t size = strcspn(r->at, " ,;()=?:|!.#");
    const char *word = arena_copy(r->mem, r->at, size);
    r->at += size;
    return word;
}

static int32_t operand_named(const op *o, const char *name) {
    for (uint32_t i = 0; i < op_inputs(o); i++)
        if (strcmp(o->input[i].name, name) == 0) return (int32_t)i;
    return -1;
}

// "=none" after a name: INT64_MIN stands for a value that was not given; else 0 does.
static int64_t read_preset(form_reader *r) {
    if (*r->at != '=') return 0;
    r->at++;
    CHECK(strcmp(read_word(r), "none") == 0);
    return INT64_MIN;
}

static bool is_mark(form_reader *r, char mark) {
    if (*r->at != mark) return false;
    r->at++;
    return true;
}

static int64_t float_bits(const attr *a) {
    int64_t bits;
    double x;
    CHECK(attr_get_real(a, &x));
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int64_t axis_bit(const node *n, const attr *a) {
    int64_t axis = 0;
    CHECK(attr_get_int(a, &axis));
    return (int64_t)((uint64_t)1 << (axis < 0 ? axis + n->in[0]->type->rank : axis));
}

// Axes as bits: deduction has seen that each is in range and there once.
static int64_t axis_bits(const node *n, const attr *axes) {
    int64_t bits = 0;
    if (axes->kind == ATTR_NONE) return -1;
    if (axes->kind != ATTR_LIST) return axis_bit(n, axes);
    for (uint32_t i = 0; i < axes->count; i++) bits |= axis_bit(n, axes->list[i]);
    return bits;
}

// An attribute as a scalar: numbers, "name?word" for a string, "name.1" for an item of a list (its last one, if short).
static int64_t attribute(form_reader *r, const char *name, int64_t otherwise) {
    const attr *a = node_attr(r->n, name);
    int64_t value = otherwise;
    if (is_mark(r, '?')) {
        const char *word = read_word(r);
        return a->kind == ATTR_STRING && a->size == strlen(word) && memcmp(a->as.text, word, a->size) == 0;
    }
    if (is_mark(r, '#')) return axis_bits(r->n, a);
    if (is_mark(r, '.')) {
        uint32_t i = (uint32_t)(*r->at++ - '0');
        if (a->kind == ATTR_LIST && a->count) a = a->list[i < a->count ? i : a->count - 1];
    }
    for (const op_attr *row = r->n->op->attr; row->name; row++)
        if (row->kind == OPATTR_FLOAT && strcmp(row->name, name) == 0) return float_bits(a);
    if (a->kind != ATTR_NONE) CHECK(attr_get_int(a, &value));
    return value;
}

static void read_scalar(form_reader *r) {
    const char *name = read_word(r);
    builtin_scalar s = {.operand = operand_named(r->n->op, name), .value = read_preset(r)};
    if (s.operand >= (int32_t)r->n->count)
        s.operand = -1;
    else if (s.operand < 0)
        s.value = attribute(r, name, s.value);
    CHECK(r->form.scalars < BUILTIN_CALL_MAX);
    r->form.scalar[r->form.scalars++] = s;
}

// "!a|b?word": is any of these attributes set, or that?
static bool condition(form_reader *r) {
    bool any = false;
    do {
        bool negated = is_mark(r, '!');
        const char *name = read_word(r);
        if (strcmp(name, "several") == 0)
            any |= r->n->type->kind == ANN_TUPLE;
        else
            any |= (attribute(r, name, 0) != 0) != negated;
    } while (is_mark(r, '|'));
    return any;
}

static bool is_chosen(form_reader *r, const char *name) {
    if (is_mark(r, ':')) return condition(r);
    for (const op_attr *row = r->n->op->attr; row->name; row++)
        if (strcmp(row->name, "ret_type") == 0) {
            const char *choice = node_attr(r->n, "ret_type")->as.text;
            return strcmp(choice, "both") == 0 || strcmp(choice, name) == 0;
        }
    return true;
}

static void read_destination(form_reader *r) {
    const char *name = read_word(r);
    CHECK(r->form.outs < BUILTIN_CALL_MAX);
    r->form.wanted[r->form.outs++] = is_chosen(r, name);
}

static void read_arguments(form_reader *r) {
    r->at++;
    while (*r->at != ')' && *r->at != ';') read_scalar(r);
    while (*r->at != ')') read_destination(r);
}

static void count_destinations(form_reader *r) {
    const ann *type = r->n->type;
    r->form.outs = type->kind == ANN_TUPLE ? type->count : 1;
    CHECK(r->form.outs <= BUILTIN_CALL_MAX);
    for (uint32_t i = 0; i < r->form.outs; i++) r->form.wanted[i] = true;
}

builtin_form builtin_form_of(arena *mem, const node *n) {
    const op *o = n->op;
    form_reader r = {.mem = mem, .n = n, .at = o->call ? o->call : o->alloc};
    CHECK(r.at);
    r.form.name = read_word(&r);
    while (r.form.tensors < n->count && o->input[r.form.tensors].kind == INPUT_TENSOR) r.form.tensors++;
    if (*r.at == '(') read_arguments(&r);
    if (o->call && !r.form.outs) count_destinations(&r);
    return r.form;
}
