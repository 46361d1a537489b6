// parse_loop.c - loop programs: signatures and statements.
#include "text/parse_loop.h"
#include <string.h>

stmt *new_stmt(reader *r, stmt_kind kind, loc at) {
    stmt *st = ARENA_NEW(r->mem, stmt, 1);
    st->kind = kind;
    st->at = at;
    return st;
}

void add_item(reader *r, item_kind kind, stmt *st) {
    item one = {.kind = kind, .st = st};
    VEC_PUSH(r->scratch, r->loop->items, one);
}

void add_buffer(reader *r, const buffer *b, const attr *notes) {
    item one = {.kind = ITEM_BUFFER, .buf = b, .notes = notes};
    VEC_PUSH(r->scratch, r->loop->items, one);
}

bool at_t(reader *r, const char *name) {
    return at_op(r, "T") && token_is(lexer_peek(r->lex, 1), ".") && token_is(lexer_peek(r->lex, 2), name);
}

bool take_t(reader *r, const char *name) {
    if (!at_t(r, name)) return false;
    for (int i = 0; i < 3; i++) lexer_next(r->lex);
    return true;
}

// --- Suites.

// Memory for a buffer around what follows: an allocation, and the buffer over it.
static const stmt *allocate_buffer(reader *r, const item *it, const stmt *body) {
    stmt *declare = new_stmt(r, STMT_DECL_BUFFER, it->buf->at), *st = new_stmt(r, STMT_ALLOCATE, it->buf->at);
    declare->as.declare.buf = it->buf;
    declare->as.declare.body = body;
    st->as.allocate.var = it->buf->data;
    st->as.allocate.type = it->buf->type;
    st->as.allocate.scope = it->buf->scope;
    st->as.allocate.rank = it->buf->rank;
    st->as.allocate.extent = it->buf->dim;
    st->as.allocate.annotations = it->notes;
    st->as.allocate.body = declare;
    return st;
}

// The field differs from kind to kind.
static void set_body(stmt *st, const stmt *body) {
    if (st->kind == STMT_LET) st->as.let.body = body;
    if (st->kind == STMT_ATTR) st->as.attribute.body = body;
    if (st->kind == STMT_ALLOCATE) st->as.allocate.body = body;
    if (st->kind == STMT_DECL_BUFFER) st->as.declare.body = body;
    if (st->kind == STMT_ASSERT) st->as.assertion.body = body;
}

// From the end: what follows an opener in its suite is its body.
const stmt *fold_items(reader *r, const item_list *items) {
    const stmt **list = ARENA_NEW(r->scratch, const stmt *, items->len);
    uint32_t first = items->len;
    for (uint32_t i = items->len; i-- > 0;) {
        const item *it = &items->at[i];
        if (it->kind == ITEM_BUFFER && r->loop->old_blocks) {
            VEC_PUSH(r->scratch, &r->loop->block->allocs, it->buf);
            continue;
        }
        if (it->kind != ITEM_PLAIN) {
            const stmt *body = stmt_seq(r->mem, list + first, items->len - first);
            first = items->len;
            if (it->kind == ITEM_OPENER) set_body(it->st, body);
            list[--first] = it->kind == ITEM_OPENER ? it->st : allocate_buffer(r, it, body);
            continue;
        }
        list[--first] = it->st;
    }
    return stmt_seq(r->mem, list + first, items->len - first);
}

static void read_loop_statement(reader *r);

// Items are collected flat, then folded, so that a long run of openers costs no recursion.
const stmt *read_loop_suite(reader *r) {
    item_list own = {0}, *outer = r->loop->items;
    suite s;
    if (!suite_open(r, &s)) {
        skip_line(r);
        return NULL;
    }
    r->loop->items = &own;
    if (!r->loop->block->suite) r->loop->block->suite = &own;
    while (suite_more(r, &s)) read_loop_statement(r);
    r->loop->items = outer;
    return fold_items(r, &own);
}

// --- Statements.
static const expr *read_condition(reader *r) {
    value v = read_expression(r);
    const expr *e = r->failed || v.kind == VAL_POISON ? NULL : to_expr(r, &v, (dtype){0}, "condition");
    if (!e) return NULL;
    if (dtype_family_of(e->type) == FAMILY_BOOL && dtype_lanes(e->type) == 1) return e;
    char type[32];
    diag_error(r->d, v.at, "a condition is a bool, not %s", dtype_spell(e->type, type));
    return NULL;
}

