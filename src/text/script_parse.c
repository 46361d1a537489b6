// script_parse.c - the module around the functions, read twice: first all signatures and loop programs, so that a call
// knows what it calls wherever that stands, then the bodies of graph functions.
#include "base/suggest.h"
#include "text/reader.h"
#include <string.h>

typedef VEC(func_head) head_list;
typedef struct module_reader {
    reader *r;
    head_list heads;   // of graph functions, in order
    uint32_t next;     // of them, in the second reading
    bool second, seen; // seen: a module or a function
    diag *said;        // what the user sees; the second reading repeats nothing but what bodies have to say
} module_reader;

// --- Decorators.
// private=True and the like.
static bool read_flag(reader *r, arguments *a, const char *name, bool preset, bool *out) {
    const value *v = arg_named(a, name);
    *out = preset;
    return !v || to_bool(r, v, out, name);
}

// The decorators take different flags; each says which it has.
static bool read_flags(reader *r, func_head *h, const char *what, loc at) {
    arguments a = {.at = at, .callee = what};
    bool pure = true, ignored;
    if (at_op(r, "(") && !read_arguments(r, what, at, &a)) return false;
    bool ok = read_flag(r, &a, "private", false, &h->is_private) && read_flag(r, &a, "pure", true, &pure) &&
              read_flag(r, &a, "s_tir", false, &h->s_tir) && read_flag(r, &a, "check_well_formed", true, &ignored) &&
              read_flag(r, &a, "persistent", false, &ignored);
    h->impure = !pure;
    return ok && args_done(r, &a);
}

// What stands behind "@", dots included.
static const char *read_decorator_name(reader *r, loc *at) {
    text path = TEXT_IN(r->scratch);
    take(r, "@");
    *at = peek(r)->at;
    do {
        const char *part = take_name(r, NULL);
        if (!part) return NULL;
        if (path.len) text_put_char(&path, '.');
        text_put(&path, part);
    } while (take(r, ".") && path.len < READ_MAX_NAME);
    return text_get(&path);
}

// The newline behind a decorator.
static bool end_decorator(reader *r) {
    if (r->failed) return false;
    if (peek(r)->kind != TOKEN_NEWLINE)
        return syntax_error(r, peek(r)->at, "expected the end of the line behind the decorator, got %s",
                            token_text(r, peek(r)));
    lexer_next(r->lex);
    return true;
}

static bool read_known_decorator(reader *r, func_head *h, const char *name, loc at) {
    h->graph = text_ends(name, "R.function");
    if (!h->graph && !text_ends(name, "T.prim_func")) {
        static const char *const known[] = {"R.function", "T.prim_func", "I.ir_module"};
        const char *near = text_nearest(name, known, COUNT(known));
        return syntax_error(r, at, "the decorator @%s is not known%s", name, text_suggest(r->scratch, near, "@", ""));
    }
    return read_flags(r, h, arena_format(r->scratch, "@%s", name), at) && end_decorator(r);
}

bool read_decorator(reader *r, func_head *h) {
    loc at;
    const char *name = read_decorator_name(r, &at);
    return name && read_known_decorator(r, h, name, at);
}

const attr *merge_attrs(reader *r, const attr *attrs, const attr *more, const char *func) {
    for (uint32_t i = 0; i < more->count; i++) {
        const attr *v = more->list[i];
        bool name = strcmp(more->key[i], "global_symbol") == 0 && v->kind == ATTR_STRING && v->size == strlen(func) &&
                    memcmp(v->as.text, func, v->size) == 0;
        if (!name) attrs = attr_with(r->mem, attrs, more->key[i], v);
    }
    return attrs;
}

// --- Functions.

// What the signature bound, so that the body can be read later.
static void keep_scope(reader *r, func_head *h, uint32_t mark) {
    for (uint32_t i = mark; i < r->names.undo.len; i++) {
        const scope_entry *e = r->names.undo.at[i].entry;
        VEC_PUSH(r->scratch, &h->param, e->name);
        VEC_PUSH(r->scratch, &h->argument, e->now);
    }
    scope_leave(r, mark);
}

