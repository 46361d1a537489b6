// match.c - values against annotations: the checks at the boundary of public functions and match_cast, and what they
// say.
#include "base/count_noun.h"
#include "base/postfix.h"
#include "vm/context.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_DEPTH = 64, TEXT = 256 };

// One check on its way down into a value.
typedef struct matcher {
    rx_context *c;
    const exec_function *f;
    int64_t *slot;
    const char *name;
    uint32_t path[PATH_DEPTH]; // fields from the value down to the part that is looked at
    uint32_t depth;
} matcher;

static const char *string_of(const matcher *m, uint32_t i) { return exec_string(m->c->exe, i); }
static const char *function_name(const matcher *m) { return exec_string(m->c->exe, m->f->name); }

// Where a name ends: "add: m * 2 (line 9)", of what has no name in the text, has its line behind it.
static size_t name_length(const char *name) {
    const char *line = strstr(name, " (line ");
    return line ? (size_t)(line - name) : strlen(name);
}

// "x" or "x[0][2]".
static const char *path_text(const char *name, const uint32_t *path, uint32_t depth, char out[TEXT]) {
    size_t length = name_length(name);
    int at = snprintf(out, TEXT, "%.*s", length < 100 ? (int)length : 100, name);
    for (uint32_t i = 0; i < depth && at < TEXT - 16; i++) at += snprintf(out + at, TEXT - (size_t)at, "[%u]", path[i]);
    return out;
}

// "x.shape[1]", for a shape "s[1]", for a scalar "k".
static void part_text(const exec_annotation *a, const char *value, uint32_t dim, char out[TEXT + 32]) {
    if (a->kind == ANNOTATION_PRIM)
        snprintf(out, TEXT + 32, "%.200s", value);
    else
        snprintf(out, TEXT + 32, "%.200s%s[%u]", value, a->kind == ANNOTATION_TENSOR ? ".shape" : "", dim);
}

static const char *annotation_text(const matcher *m, const exec_annotation *a) {
    return a->text == EXEC_NONE ? "R.Object" : string_of(m, a->text);
}

// ---- who bound a symbol ----

// Looks for the dim that binds a slot in the annotation of a value called `name`; writes its place.
static bool find_binder_in(const executable *e, uint32_t annotation, uint32_t slot, const char *name,
                           char out[TEXT + 32]) {
    const exec_annotation *a = &e->annotation[annotation];
    for (uint32_t i = 0; i < a->dims; i++) {
        if (a->dim[i].kind != DIM_BIND || a->dim[i].index != slot) continue;
        part_text(a, name, i, out);
        return true;
    }
    for (uint32_t i = 0; a->kind == ANNOTATION_TUPLE && i < a->fields; i++) {
        char field[TEXT];
        snprintf(field, sizeof field, "%.200s[%u]", name, i);
        if (find_binder_in(e, a->field[i], slot, field, out)) return true;
    }
    return false;
}

// The same among the match_casts of a function.
static bool find_binder_in_code(const executable *e, const exec_function *f, uint32_t slot, char out[TEXT + 32]) {
    const uint32_t *code = e->code + f->code;
    for (uint32_t at = 0; at < f->words; at += op_words(code[at])) {
        const uint32_t *i = code + at;
        if ((i[0] & 0xff) != OP_MATCH) continue;
        char name[TEXT];
        path_text((const char *)e->constant[i[3]].bytes.at, NULL, 0, name);
        if (find_binder_in(e, i[2], slot, name, out)) return true;
    }
    return false;
}

static bool find_binder_in_params(const matcher *m, uint32_t slot, char out[TEXT + 32]) {
    const executable *e = m->c->exe;
    for (uint32_t i = 0; i < m->f->params; i++) {
        const exec_param *p = &m->f->param[i];
        if (find_binder_in(e, p->annotation, slot, exec_string(e, p->name), out)) return true;
    }
    return false;
}

