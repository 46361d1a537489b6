// replay.c - runs the text of a trace: lines such as "l2, l3 = split(l1, factors=[None, 16])".
#include "schedule/replay.h"
#include "base/lexer.h"
#include "expr/parse.h"
#include <string.h>

typedef struct reader {
    schedule *sch;
    lexer *x;
    diag *d;
} reader;

static bool expect(reader *r, const char *op) {
    token t = lexer_next(r->x);
    return token_is(&t, op) || diag_error(r->d, t.at, "trace: want '%s'", op);
}

static const char *copy(reader *r, const token *t) { return arena_copy(r->sch->mem, t->start, t->size); }

// --- Values.

static const attr *read_value(reader *r, uint32_t depth);

static const attr *read_list(reader *r, const char *close, uint32_t depth) {
    VEC(const attr *) list = {0};
    lexer_next(r->x);
    while (!token_is(lexer_peek(r->x, 0), close)) {
        const attr *a = read_value(r, depth + 1);
        if (!a) return NULL;
        VEC_PUSH(r->sch->mem, &list, a);
        if (token_is(lexer_peek(r->x, 0), ",")) lexer_next(r->x);
    }
    lexer_next(r->x);
    return attr_list(r->sch->mem, list.at, list.len);
}

static const attr *read_number(reader *r) {
    bool minus = token_is(lexer_peek(r->x, 0), "-");
    if (minus) lexer_next(r->x);
    token t = lexer_next(r->x);
    if (t.kind == TOKEN_FLOAT) return attr_float(r->sch->mem, minus ? -t.fval : t.fval);
    if (t.kind != TOKEN_INT || t.int_too_big || t.ival > INT64_MAX) {
        diag_error(r->d, t.at, "trace: want a number, a string, a list, None, True or False");
        return NULL;
    }
    return attr_int(r->sch->mem, minus ? -(int64_t)t.ival : (int64_t)t.ival);
}

static const attr *read_value(reader *r, uint32_t depth) {
    const token *t = lexer_peek(r->x, 0);
    arena *mem = r->sch->mem;
    if (depth > 16) {
        diag_error(r->d, t->at, "trace: lists are nested too deeply");
        return NULL;
    }
    if (token_is(t, "[")) return read_list(r, "]", depth);
    if (token_is(t, "(")) return read_list(r, ")", depth);
    if (t->kind == TOKEN_STRING) {
        token s = lexer_next(r->x);
        return attr_string(mem, s.str, s.str_size);
    }
    bool none = token_is(t, "None"), yes = token_is(t, "True"), no = token_is(t, "False");
    if (!none && !yes && !no) return read_number(r);
    lexer_next(r->x);
    return none ? attr_none() : attr_bool(mem, yes);
}

// --- Index maps: lambda i, j: (j, i).

// The text of one result, up to a comma or the closing bracket outside of any other.
static const expr *read_index(reader *r, text_map *vars) {
    text t = TEXT_IN(r->sch->mem);
    uint32_t depth = 0;
    loc at = lexer_peek(r->x, 0)->at;
    for (;;) {
        const token *p = lexer_peek(r->x, 0);
        bool opens = token_is(p, "(") || token_is(p, "["), closes = token_is(p, ")") || token_is(p, "]");
        if (p->kind == TOKEN_END || p->kind == TOKEN_NEWLINE || (!depth && (closes || token_is(p, ",")))) break;
        depth += opens;
        depth -= closes;
        text_put_n(&t, p->start, p->size);
        text_put_char(&t, ' ');
        lexer_next(r->x);
    }
    const source src = {.name = at.src->name, .bytes = text_get(&t), .size = t.len};
    source *kept = ARENA_NEW(r->sch->mem, source, 1);
    *kept = src;
    return expr_parse(r->sch->s, kept, vars, r->d);
}

