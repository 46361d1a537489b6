// fixture.c - what the tests of expressions share.
#include "fixture.h"

int fixture_open(void **state) {
    arena *mem = arena_new();
    fixture *f = ARENA_NEW(mem, fixture, 1);
    *f = (fixture){.s = expr_open(), .mem = mem, .vars = TEXT_MAP_IN(mem)};
    *state = f;
    return 0;
}

int fixture_close(void **state) {
    fixture *f = *state;
    expr_close(f->s);
    arena_free(f->mem);
    return 0;
}

const expr *declare(fixture *f, const char *name, const char *type) {
    dtype t;
    assert_true(dtype_parse(type, strlen(type), &t));
    const expr *var = expr_new_var(f->s, name, t);
    text_map_put(&f->vars, name, (void *)(uintptr_t)var);
    return var;
}

const expr *try_parse(fixture *f, const char *words) {
    source *src = ARENA_NEW(f->mem, source, 1);
    *src = (source){.name = "<test>", .bytes = words, .size = strlen(words)};
    f->d = diag_new(f->mem);
    const expr *e = expr_parse(f->s, src, &f->vars, f->d);
    assert_true((e != NULL) == (f->d->errors == 0)); // refused exactly where something was reported
    return e;
}

const expr *parsed(fixture *f, const char *words) {
    const expr *e = try_parse(f, words);
    if (!e) fail_msg("%s: %s", words, first_error(f));
    return e;
}

facts *given(fixture *f, const char *conditions) {
    facts *known = facts_new(f->s);
    while (*conditions) {
        size_t size = strcspn(conditions, ";");
        facts_assume(known, parsed(f, arena_copy(f->mem, conditions, size)));
        conditions += size + (conditions[size] == ';');
    }
    return known;
}

const char *first_error(const fixture *f) { return f->d->len ? f->d->record[0].message : ""; }

const char *printed(fixture *f, const expr *e, bool graph) {
    text t = TEXT_IN(f->mem);
    expr_print(&t, e, &(expr_print_options){.graph = graph});
    return text_get(&t);
}