static bool find_binder(const matcher *m, uint32_t slot, char out[TEXT + 32]) {
    return find_binder_in_params(m, slot, out) || find_binder_in_code(m->c->exe, m->f, slot, out);
}

// The symbol whose slot is read by the instruction, NULL if none is.
static const exec_symbol *symbol_read(const matcher *m, const uint8_t *at) {
    for (uint32_t i = 0; *at == POSTFIX_SLOT && i < m->f->symbols; i++)
        if (m->f->symbol[i].slot == (uint64_t)postfix_operand(at)) return &m->f->symbol[i];
    return NULL;
}

static bool read_before(const exec_program *p, const uint8_t *at, uint32_t slot) {
    for (const uint8_t *b = p->bytes.at; b < at; b += postfix_size(b))
        if (*b == POSTFIX_SLOT && postfix_operand(b) == slot) return true;
    return false;
}

// ", as n is 4, bound by x.shape[0] and m is 17, bound by y.shape[0]": what a program reads.
static void symbols_text(const matcher *m, const exec_program *p, char out[RX_MESSAGE]) {
    char binder[TEXT + 32];
    int at = 0;
    out[0] = 0;
    for (const uint8_t *b = p->bytes.at; b < p->bytes.at + p->bytes.size; b += postfix_size(b)) {
        const exec_symbol *s = symbol_read(m, b);
        if (!s || read_before(p, b, s->slot) || !find_binder(m, s->slot, binder)) continue;
        at += snprintf(out + at, RX_MESSAGE - (size_t)at, "%s %s is %" PRId64 ", bound by %s", at ? " and" : ", as",
                       string_of(m, s->name), m->slot[s->slot], binder);
        if (at >= RX_MESSAGE) return;
    }
}

// ---- failures ----

static rx_status fail_kind(matcher *m, const exec_annotation *a, const vm_value *v) {
    char path[TEXT];
    return vm_fail(m->c, RX_INVALID_ARGUMENT, "%s: %s is %s, but must be %s", function_name(m),
                   path_text(m->name, m->path, m->depth, path), kind_name(v->kind), annotation_text(m, a));
}

static rx_status fail_dtype(matcher *m, dtype got, dtype want) {
    char path[TEXT], a[32], b[32];
    return vm_fail(m->c, RX_SHAPE_MISMATCH, "%s: %s has dtype %s, but must have %s", function_name(m),
                   path_text(m->name, m->path, m->depth, path), dtype_spell(got, a), dtype_spell(want, b));
}

static rx_status fail_rank(matcher *m, const exec_annotation *a, uint32_t got) {
    char path[TEXT];
    return vm_fail(m->c, RX_SHAPE_MISMATCH, "%s: %s has %s, but must have %d: %s", function_name(m),
                   path_text(m->name, m->path, m->depth, path), COUNTED(got, "dim"), (int)a->rank,
                   annotation_text(m, a));
}

// A dim that must equal a program's value and doesn't.
static rx_status fail_dim(matcher *m, const exec_annotation *a, uint32_t i, int64_t got, int64_t want) {
    char path[TEXT], part[TEXT + 32], binder[TEXT + 32], symbols[RX_MESSAGE];
    const exec_program *p = &m->c->exe->program[a->dim[i].index];
    const char *text = a->dim[i].text == EXEC_NONE ? "it" : string_of(m, a->dim[i].text);
    path_text(m->name, m->path, m->depth, path);
    if (a->dims == 1 && m->name[name_length(m->name)]) // the name says the size itself
        snprintf(part, sizeof part, "%s", path);
    else
        part_text(a, path, i, part);
    const char *function = function_name(m);
    if (p->kind == PROGRAM_CONST)
        return vm_fail(m->c, RX_SHAPE_MISMATCH, "%s: %s is %" PRId64 ", but must be %" PRId64, function, part, got,
                       want);
    if (p->kind == PROGRAM_SLOT && find_binder(m, p->slot, binder))
        return vm_fail(m->c, RX_SHAPE_MISMATCH, "%s: %s is %" PRId64 ", but %s is %" PRId64 ", bound by %s", function,
                       part, got, text, want, binder);
    symbols_text(m, p, symbols);
    return vm_fail(m->c, RX_SHAPE_MISMATCH, "%s: %s is %" PRId64 ", but %s is %" PRId64 "%s", function, part, got, text,
                   want, symbols);
}

