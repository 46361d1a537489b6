// fragment.c - the reader over one short text after another, with one function's scope between them.
#include "text/fragment.h"
#include "text/parse_graph.h"
#include <string.h>

// What is open around the code that is being made: a function, a closure in it, a branch.
typedef enum frame_kind { FRAME_FUNCTION, FRAME_CLOSURE, FRAME_THEN, FRAME_ELSE } frame_kind;
typedef struct frame {
    struct frame *outer;
    frame_kind kind;
    uint32_t depth; // 1: the function
    uint32_t mark;  // of names, where it began
    bool in_dataflow;
    uint32_t block_mark;    // of names, where the dataflow block began
    builder *around;        // FRAME_CLOSURE: of what it stands in
    if_parts *parts;        // FRAME_THEN, FRAME_ELSE
    const node *then_value; // FRAME_ELSE
} frame;

struct fragments {
    reader r;
    frame *top; // innermost; NULL: no function is open
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

// What the text form means by itself can't be a name: what is written with it later would mean something else.
static bool is_taken(const char *name) {
    static const char *const own[] = {"R", "T", "I", "cls"};
    for (size_t i = 0; i < COUNT(own); i++)
        if (strcmp(name, own[i]) == 0) return true;
    return is_python_word(name, strlen(name));
}

static const char *checked_name(fragments *f, const char *name, diag *d) {
    if (!is_identifier(name, strlen(name)))
        diag_error(d, (loc){0}, "'%s' is no name: want letters, digits and _, not a digit first", name);
    else if (is_taken(name))
        diag_error(d, (loc){0}, "'%s' can't be a name: it is a word of the text form", name);
    else
        return intern(&f->r, name, strlen(name));
    return NULL;
}

// A name that nothing else has: what is written with it later must mean one thing.
static const char *new_name(fragments *f, const char *name, diag *d) {
    const char *known = checked_name(f, name, d);
    if (!known || !scope_find(&f->r, known)) return known;
    diag_error(d, (loc){0}, "the function has a '%s' already", name);
    return NULL;
}

// The module's text must be one that can be read: the class and a dataflow block count there too.
static bool has_depth(const fragments *f, diag *d) {
    uint32_t most = READ_MAX_STATEMENTS - 2;
    return f->top->depth < most ||
           diag_error(d, (loc){0}, "this is nested too deeply: at most %u branches and closures inside one another",
                      most);
}

static frame *enter(fragments *f, frame_kind kind) {
    frame *top = ARENA_NEW(f->r.scratch, frame, 1);
    *top = (frame){.outer = f->top, .kind = kind, .mark = scope_mark(&f->r), .depth = f->top ? f->top->depth + 1 : 1};
    return f->top = top;
}

static void leave(fragments *f) {
    scope_leave(&f->r, f->top->mark);
    f->top = f->top->outer;
}

// What is open must be what is to be ended.
static bool want_frame(const fragments *f, frame_kind kind, diag *d) {
    static const char *const what[] = {[FRAME_FUNCTION] = "the function",
                                       [FRAME_CLOSURE] = "a closure",
                                       [FRAME_THEN] = "the first branch of an if",
                                       [FRAME_ELSE] = "the second branch of an if"};
    if (!want_open(f, d)) return false;
    if (f->top->kind != kind)
        return diag_error(d, (loc){0}, "what is open is %s, not %s: end it first", what[f->top->kind], what[kind]);
    return !f->top->in_dataflow || diag_error(d, (loc){0}, "the dataflow block is still open; output from it first");
}

bool fragments_sees(const fragments *f, const node *n) {
    const value *v = n->name ? scope_find(&f->r, n->name) : NULL;
    return v && v->kind == VAL_NODE && v->as.n == n;
}

bool fragments_is_value(fragments *f, const char *name) {
    const value *v = scope_find(&f->r, intern(&f->r, name, strlen(name)));
    return v && v->kind == VAL_NODE;
}

bool fragments_is_name(const char *bytes, size_t size) { return is_identifier(bytes, size); }

bool fragments_begin(fragments *f, const char *name, bool is_private, bool pure, diag *d) {
    reader *r = &f->r;
    const char *known = checked_name(f, name, d);
    if (!known) return false;
    if (r->b)
        return diag_error(d, (loc){0}, "%s: function %s is still open; return from it first", name, r->b->f->name);
    if (module_find(r->m, known)) return diag_error(d, (loc){0}, "the module has a function '%s' already", name);
    enter(f, FRAME_FUNCTION);
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
    if (f->top->in_dataflow) return diag_error(d, (loc){0}, "a dataflow block can't stand in another one");
    f->top->block_mark = scope_mark(&f->r);
    build_block(f->r.b, true);
    return f->top->in_dataflow = true;
}

bool fragments_output(fragments *f, const node *const *n, uint32_t count, diag *d) {
    if (!want_open(f, d)) return false;
    builder *b = f->r.b;
    if (!f->top->in_dataflow) return diag_error(d, (loc){0}, "there is no open dataflow block to output from");
    b->d = d;
    for (uint32_t i = 0; i < count; i++) build_output(b, n[i]);
    const binding_block *closed = b->block;
    build_block(b, false);
    leave_dataflow(&f->r, f->top->block_mark, closed);
    f->top->in_dataflow = false;
    return !d->errors;
}

static const char *made_name(const fragments *f) { return f->top->in_dataflow ? "lv" : "gv"; }

// The node under its name from here on.
static const node *bound(fragments *f, const node *n, const diag *d) {
    reader *r = &f->r;
    if (!n || node_is_poison(n) || d->errors) return NULL;
    scope_bind(r, n->name, value_node(n->at, n));
    return n;
}

const node *fragments_bind(fragments *f, const char *name, const char *said, diag *d) {
    if (!want_open(f, d)) return NULL;
    const char *known = name ? new_name(f, name, d) : made_name(f);
    if (!known) return NULL;
    reader *r = open_text(f, said, d);
    value v = read_expression(r);
    return bound(f, read_whole(r) ? emit_value(r, &v, known, NULL) : NULL, d);
}

const node *fragments_constant(fragments *f, const char *name, const tensor *t, diag *d) {
    if (!want_open(f, d)) return NULL;
    const char *known = name ? new_name(f, name, d) : made_name(f);
    if (!known) return NULL;
    const reader *r = open_text(f, "", d);
    return bound(f, build_bind(r->b, known, build_constant(r->b, t), NULL), d);
}

// --- Ends, branches, closures.

static const node *result_of(const fragments *f, const node *const *n, uint32_t count) {
    return count == 1 ? n[0] : build_tuple(f->r.b, NULL, n, count);
}

bool fragments_return(fragments *f, const node *const *n, uint32_t count, diag *d) {
    if (!want_frame(f, FRAME_FUNCTION, d)) return false;
    const reader *r = open_text(f, "", d);
    const node *result = result_of(f, n, count);
    if (node_is_poison(result)) return false;
    module_put_graph(r->m, build_finish(r->b, result));
    leave(f);
    f->r.b = NULL;
    return !d->errors;
}

bool fragments_result(fragments *f, const char *annotation, diag *d) {
    if (!want_open(f, d)) return false;
    if (f->top->kind != FRAME_FUNCTION && f->top->kind != FRAME_CLOSURE)
        return diag_error(d, (loc){0}, "a branch has no stated result");
    reader *r = open_text(f, annotation, d);
    const ann *type = read_annotation(r);
    if (!read_whole(r) || !type) return false;
    graph_func *func = r->b->f;
    func->result_type = type;
    func->result_written = true;
    if (f->top->kind == FRAME_FUNCTION)
        module_put_graph(r->m, func);
    else
        scope_bind(r, intern(r, func->name, strlen(func->name)), value_node(r->b->at, build_self(r->b)));
    return true;
}

bool fragments_closure(fragments *f, const char *name, diag *d) {
    const char *known = want_open(f, d) ? new_name(f, name, d) : NULL;
    if (!known || !has_depth(f, d)) return false;
    reader *r = open_text(f, "", d);
    frame *top = enter(f, FRAME_CLOSURE);
    top->around = r->b;
    r->b = build_closure(r->b, known);
    r->b->f->pure = top->around->f->pure;
    return true;
}

const node *fragments_end_closure(fragments *f, const node *const *n, uint32_t count, diag *d) {
    if (!want_frame(f, FRAME_CLOSURE, d)) return NULL;
    reader *r = open_text(f, "", d);
    builder *around = f->top->around;
    const node *result = result_of(f, n, count), *made = build_end_closure(r->b, result);
    leave(f);
    r->b = around;
    return bound(f, made, d);
}

bool fragments_if(fragments *f, const node *condition, diag *d) {
    if (!want_open(f, d)) return false;
    if (f->top->in_dataflow) return diag_error(d, (loc){0}, "an if can't stand in a dataflow block");
    if (!has_depth(f, d)) return false;
    const reader *r = open_text(f, "", d);
    frame *top = enter(f, FRAME_THEN);
    top->parts = build_if(r->b, condition);
    return true;
}

bool fragments_else(fragments *f, const node *then_value, diag *d) {
    if (!want_frame(f, FRAME_THEN, d)) return false;
    const reader *r = open_text(f, "", d);
    if_parts *parts = f->top->parts;
    build_else(r->b, parts, then_value);
    leave(f);
    frame *top = enter(f, FRAME_ELSE);
    top->parts = parts;
    top->then_value = then_value;
    return !d->errors;
}

// What is known of the result is what both have in common: of a tensor and a tuple nothing could be used.
static bool are_of_one_kind(const fragments *f, const node *a, const node *b, diag *d) {
    const ann *x = a->type, *y = b->type;
    bool alike = x->kind == y->kind && (x->kind != ANN_TUPLE || x->count == y->count);
    if (alike || x->kind == ANN_OBJECT || y->kind == ANN_OBJECT) return true;
    arena *mem = f->r.scratch;
    return diag_error(d, (loc){0}, "the branches give values of different kinds: '%s' is %s, '%s' is %s", a->name,
                      ann_to_text(mem, x), b->name, ann_to_text(mem, y));
}

const node *fragments_end_if(fragments *f, const node *else_value, diag *d) {
    if (!want_frame(f, FRAME_ELSE, d) || !are_of_one_kind(f, f->top->then_value, else_value, d)) return NULL;
    const reader *r = open_text(f, "", d);
    if_parts *parts = f->top->parts;
    leave(f);
    return bound(f, build_end_if(r->b, parts, "gv", else_value), d);
}

// --- Whole functions.

bool fragments_text(fragments *f, const char *name, const char *bytes, size_t size, diag *d) {
    reader *r = &f->r;
    if (r->b) return diag_error(d, (loc){0}, "function %s is still open; return from it first", r->b->f->name);
    source *src = ARENA_NEW(r->mem, source, 1);
    *src = (source){
        .name = arena_copy(r->mem, name, strlen(name)), .bytes = arena_copy(r->mem, bytes, size), .size = size};
    const char *own = r->m->name;
    bool ok = script_parse_into(r->m, src, d);
    r->m->name = own;
    return ok;
}