// A function with an error keeps its name, so that calls of it are not reported as well.
void declare_broken(reader *r, const char *name, func_kind kind, loc at) {
    ann *any = ARENA_NEW(r->mem, ann, 1);
    *any = (ann){.kind = ANN_CALLABLE, .rank = RANK_UNKNOWN, .any_params = true, .pure = true};
    module_declare(r->m, name, kind, any, at);
}

// Loop programs are read wholly; of a graph function the signature, for calls may go forward.
static void read_first(module_reader *mr, func_head *h) {
    reader *r = mr->r;
    const module_func *old = module_find(r->m, h->name);
    if (old) {
        diag_error(r->d, h->at, "the module has a function '%s' already", h->name);
        diag_note(r->d, old->at, "it is here");
    }
    uint32_t mark = scope_mark(r);
    if (!h->graph) {
        read_loop_function(r, h);
        scope_leave(r, mark);
        return;
    }
    h->bad = !read_graph_signature(r, h);
    if (!h->bad && !at_op(r, ":")) // the second pass looks for the colon alone
        h->bad = !syntax_error(r, peek(r)->at, "expected ':', got %s", token_text(r, peek(r)));
    keep_scope(r, h, mark);
    if (h->bad) declare_broken(r, h->name, FUNC_GRAPH, h->at);
    VEC_PUSH(r->scratch, &mr->heads, *h);
    skip_line(r);
}

// To the colon behind the signature.
static void skip_signature(reader *r) {
    for (uint32_t open = 0;;) {
        const token *t = peek(r);
        if (t->kind == TOKEN_END || t->kind == TOKEN_NEWLINE || (!open && token_is(t, ":"))) break;
        if (token_is(t, "(") || token_is(t, "[") || token_is(t, "{")) open++;
        if (open && (token_is(t, ")") || token_is(t, "]") || token_is(t, "}"))) open--;
        lexer_next(r->lex);
    }
    r->failed = false;
}

// The bodies of graph functions, with all signatures known. What the first pass reported is not reported again.
static void read_second(module_reader *mr, const func_head *h) {
    reader *r = mr->r;
    skip_signature(r);
    if (!h->graph || mr->next >= mr->heads.len) {
        skip_line(r);
        return;
    }
    func_head *first = &mr->heads.at[mr->next++];
    if (first->bad) {
        skip_line(r);
        return;
    }
    diag *silent = r->d;
    r->d = mr->said;
    read_graph_body(r, first);
    r->d = silent;
}

static void read_function(module_reader *mr, const char *decorator, loc at) {
    reader *r = mr->r;
    func_head h = {0};
    mr->seen = true;
    bool ok = read_known_decorator(r, &h, decorator, at);
    if (ok && !at_op(r, "def")) ok = syntax_error(r, peek(r)->at, "expected 'def', got %s", token_text(r, peek(r)));
    ok = ok && take(r, "def") && (h.name = take_name(r, &h.at));
    if (!ok) {
        skip_line(r);
        if (at_op(r, "def")) skip_line(r); // what the bad decorator stands above
        return;
    }
    if (mr->second)
        read_second(mr, &h);
    else
        read_first(mr, &h);
}

// --- The class.
// I.module_attrs and I.module_global_infos are dictionaries.
static void read_module_attrs(module_reader *mr, const attr **out, loc at) {
    reader *r = mr->r;
    arguments a;
    if (!read_arguments(r, "I.module_attrs", at, &a)) {
        end_statement(r);
        return;
    }
    const value *v = arg_need(r, &a, 0, "attrs");
    const attr *dict = v ? to_attr(r, v, "module attributes") : NULL;
    if (dict && dict->kind == ATTR_DICT)
        *out = dict;
    else if (dict)
        diag_error(r->d, v->at, "want a dictionary");
    end_statement(r);
}

// I.module_attrs(...), I.module_global_infos(...)
static void read_info(module_reader *mr, loc at) {
    reader *r = mr->r;
    lexer_next(r->lex);
    lexer_next(r->lex);
    const char *name = take_name(r, NULL);
    if (name && strcmp(name, "module_attrs") == 0) {
        read_module_attrs(mr, &r->m->attrs, at);
    } else if (name && strcmp(name, "module_global_infos") == 0) {
        read_module_attrs(mr, &r->m->infos, at);
    } else {
        if (name) syntax_error(r, at, "I.%s is not known; there are I.module_attrs and I.module_global_infos", name);
        skip_line(r);
    }
}

