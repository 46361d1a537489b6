// jinja_call.c - arguments meet parameters; macros run.
#include "base/count_noun.h"
#include "llm/jinja.h"

// The parameter called `name`, or MOST_PARAMETERS.
static size_t find_parameter(const function *f, text_span name) {
    for (size_t i = 0; i < MOST_PARAMETERS && f->parameters[i]; i++) {
        if (span_is(name, f->parameters[i])) return i;
    }
    return MOST_PARAMETERS;
}

// By place first, then by name; the same parameter twice is refused. An open function takes the rest as it is.
void jinja_bind(jinja *j, const function *f, const value_list *given, const value_dict *named, arguments *out) {
    size_t most = 0;
    while (most < MOST_PARAMETERS && f->parameters[most]) most++;
    *out = (arguments){0};
    if (given->count > most && !f->open)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "%s takes at most %s, got %zu", f->name, COUNTED(most, "argument"),
                  given->count);
    for (size_t i = 0; i < given->count && i < most; i++) out->at[i] = given->at[i];
    if (f->open) out->all = *given, out->named = *named;
    for (size_t i = 0; i < named->count; i++) {
        text_span name = named->key[i].as.text;
        size_t at = find_parameter(f, name);
        int size = name.size < 60 ? (int)name.size : 60;
        if (at == MOST_PARAMETERS && f->open) continue;
        if (at == MOST_PARAMETERS || out->at[at].kind != V_ABSENT)
            heap_fail(j->heap, RX_INVALID_ARGUMENT, "%s has no place for the argument '%.*s'", f->name, size, name.at);
        out->at[at] = named->at[i];
    }
}

// In the order written, whatever the order of the parameters.
static void evaluate_all(jinja *j, const node *first, value_list *given, value_dict *named) {
    for (const node *a = first; a; a = a->next) {
        value v = jinja_evaluate(j, a->in[0]);
        if (a->name.size)
            dict_put(j->heap, named, jvalue_text(a->name), v);
        else
            list_add(j->heap, given, v);
    }
}

value jinja_call_function(jinja *j, const function *f, value self, const node *first) {
    value_list given = {0};
    value_dict named = {0};
    arguments a;
    evaluate_all(j, first, &given, &named);
    jinja_bind(j, f, &given, &named, &a);
    return f->call(j, self, &a);
}

// A wrong name in a call of a macro is an error in Jinja only where the macro doesn't ask for kwargs, which none here
// can.
static void check_names(jinja *j, const macro *m, const value_dict *named) {
    for (size_t i = 0; i < named->count; i++) {
        const node *p = m->node->in[0];
        text_span name = named->key[i].as.text;
        while (p && !span_equal(p->name, name)) p = p->next;
        if (!p)
            heap_fail(j->heap, RX_INVALID_ARGUMENT, "the macro has no parameter '%.*s'",
                      name.size < 60 ? (int)name.size : 60, name.at);
    }
}

// Parameters become names of the scope; defaults may use the parameters before them.
static void bind_macro(jinja *j, const macro *m, const value_list *given, const value_dict *named) {
    size_t i = 0;
    check_names(j, m, named);
    for (const node *p = m->node->in[0]; p; p = p->next, i++) {
        const value *by_name = dict_find_text(named, p->name);
        value v = i < given->count ? given->at[i]
                  : by_name        ? *by_name
                  : p->in[0]       ? jinja_evaluate(j, p->in[0])
                                   : jvalue_undefined(p->name);
        dict_put(j->heap, &j->scope->names, jvalue_text(p->name), v);
    }
    if (given->count > i)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "the macro takes at most %s, got %zu", COUNTED(i, "argument"),
                  given->count);
}

value jinja_call_macro(jinja *j, macro *m, const node *first) {
    value_list given = {0};
    value_dict named = {0};
    jinja_text out = {0}, *outer_out = j->out;
    scope *outer = j->scope;
    evaluate_all(j, first, &given, &named);
    heap_enter(j->heap);
    j->scope = heap_get(j->heap, sizeof *j->scope);
    // A macro sees the names of where it was defined, not of where it is called.
    j->scope->outer = m->scope;
    j->out = &out;
    bind_macro(j, m, &given, &named);
    jinja_run(j, m->node->first);
    j->out = outer_out;
    j->scope = outer;
    heap_leave(j->heap);
    return jvalue_text(jinja_span(&out));
}

const function *jinja_find_in(const function *table, size_t rows, text_span name) {
    for (size_t i = 0; i < rows; i++)
        if (span_is(name, table[i].name)) return &table[i];
    return NULL;
}
