// fuzz_base_lexer.c - any bytes through the lexer, with and without lines: tokens lie in the text in order, blocks
// close, strings survive quoting, and what is reported can be printed.
#include "base/lexer.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Unlike CHECK it aborts, so that libFuzzer keeps the input.
static void must(bool holds) {
    if (!holds) abort();
}

typedef struct run {
    arena *mem;
    source src;
    const char *behind; // the end of the last token
    uint32_t line, blocks;
} run;

static void check_place(run *r, const token *t) {
    must(t->start >= r->behind || t->kind == TOKEN_INDENT);
    must(t->start + t->size <= r->src.bytes + r->src.size);
    must(t->at.line >= r->line && t->at.col >= 1 && t->at.src == &r->src);
    must(t->size > 0 || t->kind == TOKEN_END || t->kind == TOKEN_DEDENT || t->kind == TOKEN_NEWLINE);
    r->behind = t->start + t->size;
    r->line = t->at.line;
}

static void check_string(run *r, const token *t) {
    must(t->str_size <= t->size && t->str[t->str_size] == '\0');
    text quoted = TEXT_IN(r->mem);
    text_put_quoted(&quoted, t->str, t->str_size);
    source src = {.name = "again", .bytes = quoted.at, .size = quoted.len};
    diag *d = diag_new(r->mem);
    token again = lexer_next(lexer_new(r->mem, &src, d, (lexer_options){0}));
    must(again.kind == TOKEN_STRING && again.size == quoted.len && again.str_size == t->str_size);
    must(memcmp(again.str, t->str, t->str_size) == 0 && !d->errors);
}

static void check_float(run *r, const token *t) {
    text written = TEXT_IN(r->mem);
    text_put_double(&written, t->fval);
    must(t->fval > 1e308 || text_read_float(written.at, written.len) == t->fval);
}

static void check_token(run *r, const token *t) {
    check_place(r, t);
    if (t->kind == TOKEN_STRING) check_string(r, t);
    if (t->kind == TOKEN_FLOAT) check_float(r, t);
    if (t->kind == TOKEN_INDENT) r->blocks++;
    if (t->kind == TOKEN_DEDENT) must(r->blocks-- > 0);
}

static void run_once(const uint8_t *data, size_t size, bool lines) {
    run r = {.mem = arena_new(), .line = 1};
    r.src = (source){.name = "fuzz", .bytes = (const char *)data, .size = size};
    r.behind = r.src.bytes;
    diag *d = diag_new(r.mem);
    lexer *x = lexer_new(r.mem, &r.src, d, (lexer_options){.lines = lines});
    token t;
    do {
        t = lexer_next(x);
        must(t.kind != TOKEN_ERROR || d->errors);
        check_token(&r, &t);
    } while (t.kind != TOKEN_END);
    must(!r.blocks);
    text out = TEXT_IN(r.mem);
    diag_print(d, &out, true);
    must(text_is_utf8(text_get(&out), out.len));
    arena_free(r.mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    run_once(data, size, false);
    run_once(data, size, true);
    return 0;
}