static const stmt *read_inner_suite(reader *r) {
    uint32_t mark = scope_mark(r);
    const stmt *body = read_loop_suite(r);
    scope_leave(r, mark);
    return body;
}

// The condition is read in the scope outside the body.
static void read_while(reader *r, loc at) {
    take(r, "while");
    const expr *condition = read_condition(r);
    if (r->failed) {
        skip_line(r);
        return;
    }
    const stmt *body = read_inner_suite(r);
    stmt *st = new_stmt(r, STMT_WHILE, at);
    st->as.loop_while.condition = condition;
    st->as.loop_while.body = body;
    if (condition && body) add_item(r, ITEM_PLAIN, st);
}

// From behind if or elif. A chain of elifs is read in a loop, each one the else branch of the one before.
static void read_branches(reader *r, loc at) {
    stmt *first = NULL, *last = NULL;
    for (bool more = true; more;) {
        const expr *condition = read_condition(r);
        if (r->failed) {
            skip_line(r);
            return;
        }
        stmt *st = new_stmt(r, STMT_IF, at);
        st->as.branch.condition = condition;
        st->as.branch.then = read_inner_suite(r);
        if (!condition || !st->as.branch.then) st->as.branch.condition = expr_bool(r->exprs, true); // reported
        if (!st->as.branch.then) st->as.branch.then = stmt_seq(r->mem, NULL, 0);
        if (last) last->as.branch.otherwise = st;
        if (!first) first = st;
        last = st;
        at = peek(r)->at;
        more = take(r, "elif");
    }
    if (take(r, "else")) last->as.branch.otherwise = read_inner_suite(r);
    add_item(r, ITEM_PLAIN, first);
}

// "message", or ("RuntimeError", ["parts", ...]).
bool read_message(reader *r, const value *v, stmt *st) {
    st->as.assertion.kind = "RuntimeError";
    if (v->kind == VAL_TUPLE && v->as.list.count == 2) {
        if (!(st->as.assertion.kind = to_string(r, &v->as.list.at[0], "assert"))) return false;
        v = &v->as.list.at[1];
    }
    if (v->kind != VAL_LIST) return (st->as.assertion.message = to_string(r, v, "assert")) != NULL;
    text all = TEXT_IN(r->mem);
    for (uint32_t i = 0; i < v->as.list.count; i++) {
        const char *part = to_string(r, &v->as.list.at[i], "assert");
        if (!part) return false;
        text_put(&all, part);
    }
    st->as.assertion.message = text_get(&all);
    return true;
}

// It opens: what follows runs only if it holds.
static void read_assert(reader *r, loc at) {
    take(r, "assert");
    stmt *st = new_stmt(r, STMT_ASSERT, at);
    st->as.assertion.condition = read_condition(r);
    if (!r->failed) expect(r, ",");
    value v = read_expression(r);
    bool ok = !r->failed && st->as.assertion.condition && v.kind != VAL_POISON && read_message(r, &v, st);
    end_statement(r);
    if (ok) add_item(r, ITEM_OPENER, st);
}

static void add_evaluate(reader *r, const expr *e, loc at) {
    stmt *st = new_stmt(r, STMT_EVALUATE, at);
    st->as.value = e;
    add_item(r, ITEM_PLAIN, st);
}

// A call of T.ret, as TVM has it.
static void read_loop_return(reader *r, loc at) {
    take(r, "return");
    value v = at_line_end(r) ? value_int(at, 0) : read_expressions(r);
    bool ok = !r->failed && v.kind != VAL_POISON;
    end_statement(r);
    const expr *e = ok ? to_expr(r, &v, r->loop->f->result, "return") : NULL;
    const expr *call = e ? checked_call(r, at, intrinsic_get(INTRIN_RET), e->type, &e, 1) : NULL;
    if (call) add_evaluate(r, call, at);
}

// T.evaluate(0) is how TVM writes "nothing".
static void read_evaluate(reader *r, loc at) {
    arguments a;
    if (read_arguments(r, "T.evaluate", at, &a)) {
        const value *v = arg_need(r, &a, 0, "value");
        const expr *e = v && v->kind != VAL_POISON ? to_expr(r, v, (dtype){0}, "T.evaluate") : NULL;
        if (e && args_done(r, &a)) add_evaluate(r, e, at);
    }
    end_statement(r);
}