// Says what the compiled code can take, not what the model could.
static rx_status fail_bound(matcher *m, const exec_symbol *s, const char *binder) {
    char rule[96];
    int64_t got = m->slot[s->slot];
    if (got < s->lower)
        snprintf(rule, sizeof rule, "at least %" PRId64, s->lower);
    else if (got > s->upper)
        snprintf(rule, sizeof rule, "at most %" PRId64, s->upper);
    else
        snprintf(rule, sizeof rule, "a multiple of %" PRId64, s->multiple);
    return vm_fail(m->c, RX_SHAPE_MISMATCH, "%s: %s is %" PRId64 ", but %s must be %s", function_name(m), binder, got,
                   string_of(m, s->name), rule);
}

// ---- the checks ----

// The compiler decided which mention binds and which checks: here is no search and no state but the slots.
static rx_status match_dim(matcher *m, const exec_annotation *a, uint32_t i, int64_t got) {
    const exec_dim *d = &a->dim[i];
    int64_t want;
    switch (d->kind) {
    case DIM_ANY: return RX_OK;
    case DIM_BIND: m->slot[d->index] = got; return RX_OK;
    case DIM_CHECK:
        RX_TRY(vm_eval(m->c, d->index, m->slot, &want));
        return got == want ? RX_OK : fail_dim(m, a, i, got, want);
    }
    return RX_OK;
}

static rx_status match_dims(matcher *m, const exec_annotation *a, uint32_t rank, const int64_t *dim) {
    if (a->rank >= 0 && (int64_t)rank != a->rank) return fail_rank(m, a, rank);
    for (uint32_t i = 0; i < a->dims; i++) RX_TRY(match_dim(m, a, i, dim[i]));
    return RX_OK;
}

// The dtype first: a message about dims of a wrong dtype would mislead.
static rx_status match_tensor(matcher *m, const exec_annotation *a, const vm_value *v) {
    const tensor *t = &tensor_object(v)->t;
    if (a->type.kind != DTYPE_VOID && !dtype_equal(a->type, t->type)) return fail_dtype(m, t->type, a->type);
    return match_dims(m, a, t->rank, t->dim);
}

static rx_status match_prim(matcher *m, const exec_annotation *a, const vm_value *v) {
    if (a->type.kind != DTYPE_VOID && !dtype_equal(a->type, prim_dtype(v)))
        return fail_dtype(m, prim_dtype(v), a->type);
    return a->dims ? match_dim(m, a, 0, v->bits) : RX_OK;
}

static rx_status match_value(matcher *m, uint32_t annotation, const vm_value *v);

static rx_status match_tuple(matcher *m, const exec_annotation *a, const vm_value *v) {
    const vm_tuple *t = (const vm_tuple *)v->obj;
    char path[TEXT];
    if (t->count != a->fields)
        return vm_fail(m->c, RX_INVALID_ARGUMENT, "%s: %s has %s, but must have %u: %s", function_name(m),
                       path_text(m->name, m->path, m->depth, path), COUNTED(t->count, "field"), a->fields,
                       annotation_text(m, a));
    m->depth++; // the loader bounds how deep annotations are
    for (uint32_t i = 0; i < a->fields; i++) {
        m->path[m->depth - 1] = i;
        RX_TRY(match_value(m, a->field[i], &t->item[i]));
    }
    m->depth--;
    return RX_OK;
}

