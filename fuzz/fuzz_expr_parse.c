// fuzz_expr_parse.c - any bytes through the reader of expressions: what is read prints, reads again as the same node
// (LET binds new variables: there the text must be the same), evaluates alike before and after, and becomes a postfix
// program with the same value where it becomes one.
#include "base/postfix.h"
#include "expr/parse.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Unlike CHECK it aborts, so that libFuzzer keeps the input.
static void must(bool holds) {
    if (!holds) abort();
}

typedef struct run {
    arena *mem;
    expr_session *s;
    text_map vars;
} run;

static const expr *read_text(run *r, const char *bytes, size_t size) {
    source *src = ARENA_NEW(r->mem, source, 1);
    *src = (source){.name = "<fuzz>", .bytes = bytes, .size = size};
    diag *d = diag_new(r->mem);
    const expr *e = expr_parse(r->s, src, &r->vars, d);
    must((e != NULL) == (d->errors == 0));
    text said = TEXT_IN(r->mem);
    diag_print(d, &said, false);
    return e;
}

static bool binds(run *r, const expr *e) {
    expr_walk w = expr_walk_from(r->mem, e);
    while ((e = expr_walk_next(&w)))
        if (e->op == EXPR_LET) return true;
    return false;
}

// In both styles: numbers without a type are int64 in one, int32 in the other, where a reader without types around
// them takes them for int64. So only the first must come back as the same node.
static void check_round_trip(run *r, const expr *e) {
    char *words = expr_to_text(r->mem, e);
    const expr *again = read_text(r, words, strlen(words));
    must(again != NULL);
    must(binds(r, e) ? !strcmp(expr_to_text(r->mem, again), words) : again == e);
    text kernel = TEXT_IN(r->mem);
    expr_print(&kernel, e, &(expr_print_options){.graph = false});
}

static int64_t value_of(uint32_t id) { return (int64_t)(id * 7919 % 23) - 5; }

static void check_value(run *r, const expr *e) {
    expr_list vars = {0};
    map slot = MAP_IN(r->mem);
    expr_free_vars(e, r->mem, &vars);
    expr_env env = expr_env_new(r->mem, r->s);
    int64_t *slots = ARENA_NEW(r->mem, int64_t, vars.len);
    for (uint32_t i = 0; i < vars.len; i++) {
        slots[i] = value_of(i);
        expr_env_set(&env, vars.at[i], (scalar){.i = slots[i]});
        map_put(&slot, MAP_KEY(vars.at[i]), (void *)((uintptr_t)i + 1));
    }
    scalar want;
    uint8_t *code;
    size_t size;
    int64_t got;
    expr_status status = expr_eval(e, &env, &want);
    must(status != EXPR_UNBOUND);
    if (!expr_to_postfix(e, &slot, r->mem, &code, &size)) return;
    must(postfix_check(code, size, vars.len));
    postfix_result result = postfix_run(code, size, slots, &got);
    // narrow kernel integers wrap where postfix goes on in 64 bits: those are compared for int64 alone
    expr_walk w = expr_walk_from(r->mem, e);
    for (const expr *x = e; (x = expr_walk_next(&w));)
        if (x->type.kind != DTYPE_I64 && x->type.kind != DTYPE_BOOL) return;
    must((status == EXPR_DONE) == (result == POSTFIX_DONE));
    must(status != EXPR_DONE || got == want.i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena *mem = arena_new();
    run r = {.mem = mem, .s = expr_open(), .vars = TEXT_MAP_IN(mem)};
    const expr *e = read_text(&r, (const char *)data, size);
    if (e) {
        check_round_trip(&r, e);
        check_value(&r, e);
    }
    expr_close(r.s);
    arena_free(mem);
    return 0;
}
