// fragment.c - the reader over one short text after another, with one function's scope between them.
#include "text/fragment.h"
#include "text/parse_graph.h"
#include <string.h>

struct fragments {
    reader r;
    uint32_t mark; // of names, where the open function began
    bool in_dataflow;
    uint32_t block_mark; // of names, where the dataflow block began
};

fragments *fragments_new(void) {
    arena *scratch = arena_new();
    fragments *f = ARENA_NEW(scratch, fragments, 1);
    module *m = module_new();
    f->r = (reader){.mem = m->mem, .scratch = scratch, .m = m, .exprs = m->exprs};
    f->r.names.mem = scratch;
    f->r.names.entries = f->r.hidden = MAP_IN(scratch);
    f->r.typevars = f->r.known = TEXT_MAP_IN(scratch);
    f->r.class_name = m->name = "Module";
    scope_bind(&f->r, intern(&f->r, "cls", 3), (value){.kind = VAL_MODULE});
    return f;
}

void fragments_free(fragments *f) {
    if (!f) return;
    module_free(f->r.m);
    arena_free(f->r.scratch);
}

module *fragments_module(const fragments *f) { return f->r.m; }
bool fragments_open(const fragments *f) { return f->r.b != NULL; }

// The next text to read. It stays as long as the fragments: nodes know their places in it.
static reader *open_text(fragments *f, const char *bytes, diag *d) {
    reader *r = &f->r;
    source *src = ARENA_NEW(r->mem, source, 1);
    size_t size = strlen(bytes);
    *src = (source){.name = "<builder>", .bytes = arena_copy(r->mem, bytes, size), .size = size};
    r->src = src;
    r->d = d;
    r->failed = false;
    r->lex = lexer_new(r->scratch, src, d, (lexer_options){0});
    if (r->b) {
        r->b->d = d;
        r->b->at = (loc){src, 1, 1};
    }
    return r;
}

// Nothing may follow, and nothing may have been reported.
static bool read_whole(reader *r) {
    if (!r->failed && peek(r)->kind != TOKEN_END)
        syntax_error(r, peek(r)->at, "expected the end, got %s", token_text(r, peek(r)));
    return !r->failed && !r->d->errors;
}

static bool want_open(const fragments *f, diag *d) {
    return f->r.b || diag_error(d, (loc){0}, "there is no open function; begin one first");
}

static const char *checked_name(fragments *f, const char *name, diag *d) {
    if (is_identifier(name, strlen(name))) return intern(&f->r, name, strlen(name));
    diag_error(d, (loc){0}, "'%s' is no name: want letters, digits and _, not a digit first", name);
    return NULL;
}

// A name that nothing else has: what is written with it later must mean one thing.
static const char *new_name(fragments *f, const char *name, diag *d) {
    const char *known = checked_name(f, name, d);
    if (!known || !scope_find(&f->r, known)) return known;
    diag_error(d, (loc){0}, "the function has a '%s' already", name);
    return NULL;
}

bool fragments_begin(fragments *f, const char *name, bool is_private, bool pure, diag *d) {
    reader *r = &f->r;
    const char *known = checked_name(f, name, d);
    if (!known) return false;
    if (r->b)
        return diag_error(d, (loc){0}, "%s: function %s is still open; return from it first", name, r->b->f->name);
    if (module_find(r->m, known)) return diag_error(d, (loc){0}, "the module has a function '%s' already", name);
    f->mark = scope_mark(r);
    r->hidden = MAP_IN(r->scratch);
    r->b = build_func(r->m, known, d);
    r->b->f->is_private = is_private;
    r->b->f->pure = pure;
    return true;
}

const node *fragments_param(fragments *f, const char *name, const char *annotation, diag *d) {
    const char *known = want_open(f, d) ? new_name(f, name, d) : NULL;
    if (!known) return NULL;
    if (f->r.b->body->first) {
        diag_error(d, (loc){0}, "parameter '%s' comes after a binding", name);
        return NULL;
    }
    reader *r = open_text(f, annotation, d);
    r->define = true;
    const ann *type = read_annotation(r);
    r->define = false;
    if (!read_whole(r) || !type) return NULL;
    const node *n = build_param(r->b, known, type);
    scope_bind(r, known, value_node(r->b->at, n));
    return d->errors ? NULL : n;
}

bool fragments_symbol(fragments *f, const char *name, diag *d) {
    const char *known = want_open(f, d) ? new_name(f, name, d) : NULL;
    if (!known) return false;
    const symbol s = {.type = DTYPE_OF(I64)};
    scope_bind(&f->r, known, value_expr((loc){0}, new_symbol_var(&f->r, known, &s)));
    return true;
}

bool fragments_attr(fragments *f, const char *name, const char *said, diag *d) {
    if (!want_open(f, d)) return false;
    reader *r = open_text(f, said, d);
    value v = read_expression(r);
    const attr *a = read_whole(r) ? to_attr(r, &v, name) : NULL;
    if (!a) return false;
    r->b->f->attrs = attr_with(r->mem, r->b->f->attrs, intern(r, name, strlen(name)), a);
    return true;
}

bool fragments_dataflow(fragments *f, diag *d) {
    if (!want_open(f, d)) return false;
    if (f->in_dataflow) return diag_error(d, (loc){0}, "a dataflow block can't stand in another one");
    f->block_mark = scope_mark(&f->r);
    build_block(f->r.b, true);
    return f->in_dataflow = true;
}

bool fragments_output(fragments *f, const node *const *n, uint32_t count, diag *d) {
    if (!want_open(f, d)) return false;
    builder *b = f->r.b;
    if (!f->in_dataflow) return diag_error(d, (loc){0}, "there is no open dataflow block to output from");
    b->d = d;
    for (uint32_t i = 0; i < count; i++) build_output(b, n[i]);
    const binding_block *closed = b->block;
    build_block(b, false);
    leave_dataflow(&f->r, f->block_mark, closed);
    f->in_dataflow = false;
    return !d->errors;
}

// The node under its name from here on.
static const node *bound(fragments *f, const node *n, const diag *d) {
    reader *r = &f->r;
    if (!n || node_is_poison(n) || d->errors) return NULL;
    scope_bind(r, n->name, value_node(n->at, n));
    return n;
}

const node *fragments_bind(fragments *f, const char *name, const char *said, diag *d) {
    if (!want_open(f, d)) return NULL;
    const char *known = name ? new_name(f, name, d) : f->in_dataflow ? "lv" : "gv";
    if (!known) return NULL;
    reader *r = open_text(f, said, d);
    value v = read_expression(r);
    return bound(f, read_whole(r) ? emit_value(r, &v, known, NULL) : NULL, d);
}

const node *fragments_constant(fragments *f, const char *name, const tensor *t, diag *d) {
    if (!want_open(f, d)) return NULL;
    const char *known = name ? new_name(f, name, d) : f->in_dataflow ? "lv" : "gv";
    if (!known) return NULL;
    const reader *r = open_text(f, "", d);
    return bound(f, build_bind(r->b, known, build_constant(r->b, t), NULL), d);
}

bool fragments_return(fragments *f, const node *const *n, uint32_t count, diag *d) {
    if (!want_open(f, d)) return false;
    const reader *r = open_text(f, "", d);
    if (f->in_dataflow) return diag_error(d, (loc){0}, "the dataflow block is still open; output from it first");
    const node *result = count == 1 ? n[0] : build_tuple(r->b, NULL, n, count);
    if (node_is_poison(result)) return false;
    module_put_graph(r->m, build_finish(r->b, result));
    scope_leave(&f->r, f->mark);
    f->r.b = NULL;
    return !d->errors;
}