static rx_status match_value(matcher *m, uint32_t annotation, const vm_value *v) {
    const exec_annotation *a = &m->c->exe->annotation[annotation];
    switch (a->kind) {
    case ANNOTATION_OBJECT: return RX_OK;
    case ANNOTATION_TENSOR: return v->kind == VM_TENSOR ? match_tensor(m, a, v) : fail_kind(m, a, v);
    case ANNOTATION_SHAPE:
        if (v->kind != VM_SHAPE) return fail_kind(m, a, v);
        return match_dims(m, a, ((const vm_shape *)v->obj)->rank, ((const vm_shape *)v->obj)->dim);
    case ANNOTATION_PRIM: return v->kind == VM_PRIM ? match_prim(m, a, v) : fail_kind(m, a, v);
    case ANNOTATION_TUPLE: return v->kind == VM_TUPLE ? match_tuple(m, a, v) : fail_kind(m, a, v);
    case ANNOTATION_CALLABLE: return v->kind == VM_CLOSURE ? RX_OK : fail_kind(m, a, v);
    case ANNOTATION_KINDS: break;
    }
    return RX_OK;
}

// True if a check of this annotation always says the same: no symbol, no part that may change behind it.
static bool depends_on_nothing(const executable *e, const exec_annotation *a) {
    if (a->kind != ANNOTATION_TENSOR) return false;
    for (uint32_t i = 0; i < a->dims; i++)
        if (a->dim[i].kind == DIM_BIND ||
            (a->dim[i].kind == DIM_CHECK && e->program[a->dim[i].index].kind != PROGRAM_CONST))
            return false;
    return true;
}

static bool keeps_to_bounds(const exec_symbol *s, int64_t got) {
    return got >= s->lower && got <= s->upper && (s->multiple == 1 || got % s->multiple == 0);
}

// " (line 9)" behind the message.
static rx_status add_line(rx_context *c, const char *name, rx_status status) {
    size_t size = strlen(c->message);
    snprintf(c->message + size, RX_MESSAGE - size, "%.40s", name + name_length(name));
    return status;
}

rx_status vm_match(rx_context *c, uint32_t function, int64_t *slot, uint32_t annotation, const vm_value *v,
                   const char *name) {
    char binder[TEXT + 32];
    matcher m = {.c = c, .f = &c->exe->function[function], .slot = slot, .name = name};
    rx_status status = match_value(&m, annotation, v);
    if (status != RX_OK) return add_line(c, name, status);
    for (uint32_t i = 0; i < m.f->symbols; i++) {
        const exec_symbol *s = &m.f->symbol[i];
        // Only symbols that were bound here: others may not have a value yet.
        if (!keeps_to_bounds(s, slot[s->slot]) && find_binder_in(c->exe, annotation, s->slot, name, binder))
            return fail_bound(&m, s, binder);
    }
    return RX_OK;
}

// The bounds of the symbols that parameters bind; the others get their values later.
static rx_status match_bounds(matcher *m) {
    char binder[TEXT + 32];
    for (uint32_t i = 0; i < m->f->symbols; i++) {
        const exec_symbol *s = &m->f->symbol[i];
        if (!keeps_to_bounds(s, m->slot[s->slot]) && find_binder_in_params(m, s->slot, binder))
            return fail_bound(m, s, binder);
    }
    return RX_OK;
}

rx_status vm_match_params(rx_context *c, uint32_t function, int64_t *slot, const vm_value *arg, uint8_t *accepted) {
    const executable *e = c->exe;
    matcher m = {.c = c, .f = &e->function[function], .slot = slot};
    for (uint32_t i = 0; i < m.f->params; i++) {
        const exec_param *p = &m.f->param[i];
        if (accepted && accepted[i] == INPUT_ACCEPTED) continue;
        m.name = exec_string(e, p->name);
        RX_TRY(match_value(&m, p->annotation, &arg[i]));
        if (accepted && !accepted[i] && depends_on_nothing(e, &e->annotation[p->annotation]))
            accepted[i] = INPUT_ACCEPTED;
    }
    return match_bounds(&m);
}
