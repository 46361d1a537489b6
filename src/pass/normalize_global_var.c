// normalize_global_var.c - NormalizeGlobalVar: public functions are named by their global_symbol.
//
//   before:  def f(x): …     with R.func_attr({"global_symbol": "g"}), and a private g
//   after:   def g(x): …     and the private one is g1
//
// Needs global symbols to be unique. Keeps everything but names; the attribute goes, as the name says it.
#include "loop/walk.h"
#include "pass/clone.h"
#include <string.h>

typedef struct renaming {
    module *m;
    diag *d;
    text_map names; // old -> new, those that change
    text_map taken; // by public functions
} renaming;

static const attr *attrs_of(const module_func *f) {
    return f->kind == FUNC_GRAPH ? f->graph->attrs : f->kind == FUNC_LOOP ? f->loop->attrs : NULL;
}

// The name a public function should have.
static const char *symbol_of(const module_func *f) {
    const attr *a = attr_find(attrs_of(f), "global_symbol");
    return a && a->kind == ATTR_STRING ? a->as.text : f->name;
}

static bool claim(renaming *z, const module_func *f) {
    const char *symbol = symbol_of(f);
    const module_func *other = text_map_find(&z->taken, symbol);
    if (other)
        return diag_error(z->d, f->at, "NormalizeGlobalVar: %s and %s both have the global_symbol \"%s\"", other->name,
                          f->name, symbol);
    text_map_put(&z->taken, symbol, (void *)(uintptr_t)f);
    if (strcmp(symbol, f->name) != 0) text_map_put(&z->names, f->name, (void *)(uintptr_t)symbol);
    return true;
}

static void step_aside(renaming *z, const module_func *f) {
    if (!text_map_find(&z->taken, f->name)) return;
    for (uint32_t i = 1;; i++) {
        const char *name = arena_format(z->m->mem, "%s%u", f->name, i);
        if (module_find(z->m, name) || text_map_find(&z->taken, name)) continue;
        text_map_put(&z->taken, name, (void *)(uintptr_t)f);
        text_map_put(&z->names, f->name, (void *)(uintptr_t)name);
        return;
    }
}

static const char *now(const renaming *z, const char *name) {
    const char *changed = text_map_find(&z->names, name);
    return changed ? changed : name;
}

// --- Loop programs call others by name.

static const expr *renamed_call(const renaming *z, const expr *e) {
    map with = MAP_IN(z->m->mem);
    expr_walk w = expr_walk_from(z->m->mem, e);
    for (const expr *part; (part = expr_walk_next(&w));) {
        if (part->op != EXPR_CALL_FUNC || !text_map_find(&z->names, part->as.text)) continue;
        const expr *call = expr_call_func(z->m->exprs, now(z, part->as.text), part->type, part->in, part->count);
        map_put(&with, MAP_KEY(part), (void *)(uintptr_t)call);
    }
    return with.len ? expr_substitute(z->m->exprs, e, &with) : e;
}

static const stmt *renamed_body(const renaming *z, const stmt *body) {
    map with = MAP_IN(z->m->mem);
    for (stmt_walk w = stmt_walk_from(z->m->mem, body); stmt_walk_next(&w);) {
        expr_list list = {0};
        if (!w.leaving) stmt_expressions(w.st, z->m->mem, &list);
        for (uint32_t i = 0; i < list.len; i++) {
            const expr *e = renamed_call(z, list.at[i]);
            if (e != list.at[i]) map_put(&with, MAP_KEY(list.at[i]), (void *)(uintptr_t)e);
        }
    }
    return with.len ? stmt_replace(z->m->exprs, z->m->mem, body, &with, NULL) : body;
}

static void put_loop(renaming *z, const loop_func *f) {
    loop_func *copy = ARENA_NEW(z->m->mem, loop_func, 1);
    *copy = *f;
    copy->name = now(z, f->name);
    copy->body = renamed_body(z, f->body);
    if (!f->is_private) copy->attrs = attr_with(z->m->mem, f->attrs, "global_symbol", NULL);
    module_put_loop(z->m, copy);
}

static void put_graph(renaming *z, const graph_func *f) {
    clone c = clone_tables(z->m);
    c.names = z->names;
    graph_func *copy = clone_func(&c, z->m, f, z->d);
    copy->name = now(z, f->name);
    if (!f->is_private) copy->attrs = attr_with(z->m->mem, f->attrs, "global_symbol", NULL);
    module_put_graph(z->m, copy);
}

// All signatures under the new names first: bodies mention each other.
static void rename_all(renaming *z) {
    text_map old = z->m->funcs;
    z->m->funcs = TEXT_MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < old.len; i++) {
        const module_func *f = old.entry[i].value;
        module_func *entry = module_declare(z->m, now(z, f->name), f->kind, f->type, f->at);
        entry->symbol = f->symbol;
    }
    for (uint32_t i = 0; i < old.len; i++) {
        const module_func *f = old.entry[i].value;
        if (f->kind == FUNC_GRAPH) put_graph(z, f->graph);
        if (f->kind == FUNC_LOOP) put_loop(z, f->loop);
    }
}

static bool run(module *m, const pass_ctx *c) {
    renaming z = {.m = m, .d = c->d, .names = TEXT_MAP_IN(m->mem), .taken = TEXT_MAP_IN(m->mem)};
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (is_public(m->funcs.entry[i].value) && !claim(&z, m->funcs.entry[i].value)) return false;
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (!is_public(m->funcs.entry[i].value)) step_aside(&z, m->funcs.entry[i].value);
    uint32_t errors = c->d->errors;
    if (z.names.len) rename_all(&z);
    return c->d->errors == errors;
}

const pass pass_normalize_global_var = {
    .name = "NormalizeGlobalVar",
    .doc = "names public functions by their global symbol",
    .run = run,
};