static const attr *read_lambda(reader *r) {
    expr_list var = {0}, result = {0};
    text_map vars = TEXT_MAP_IN(r->sch->mem);
    lexer_next(r->x);
    while (lexer_peek(r->x, 0)->kind == TOKEN_NAME) {
        token t = lexer_next(r->x);
        const char *name = copy(r, &t);
        const expr *v = expr_new_var(r->sch->s, name, DTYPE_OF(I64));
        text_map_put(&vars, name, (void *)(uintptr_t)v);
        VEC_PUSH(r->sch->mem, &var, v);
        if (token_is(lexer_peek(r->x, 0), ",")) lexer_next(r->x);
    }
    uint32_t known = vars.len;
    if (!expect(r, ":") || !expect(r, "(")) return NULL;
    while (!token_is(lexer_peek(r->x, 0), ")")) {
        const expr *e = read_index(r, &vars);
        if (!e) return NULL;
        VEC_PUSH(r->sch->mem, &result, e);
        if (token_is(lexer_peek(r->x, 0), ",")) lexer_next(r->x);
    }
    token close = lexer_next(r->x);
    if (vars.len != known) {
        diag_error(r->d, close.at, "trace: the index map uses %s, which is no variable of it", vars.entry[known].key);
        return NULL;
    }
    return attr_index_map(r->sch->mem, var.at, var.len, result.at, result.len);
}

// --- Lines.

static bool is_handle(const token *t) {
    if (t->kind != TOKEN_NAME || t->size < 2 || (*t->start != 'l' && *t->start != 'b')) return false;
    for (uint32_t i = 1; i < t->size; i++)
        if (t->start[i] < '0' || t->start[i] > '9') return false;
    return true;
}

static bool read_arg(reader *r, replay_arg *a) {
    const token *t = lexer_peek(r->x, 0);
    *a = (replay_arg){.kind = ARG_VALUE};
    if (t->kind == TOKEN_NAME && token_is(lexer_peek(r->x, 1), "=")) {
        a->key = copy(r, t);
        lexer_next(r->x);
        lexer_next(r->x);
        t = lexer_peek(r->x, 0);
    }
    if (is_handle(t)) {
        a->kind = ARG_NAME;
        a->name = copy(r, t);
        lexer_next(r->x);
        return true;
    }
    if (token_is(t, "lambda")) a->kind = ARG_LAMBDA;
    a->value = a->kind == ARG_LAMBDA ? read_lambda(r) : read_value(r, 0);
    return a->value != NULL;
}

static bool read_args(reader *r, replay_line *line) {
    if (!expect(r, "(")) return false;
    while (!token_is(lexer_peek(r->x, 0), ")")) {
        if (line->args == REPLAY_ARGS)
            return diag_error(r->d, line->at, "trace: %s has more than %d arguments", line->primitive, REPLAY_ARGS);
        if (!read_arg(r, &line->arg[line->args])) return false;
        line->args++;
        if (!token_is(lexer_peek(r->x, 0), ")") && !expect(r, ",")) return false;
    }
    lexer_next(r->x);
    return true;
}

static bool read_line(reader *r, replay_line *line) {
    *line = (replay_line){.at = lexer_peek(r->x, 0)->at};
    while (is_handle(lexer_peek(r->x, 0))) {
        token t = lexer_next(r->x);
        if (line->outs == REPLAY_ARGS) return diag_error(r->d, t.at, "trace: too many results");
        line->out[line->outs++] = copy(r, &t);
        if (token_is(lexer_peek(r->x, 0), ",")) lexer_next(r->x);
    }
    if (line->outs && !expect(r, "=")) return false;
    token name = lexer_next(r->x);
    if (name.kind != TOKEN_NAME) return diag_error(r->d, name.at, "trace: want the name of a primitive");
    line->primitive = copy(r, &name);
    if (!read_args(r, line)) return false;
    const token *end = lexer_peek(r->x, 0);
    if (end->kind == TOKEN_NEWLINE || token_is(end, ";"))
        lexer_next(r->x);
    else if (end->kind != TOKEN_END)
        return diag_error(r->d, end->at, "trace: want the end of the line");
    return true;
}

typedef VEC(replay_line) replay_lines;