// name = R.ExternFunc("symbol")
static void read_extern_function(module_reader *mr) {
    reader *r = mr->r;
    loc at;
    const char *name = take_name(r, &at);
    arguments a;
    bool ok = name && expect(r, "=") && expect(r, "R") && expect(r, ".") && expect(r, "ExternFunc") &&
              read_arguments(r, "R.ExternFunc", at, &a);
    const value *v = ok ? arg_need(r, &a, 0, "global_symbol") : NULL;
    const char *external = v ? to_string(r, v, "R.ExternFunc") : NULL;
    if (external && !mr->second) module_put_extern(r->m, name, external, at);
    end_statement(r);
}

static void read_member(module_reader *mr) {
    reader *r = mr->r;
    loc at = peek(r)->at;
    r->failed = false;
    if (at_op(r, "@")) {
        const char *decorator = read_decorator_name(r, &at);
        decorator ? read_function(mr, decorator, at) : skip_line(r);
        return;
    }
    if (peek(r)->kind == TOKEN_STRING || at_op(r, "pass")) {
        lexer_next(r->lex);
        end_statement(r);
        return;
    }
    if (at_op(r, "I") && token_is(lexer_peek(r->lex, 1), ".")) {
        read_info(mr, at);
        return;
    } else if (peek(r)->kind == TOKEN_NAME && token_is(lexer_peek(r->lex, 1), "=")) {
        read_extern_function(mr);
        return;
    }
    if (at_op(r, "def"))
        syntax_error(r, at, "this function has no decorator; write @R.function or @T.prim_func above it");
    else
        syntax_error(r, at, "expected a function, got %s", token_text(r, peek(r)));
    skip_line(r);
}

// In both passes: the first reads signatures and loop programs, the second the bodies of graph functions.
static void read_class(module_reader *mr) {
    reader *r = mr->r;
    suite s;
    loc at;
    take(r, "class");
    const char *name = take_name(r, &at);
    if (!name) {
        skip_line(r);
        return;
    }
    if (mr->seen) diag_error(r->d, at, "one module per text");
    mr->seen = true;
    arguments bases;
    if (at_op(r, "(") && !read_arguments(r, "class", at, &bases)) {
        skip_line(r);
        return;
    }
    r->class_name = r->m->name = name;
    scope_bind(r, name, (value){.kind = VAL_MODULE, .at = at});
    if (!suite_open(r, &s)) {
        skip_line(r);
        return;
    }
    while (suite_more(r, &s)) read_member(mr);
}

// --- The text around it.

// n = TypeVar("n"), metadata = tvm.ir.load_json("""...""")
static void read_top_assignment(module_reader *mr) {
    reader *r = mr->r;
    loc at;
    const char *name = take_name(r, &at);
    take(r, "=");
    if (name && take(r, "TypeVar")) {
        text_map_put(&r->typevars, name, r);
    } else if (name && strcmp(name, "metadata") == 0 && !mr->second) {
        bool ok = expect(r, "tvm") && expect(r, ".") && expect(r, "ir") && expect(r, ".") && expect(r, "load_json") &&
                  expect(r, "(") && read_metadata(r);
        ok ? end_statement(r) : skip_line(r);
        return;
    } else if (!mr->second && name) {
        syntax_error(r, at, "expected a module: @I.ir_module and class Module:, got an assignment");
    }
    skip_line(r);
}

// A function outside a class is a module of one function.
static void read_top_decorated(module_reader *mr) {
    reader *r = mr->r;
    loc at;
    arguments ignored;
    const char *name = read_decorator_name(r, &at);
    if (!name) {
        skip_line(r);
        return;
    }
    if (!text_ends(name, "ir_module")) {
        read_function(mr, name, at);
        return;
    }
    if (at_op(r, "(") && !read_arguments(r, "@I.ir_module", at, &ignored)) {
        skip_line(r);
        return;
    }
    if (!end_decorator(r)) {
        skip_line(r);
        return;
    }
    if (at_op(r, "class")) {
        read_class(mr);
        return;
    }
    syntax_error(r, peek(r)->at, "expected 'class' behind @I.ir_module, got %s", token_text(r, peek(r)));
    skip_line(r);
}