// tir.noalias is tirx.noalias today.
static const attr *newer_keys(reader *r, const attr *dict) {
    const char **key = ARENA_NEW(r->scratch, const char *, dict->count);
    for (uint32_t i = 0; i < dict->count; i++) {
        bool old = text_starts(dict->key[i], "tir.");
        key[i] = old ? arena_format(r->scratch, "tirx.%s", dict->key[i] + strlen("tir.")) : dict->key[i];
    }
    return attr_dict(r->mem, key, dict->list, dict->count);
}

static void read_loop_attrs(reader *r, loc at) {
    arguments a;
    if (read_arguments(r, "T.func_attr", at, &a)) {
        const value *v = arg_need(r, &a, 0, "attrs");
        const attr *dict = v ? to_attr(r, v, "T.func_attr") : NULL;
        if (dict && dict->kind != ATTR_DICT)
            diag_error(r->d, v->at, "T.func_attr: want a dictionary");
        else if (dict)
            r->loop->f->attrs = merge_attrs(r, r->loop->f->attrs, newer_keys(r, dict), r->loop->f->name);
    }
    end_statement(r);
}

// break and continue are calls without arguments.
static void read_jump(reader *r, intrinsic_id which, loc at) {
    lexer_next(r->lex);
    end_statement(r);
    add_evaluate(r, expr_call(r->exprs, intrinsic_get(which), (dtype){0}, NULL, 0), at);
}

// A call for its effect. A string is a docstring.
static void read_value_statement(reader *r, loc at) {
    value v = read_expressions(r);
    if (!r->failed && (at_op(r, "=") || at_op(r, "+="))) syntax_error(r, at, "this can't be assigned to");
    bool ok = !r->failed;
    end_statement(r);
    if (!ok || v.kind == VAL_POISON || v.kind == VAL_STRING || v.kind == VAL_NONE) return; // a docstring
    const expr *e = to_expr(r, &v, (dtype){0}, "statement");
    if (e) add_evaluate(r, e, at);
}

// A store, an annotated or plain name, several names: told apart by the second token.
static bool at_loop_assignment(reader *r) {
    static const char *const sign[] = {"=", ":", ",", "[", "+=", "-=", "*=", "//=", "%="};
    const token *next = lexer_peek(r->lex, 1);
    if (peek(r)->kind != TOKEN_NAME) return false;
    for (size_t i = 0; i < COUNT(sign); i++)
        if (token_is(next, sign[i])) return true;
    return false;
}

static bool read_t_statement(reader *r, loc at) {
    if (take_t(r, "func_attr"))
        read_loop_attrs(r, at);
    else if (take_t(r, "evaluate"))
        read_evaluate(r, at);
    else
        return read_block_call(r, at) || read_flat_scope(r, at);
    return true;
}

// False if the statement begins with no keyword.
static bool read_keyword_statement(reader *r, loc at) {
    if (at_op(r, "for"))
        read_for(r);
    else if (at_op(r, "with"))
        read_loop_with(r);
    else if (at_op(r, "while"))
        read_while(r, at);
    else if (take(r, "if"))
        read_branches(r, at);
    else if (at_op(r, "assert"))
        read_assert(r, at);
    else if (at_op(r, "return"))
        read_loop_return(r, at);
    else if (at_op(r, "break") || at_op(r, "continue"))
        read_jump(r, at_op(r, "break") ? INTRIN_BREAK_LOOP : INTRIN_CONTINUE_LOOP, at);
    else if (take(r, "pass"))
        end_statement(r);
    else
        return false;
    return true;
}

// A line that the lexer could not read was reported there.
static void read_loop_statement(reader *r) {
    loc at = peek(r)->at;
    r->failed = false;
    if (lexer_peek(r->lex, 1)->kind == TOKEN_ERROR) {
        skip_line(r);
        return;
    }
    if (read_keyword_statement(r, at) || (at_op(r, "T") && read_t_statement(r, at))) return;
    if (at_loop_assignment(r))
        read_loop_assignment(r);
    else
        read_value_statement(r, at);
}