// Reads all lines of a text; false after reporting.
static bool read_lines(schedule *sch, const source *src, replay_lines *out) {
    reader r = {.sch = sch, .d = sch->d, .x = lexer_new(sch->mem, src, sch->d, (lexer_options){.lines = true})};
    uint32_t before = sch->d->errors;
    while (lexer_peek(r.x, 0)->kind != TOKEN_END) {
        replay_line line;
        if (lexer_peek(r.x, 0)->kind == TOKEN_NEWLINE) {
            lexer_next(r.x);
            continue;
        }
        if (!read_line(&r, &line)) return false;
        VEC_PUSH(sch->mem, out, line);
    }
    return sch->d->errors == before;
}

// --- Arguments.

static void complain(replay *r, uint32_t i, const char *want) {
    if (!r->failed)
        diag_error(r->sch->d, r->line->at, "trace: argument %u of %s: want %s", i + 1, r->line->primitive, want);
    r->failed = true;
}

static const replay_arg *arg_at(replay *r, uint32_t i, arg_kind kind, const char *want) {
    const replay_arg *a = i < r->line->args ? &r->line->arg[i] : NULL;
    if (a && a->kind == kind) return a;
    complain(r, i, want);
    return NULL;
}

static uint32_t handle_of(replay *r, uint32_t i, char kind, const char *want) {
    const replay_arg *a = arg_at(r, i, ARG_NAME, want);
    if (!a) return 0;
    uintptr_t id = (uintptr_t)text_map_find(&r->handles, a->name);
    if (a->name[0] != kind)
        complain(r, i, want);
    else if (!id) {
        diag_error(r->sch->d, r->line->at, "trace: %s is used before it is defined", a->name);
        r->failed = true;
    }
    return r->failed ? 0 : (uint32_t)id;
}

loop_ref replay_loop(replay *r, uint32_t i) { return (loop_ref){handle_of(r, i, 'l', "a loop (l0, l1, …)")}; }
block_ref replay_block(replay *r, uint32_t i) { return (block_ref){handle_of(r, i, 'b', "a block (b0, b1, …)")}; }

bool replay_is_block(replay *r, uint32_t i) {
    return i < r->line->args && r->line->arg[i].kind == ARG_NAME && r->line->arg[i].name[0] == 'b';
}

const attr *replay_value(replay *r, uint32_t i) {
    const replay_arg *a = i < r->line->args ? &r->line->arg[i] : NULL;
    if (a && a->value) return a->value;
    complain(r, i, "a value");
    return attr_none();
}

int64_t replay_int(replay *r, uint32_t i) {
    const attr *a = replay_value(r, i);
    if (a->kind == ATTR_INT) return a->as.i;
    complain(r, i, "a whole number");
    return 0;
}

const char *replay_text(replay *r, uint32_t i) {
    const attr *a = replay_value(r, i);
    if (a->kind == ATTR_STRING && strlen(a->as.text) == a->size) return a->as.text;
    complain(r, i, "a string");
    return "";
}

static void give(replay *r, uint32_t i, uint32_t id) {
    if (!id) {
        r->failed = true;
        return;
    }
    if (i < r->line->outs) text_map_put(&r->handles, r->line->out[i], (void *)(uintptr_t)id);
}

void replay_give_loop(replay *r, uint32_t i, loop_ref l) { give(r, i, l.id); }
void replay_give_block(replay *r, uint32_t i, block_ref b) { give(r, i, b.id); }

// --- Running.

static const primitive *find(const char *name) {
    uint32_t count;
    const primitive *all = primitive_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0) return &all[i];
    return NULL;
}

static bool run_line(replay *r, const replay_line *line) {
    const primitive *p = find(line->primitive);
    r->line = line;
    if (!p) return diag_error(r->sch->d, line->at, "trace: there is no primitive %s", line->primitive);
    p->run(r);
    if (!r->failed) return true;
    return diag_note(r->sch->d, line->at, "this line of the trace does not apply");
}

bool schedule_replay(schedule *sch, const char *trace) {
    source *src = ARENA_NEW(sch->mem, source, 1);
    *src = (source){.name = "<trace>", .bytes = trace, .size = strlen(trace)};
    replay_lines lines = {0};
    replay r = {.sch = sch, .handles = TEXT_MAP_IN(sch->mem)};
    if (!read_lines(sch, src, &lines)) return false;
    for (uint32_t i = 0; i < lines.len; i++)
        if (!run_line(&r, &lines.at[i])) return false;
    return true;
}