static void read_top(module_reader *mr) {
    reader *r = mr->r;
    const token *t = peek(r);
    r->failed = false;
    if (t->kind == TOKEN_NEWLINE || t->kind == TOKEN_DEDENT) {
        lexer_next(r->lex);
        return;
    }
    if (t->kind == TOKEN_INDENT) {
        if (!mr->second) diag_error(r->d, t->at, "this line is indented, but stands in no block");
        skip_line(r);
        return;
    }
    if (token_is(t, "from") || token_is(t, "import") || t->kind == TOKEN_STRING) {
        skip_line(r);
        return;
    }
    if (token_is(t, "@")) {
        read_top_decorated(mr);
        return;
    }
    if (token_is(t, "class")) {
        syntax_error(r, t->at, "this class has no decorator; write @I.ir_module above it");
    } else if (t->kind == TOKEN_NAME && token_is(lexer_peek(r->lex, 1), "=")) {
        read_top_assignment(mr);
        return;
    } else if (token_is(t, "def")) {
        syntax_error(r, t->at, "this function has no decorator; write @R.function or @T.prim_func above it");
    } else {
        syntax_error(r, t->at, "expected a module: @I.ir_module and class Module:, got %s", token_text(r, t));
    }
    skip_line(r);
}

static void read_text(module_reader *mr, diag *lexical) {
    reader *r = mr->r;
    r->lex = lexer_new(r->scratch, r->src, lexical, (lexer_options){.lines = true});
    while (peek(r)->kind != TOKEN_END) read_top(mr);
}

// --- In the order of the text, notes behind what they belong to.
static bool before(const diag_record *a, const diag_record *b) {
    if (!a->at.src || !b->at.src) return false;
    return a->at.line != b->at.line ? a->at.line < b->at.line : a->at.col < b->at.col;
}

// Two passes report out of order; a user reads from top to bottom.
static void sort_records(diag *d, uint32_t from) {
    for (uint32_t i = from; i < d->len;) {
        uint32_t end = i + 1, to = i;
        while (end < d->len && d->record[end].level == DIAG_NOTE) end++;
        for (uint32_t k = i; k-- > from;) // the first record of a group that belongs behind this one
            if (d->record[k].level != DIAG_NOTE && before(&d->record[i], &d->record[k])) to = k;
        for (uint32_t k = i; k < end; k++) {
            diag_record moved = d->record[k];
            memmove(&d->record[to + 1], &d->record[to], (k - to) * sizeof moved);
            d->record[to++] = moved;
        }
        i = end;
    }
}

static void check_later(reader *r) {
    for (uint32_t i = 0; i < r->later.len; i++) {
        value *v = &r->later.at[i];
        if (!module_find(r->m, v->as.name)) diag_error(r->d, v->at, "the module has no function '%s'", v->as.name);
    }
}

static bool read_module(module *m, const source *src, diag *d, bool as_written) {
    uint32_t errors = d->errors, records = d->len;
    arena *scratch = arena_new();
    reader r = {
        .src = src, .d = d, .mem = m->mem, .scratch = scratch, .m = m, .exprs = m->exprs, .as_written = as_written};
    r.names.mem = scratch;
    r.names.entries = MAP_IN(scratch);
    r.typevars = TEXT_MAP_IN(scratch);
    r.known = TEXT_MAP_IN(scratch);
    r.hidden = MAP_IN(scratch);
    module_reader mr = {.r = &r, .said = d};
    read_text(&mr, d);
    check_later(&r);
    if (!mr.seen && d->errors == errors)
        diag_error(d, (loc){src, 1, 1}, "this text has no module; want @I.ir_module and class Module:");
    mr.second = true;
    mr.seen = false;
    r.d = diag_new(scratch);
    read_text(&mr, r.d);
    sort_records(d, records);
    arena_free(scratch);
    return d->errors == errors;
}

// NULL if anything was reported: half a module is of no use to anybody.
static module *parse(const source *src, diag *d, bool as_written) {
    module *m = module_new();
    if (read_module(m, src, d, as_written)) return m;
    module_free(m);
    return NULL;
}

module *script_parse(const source *src, diag *d) { return parse(src, d, false); }

module *script_parse_as_written(const source *src, diag *d) { return parse(src, d, true); }

bool script_parse_into(module *m, const source *src, diag *d) { return read_module(m, src, d, false); }