// --- Signatures.
// A scalar that an earlier buffer's dims name is that same variable.
static bool add_parameter(reader *r, const char *name, loc at, const value *v) {
    loop_param p = {0};
    if (v->kind == VAL_BUFFER) {
        buffer *b = (buffer *)(uintptr_t)v->as.buf; // made for this parameter
        b->name = name;
        p = (loop_param){.buf = b, .inline_buffer = true, .var = expr_new_var(r->exprs, name, DTYPE_OF(HANDLE))};
        map_put(&r->loop->declared, MAP_KEY(b), r);
        scope_bind(r, name, *v);
    } else if (v->kind == VAL_DTYPE || v->kind == VAL_SYMBOL) {
        const symbol *s = v->as.symbol;
        if (s->type.kind == DTYPE_VOID)
            return diag_error(r->d, v->at, "parameter '%s': void is no type of a value", name);
        const value *known = scope_find(r, name); // a symbol of an earlier parameter's dims
        bool same =
            known && known->kind == VAL_EXPR && known->as.e->op == EXPR_VAR && dtype_equal(known->as.e->type, s->type);
        p.var = same ? known->as.e : new_symbol_var(r, name, s);
        scope_bind(r, name, value_expr(at, p.var));
    } else {
        return v->kind != VAL_POISON &&
               diag_error(r->d, v->at, "parameter '%s': want T.handle, T.Buffer(...) or a type such as T.int64, got %s",
                          name, value_kind_name(v));
    }
    VEC_PUSH(r->scratch, &r->loop->params, p);
    return true;
}

static bool read_loop_parameter(reader *r) {
    loc at;
    const char *name = take_name(r, &at);
    if (!name) return false;
    if (!take(r, ":"))
        return syntax_error(r, at, "parameter '%s' has no annotation; write %s: T.handle or T.Buffer(...)", name, name);
    value v = read_expression(r);
    if (r->failed) return false;
    if (!add_parameter(r, name, at, &v)) scope_bind(r, name, poison_at(at));
    return true;
}

// Unknown names in the dims of T.Buffer define symbols.
static bool read_loop_signature(reader *r) {
    r->define = true;
    bool ok = expect(r, "(");
    while (ok && !at_op(r, ")")) ok = read_loop_parameter(r) && (take(r, ",") || at_op(r, ")") || expect(r, ","));
    ok = ok && expect(r, ")");
    if (ok && take(r, "->")) {
        value v = read_expression(r);
        if (v.kind == VAL_DTYPE)
            r->loop->f->result = v.as.symbol->type;
        else if (v.kind != VAL_NONE && v.kind != VAL_POISON)
            diag_error(r->d, v.at, "want a type such as T.int32, got %s", value_kind_name(&v));
    }
    r->define = false;
    return ok && !r->failed;
}

// TVM's rule: a program with blocks has one block around all, unless the text has one that is all there is.
static const stmt *with_root(reader *r, const block_parts *root, const stmt *body) {
    bool has_root = body->kind == STMT_BLOCK && !body->as.block->iters && !root->allocs.len;
    if (has_root || (!r->loop->has_blocks && !root->allocs.len)) return body;
    return finish_block(r, root, "root", body, r->loop->f->at);
}

// A function with errors is declared, so that calls of it are not unknown, but has no body.
void read_loop_function(reader *r, const func_head *h) {
    block_parts root = {0};
    loop_func *f = ARENA_NEW(r->mem, loop_func, 1);
    loop_reader l = {.f = f, .block = &root};
    *f = (loop_func){.name = h->name, .is_private = h->is_private, .s_tir = h->s_tir, .at = h->at};
    l.ranges = l.threads = l.declared = l.pointers = MAP_IN(r->scratch);
    r->loop = &l;
    uint32_t errors = r->d->errors;
    if (!read_loop_signature(r)) {
        skip_line(r);
    } else {
        const stmt *body = read_loop_suite(r);
        if (body) f->body = with_root(r, &root, body);
    }
    loop_param *params = ARENA_NEW(r->mem, loop_param, l.params.len);
    for (uint32_t i = 0; i < l.params.len; i++) params[i] = l.params.at[i];
    f->param = params;
    f->params = l.params.len;
    if (!f->body) f->body = stmt_seq(r->mem, NULL, 0);
    if (l.has_blocks) f->s_tir = true;
    r->loop = NULL;
    if (r->d->errors == errors)
        module_put_loop(r->m, f);
    else
        declare_broken(r, h->name, FUNC_LOOP, h->at);
}
