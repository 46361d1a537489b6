// parse_loop_assign.c - assignments in loop programs: stores, variables, buffers, iteration variables.
#include "base/count_noun.h"
#include "text/parse_loop.h"
#include <string.h>

// --- Stores.

// The value in the type of the buffer, as TVM converts it.
static const expr *to_element(reader *r, const value *v, dtype type, loc at) {
    const expr *e = to_expr(r, v, dtype_scalar(type), "value");
    if (!e) return NULL;
    if (!(e = checked_cast(r, at, type, e))) return NULL;
    unsigned want = dtype_lanes(type), got = dtype_lanes(e->type);
    if (got == want) return e;
    if (got == 1) return expr_broadcast(r->exprs, e, want);
    diag_error(r->d, at, "%s are stored to a place of %u", COUNTED(got, "lane"), want);
    return NULL;
}

// NULL: reported.
static const stmt *store_value(reader *r, const buffer *b, const value *target, const value *v, loc at) {
    const expr *load = target->kind == VAL_REGION ? region_load(r, target) : target->as.e;
    if (!load || v->kind == VAL_POISON) return NULL;
    const expr *e = to_element(r, v, load->type, at);
    if (!e) return NULL;
    stmt *st = (stmt *)(uintptr_t)stmt_store(r->mem, b, load->in, load->count, e); // made a moment ago
    st->at = at;
    return st;
}

// Nothing is added after an error: the target or value was reported.
static void add_store(reader *r, const buffer *b, const value *target, const value *v, loc at) {
    const stmt *st = store_value(r, b, target, v, at);
    if (st) add_item(r, ITEM_PLAIN, (stmt *)(uintptr_t)st);
}

// A[..] += value is A[..] = A[..] + value.
static bool read_augmented(reader *r, const value *target, value *v) {
    static const char *const sign[] = {"+=", "-=", "*=", "//=", "%="};
    static const expr_op kind[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_FLOOR_DIV, EXPR_FLOOR_MOD};
    for (size_t i = 0; i < COUNT(sign); i++) {
        loc at = peek(r)->at;
        if (!take(r, sign[i])) continue;
        value right = read_expressions(r);
        if (r->failed || right.kind == VAL_POISON) return *v = poison_at(at), true;
        const expr *e = read_arith(r, at, kind[i], target, &right);
        *v = e ? value_expr(at, e) : poison_at(at);
        return true;
    }
    return false;
}

// An element or a slice of it.
static const buffer *target_buffer(const value *v) {
    if (v->kind == VAL_REGION) return v->as.region->buf;
    return v->kind == VAL_EXPR && v->as.e->op == EXPR_LOAD ? v->as.e->as.buffer : NULL;
}

// A[i, j] = value, from the buffer's name on.
static void read_store(reader *r) {
    loc at = peek(r)->at;
    value target = read_expression(r), v = poison_at(at);
    if (r->failed || at_line_end(r)) { // A[i] alone
        end_statement(r);
        return;
    }
    if (!read_augmented(r, &target, &v)) {
        if (expect(r, "=")) v = read_expressions(r);
    }
    bool ok = !r->failed && target.kind != VAL_POISON;
    end_statement(r);
    if (!ok) return;
    const buffer *b = target_buffer(&target);
    if (b)
        add_store(r, b, &target, &v, at);
    else
        diag_error(r->d, at, "this can't be assigned to");
}

// The only store with a predicate.
value read_vector_store(reader *r, const buffer *b, loc at) {
    arguments a;
    value nothing = {.kind = VAL_NONE, .at = at};
    if (!read_arguments(r, "vstore", at, &a)) return poison_at(at);
    const value *where = arg_need(r, &a, 0, "indices"), *v = arg_need(r, &a, 1, "value");
    const value *mask = arg_at(&a, 2, "predicate");
    bool listed = where && (where->kind == VAL_LIST || where->kind == VAL_TUPLE);
    if (!v || !listed || where->as.list.count != b->rank || !r->loop) {
        if (where && v) diag_error(r->d, at, "vstore: want a list of %s and a value", COUNTED(b->rank, "index"));
        return poison_at(at);
    }
    const expr **index = ARENA_NEW(r->scratch, const expr *, b->rank);
    unsigned lanes = 1;
    for (uint32_t i = 0; i < b->rank; i++) {
        if (!(index[i] = to_expr(r, &where->as.list.at[i], (dtype){0}, "index"))) return poison_at(at);
        if (!dtype_is_int(index[i]->type)) return diag_error(r->d, at, "an index is an integer"), poison_at(at);
        if (dtype_lanes(index[i]->type) > lanes) lanes = dtype_lanes(index[i]->type);
    }
    const expr *e = to_element(r, v, dtype_vector(b->type, lanes * dtype_lanes(b->type)), at);
    const expr *m = mask && mask->kind != VAL_NONE ? to_expr(r, mask, (dtype){0}, "predicate") : NULL;
    if (!e || !args_done(r, &a)) return poison_at(at);
    stmt *st = (stmt *)(uintptr_t)stmt_store(r->mem, b, index, b->rank, e); // made a moment ago
    st->at = at;
    st->as.store.predicate = m;
    add_item(r, ITEM_PLAIN, st);
    return nothing;
}

// --- Scalars: x: T.int32 = value is a buffer of one element, x then means x[0].
// TVM prints x, and means x[0] of a local buffer of one element.
static const buffer *make_scalar(reader *r, const char *name, dtype type, loc at) {
    const expr *one = expr_int(r->exprs, DTYPE_OF(I32), 1), *zero = expr_int(r->exprs, DTYPE_OF(I32), 0);
    buffer *b = buffer_new(r->exprs, name, type, &one, 1, "local");
    b->at = at;
    map_put(&r->loop->declared, MAP_KEY(b), r);
    add_buffer(r, b, NULL);
    scope_bind(r, name, value_expr(at, expr_load(r->exprs, b, type, &zero, 1)));
    return b;
}

// Is the name a scalar already?
static const value *find_scalar(const reader *r, const char *name) {
    const value *v = scope_find(r, name);
    bool load = v && v->kind == VAL_EXPR && v->as.e->op == EXPR_LOAD && v->as.e->count == 1;
    return load && expr_is_int(v->as.e->in[0], 0) ? v : NULL;
}

// --- x: T.let[T.int32] = value
// What a name is given; NULL after reporting that it is nothing.
static const expr *value_for(reader *r, const char *name, const value *v, dtype type) {
    const expr *e = v->kind == VAL_POISON ? NULL : to_expr(r, v, type, name);
    if (!e || e->type.kind != DTYPE_VOID) return e;
    diag_error(r->d, v->at, "this gives no value for '%s'", name);
    return NULL;
}

// A variable that never changes, for the statements that follow.
static void add_let(reader *r, const char *name, const value *v, const symbol *stated, loc at) {
    dtype type = stated ? stated->type : (dtype){0};
    const expr *e = value_for(r, name, v, type);
    if (e && type.kind != DTYPE_VOID && !dtype_equal(type, e->type)) e = checked_cast(r, at, type, e);
    if (!e) {
        scope_bind(r, name, poison_at(at));
        return;
    }
    stmt *st = new_stmt(r, STMT_LET, at);
    symbol s = stated ? *stated : (symbol){0};
    s.type = e->type;
    st->as.let.var = new_symbol_var(r, name, &s);
    st->as.let.value = e;
    scope_bind(r, name, value_expr(at, st->as.let.var));
    add_item(r, ITEM_OPENER, st);
}

// A name for a value: a buffer of one element that may change, or for a pointer a variable that may not.
static void set_scalar(reader *r, const char *name, const value *v, dtype type, loc at) {
    const symbol pointer = {.type = DTYPE_OF(HANDLE)};
    const expr *e = value_for(r, name, v, type);
    if (!e) {
        scope_bind(r, name, poison_at(at));
        return;
    }
    if (type.kind == DTYPE_VOID) type = e->type;
    if (type.kind == DTYPE_HANDLE) {
        add_let(r, name, v, &pointer, at);
        return;
    }
    const buffer *b = make_scalar(r, name, type, at);
    add_store(r, b, scope_find(r, name), v, at);
}

// Behind the colon: T.let, T.let[type], or a type.
static void read_annotated(reader *r, const char *name, loc at) {
    bool let = take_t(r, "let"), typed = !let || take(r, "[");
    dtype type = {0};
    value stated = {0};
    if (typed) stated = read_expression(r);
    if (let && typed) expect(r, "]");
    bool ok = !typed || stated.kind == VAL_DTYPE || stated.kind == VAL_SYMBOL;
    if (!r->failed && !ok && stated.kind != VAL_POISON)
        diag_error(r->d, stated.at, "want a type such as T.int32, got %s", value_kind_name(&stated));
    if (typed && ok) type = stated.as.symbol->type;
    if (typed && ok && type.kind == DTYPE_VOID) ok = diag_error(r->d, at, "a variable of type void holds nothing");
    if (type.kind == DTYPE_HANDLE) let = true;
    value v = poison_at(at);
    bool bare = !r->failed && !let && at_line_end(r);
    if (!bare && expect(r, "=")) v = read_expressions(r);
    bool failed = r->failed;
    end_statement(r);
    if (failed || !ok)
        scope_bind(r, name, poison_at(at));
    else if (bare)
        make_scalar(r, name, type, at);
    else if (let)
        add_let(r, name, &v, typed ? stated.as.symbol : NULL, at);
    else
        set_scalar(r, name, &v, type, at);
}

// --- name = T.something(...)
// From here on the name means the buffer.
static void declare_buffer(reader *r, const char *name, const buffer *b, loc at) {
    map_put(&r->loop->declared, MAP_KEY(b), r);
    scope_bind(r, name, (value){.kind = VAL_BUFFER, .at = at, .as.buf = b});
}

// x = T.handle("float32"); B = T.alloc_buffer((16,), data=x): the allocation is what gives x its value.
// Once: what names the pointer afterwards lies over that memory.
static bool names_new_memory(reader *r, const char *callee, const value *data) {
    bool allocates = strncmp(callee, "alloc", strlen("alloc")) == 0 && data->kind == VAL_EXPR;
    if (!allocates || data->as.e->op != EXPR_VAR || !map_find(&r->loop->pointers, MAP_KEY(data->as.e))) return false;
    map_put(&r->loop->pointers, MAP_KEY(data->as.e), NULL);
    return true;
}

// The spellings of a new buffer: in the block, in memory of its own, or over memory that exists.
static bool read_allocated(reader *r, const char *name, loc at, const char *callee, const char *place) {
    arguments a;
    if (!read_arguments(r, arena_format(r->scratch, "T.%s", callee), at, &a)) return false;
    const value *data = arg_named(&a, "data"), *notes = arg_named(&a, "annotations");
    const buffer *b = read_buffer(r, &a, 0, name);
    if (!b) return false;
    if (place) ((buffer *)(uintptr_t)b)->scope = place; // made a moment ago
    declare_buffer(r, name, b, at);
    if (strcmp(callee, "sblock_alloc_buffer") == 0) {
        bool constant = true;
        for (uint32_t i = 0; i < b->rank; i++) constant = constant && b->dim[i]->op == EXPR_INT;
        if (!constant && !at_block_head(r, at, "T.sblock_alloc_buffer of other than constant dims")) return false;
        VEC_PUSH(r->scratch, &r->loop->block->allocs, b);
        r->loop->has_blocks = true;
    } else if (data && !names_new_memory(r, callee, data)) {
        stmt *st = new_stmt(r, STMT_DECL_BUFFER, at);
        st->as.declare.buf = b;
        st->as.declare.silent = strcmp(callee, "Buffer") == 0;
        add_item(r, ITEM_OPENER, st);
    } else {
        const attr *said = notes && notes->kind != VAL_NONE ? to_attr(r, notes, "annotations") : NULL;
        add_buffer(r, b, said);
    }
    return true;
}

// A thread that several launches share.
static bool read_env_thread(reader *r, const char *name, loc at) {
    arguments a;
    if (!read_arguments(r, "T.env_thread", at, &a)) return false;
    const value *tag = arg_need(r, &a, 0, "thread_tag"), *type = arg_at(&a, 1, "dtype");
    dtype t = DTYPE_OF(I32);
    const char *thread = tag ? to_string(r, tag, a.callee) : NULL;
    if (!thread || (type && !to_dtype(r, type, &t, a.callee)) || !args_done(r, &a)) return false;
    if (!dtype_is_int(t)) return diag_error(r->d, at, "T.env_thread: a thread has an integer number");
    const expr *var = expr_new_var(r->exprs, name, t);
    map_put(&r->loop->threads, MAP_KEY(var), (void *)(uintptr_t)thread);
    scope_bind(r, name, value_expr(at, var));
    return true;
}

// bx = T.launch_thread("blockIdx.x", n) without `with`: for the statements that follow.
static bool read_flat_launch(reader *r, const char *name, loc at) {
    stmt *st = read_launch(r, at, name);
    if (st) add_item(r, ITEM_OPENER, st);
    return st != NULL;
}

// True if the value was one of these, read to its end or to an error.
static bool read_declaration(reader *r, const char *name, loc at, bool *ok) {
    static const struct {
        const char *callee, *place;
    } row[] = {{"sblock_alloc_buffer", NULL}, {"alloc_buffer", NULL},  {"decl_buffer", NULL}, {"Buffer", NULL},
               {"alloc_shared", "shared"},    {"alloc_local", "local"}};
    if (take_t(r, "match_buffer")) return *ok = read_match_buffer(r, at, name), true;
    if (take_t(r, "env_thread")) return *ok = read_env_thread(r, name, at), true;
    if (take_t(r, "launch_thread")) return *ok = read_flat_launch(r, name, at), true;
    if (take_t(r, "axis")) return *ok = read_axis(r, &name, 1, at), true;
    for (size_t i = 0; i < COUNT(row); i++)
        if (take_t(r, row[i].callee)) return *ok = read_allocated(r, name, at, row[i].callee, row[i].place), true;
    return false;
}

// x = A[0:n, 0:4]: how TVM prints a buffer declared anew over all of A. The name means A from there on.
static void bind_part(reader *r, const char *name, const sliced_buffer *part, loc at) {
    bool whole = true;
    for (uint32_t i = 0; i < part->count; i++) {
        const slice *s = &part->dim[i];
        whole = whole && s->is_slice && s->step <= 1 && expr_is_int(s->low, 0) && s->extent == part->buf->dim[i];
    }
    if (whole)
        scope_bind(r, name, (value){.kind = VAL_BUFFER, .at = at, .as.buf = part->buf});
    else
        scope_bind(r, name, (value){.kind = VAL_REGION, .at = at, .as.region = part});
}

// What the value is decides what a name for it means: a symbol, a view, an alias, or a scalar that may change.
static void bind_loop_value(reader *r, const char *name, const value *v, loc at) {
    const value *scalar_value = find_scalar(r, name);
    if (v->kind == VAL_SYMBOL) {
        value known = bind_symbol(r, name, v);
        if (known.kind == VAL_EXPR && known.as.e->type.kind == DTYPE_HANDLE)
            map_put(&r->loop->pointers, MAP_KEY(known.as.e), r);
    } else if (v->kind == VAL_BUFFER && !map_find(&r->loop->declared, MAP_KEY(v->as.buf))) { // A.view(...)
        ((buffer *)(uintptr_t)v->as.buf)->name = name;
        stmt *st = new_stmt(r, STMT_DECL_BUFFER, at);
        st->as.declare.buf = v->as.buf;
        declare_buffer(r, name, v->as.buf, at);
        add_item(r, ITEM_OPENER, st);
    } else if (v->kind == VAL_REGION) {
        bind_part(r, name, v->as.region, at);
    } else if (v->kind == VAL_MODULE || v->kind == VAL_BUFFER || v->kind == VAL_STRING || v->kind == VAL_TUPLE ||
               v->kind == VAL_LIST || v->kind == VAL_INDEX_MAP) {
        scope_bind(r, name, *v);
    } else if (scalar_value) {
        add_store(r, scalar_value->as.e->as.buffer, scalar_value, v, at);
    } else {
        set_scalar(r, name, v, (dtype){0}, at);
    }
}

// name = value, from behind "=".
static void read_named(reader *r, const char *name, loc at) {
    bool ok = false;
    if (read_declaration(r, name, at, &ok)) {
        if (!ok) scope_bind(r, name, poison_at(at));
        end_statement(r);
        return;
    }
    value v = read_expressions(r);
    bool failed = r->failed;
    end_statement(r);
    if (failed)
        scope_bind(r, name, poison_at(at));
    else
        bind_loop_value(r, name, &v, at);
}

// a, b = T.axis.remap(...), from behind the first name.
static void read_several(reader *r, const char *first, loc at) {
    enum { ROOM = 64 };
    const char *name[ROOM] = {first};
    uint32_t names = 1;
    while (take(r, ",") && !at_op(r, "=")) {
        const char *next = take_name(r, NULL);
        if (!next) break;
        if (names == ROOM) {
            syntax_error(r, at, "at most %d names", ROOM);
            break;
        }
        name[names++] = next;
    }
    bool ok = expect(r, "=");
    if (ok && take_t(r, "axis")) {
        ok = read_axis(r, name, names, at);
    } else if (ok) {
        value v = read_expressions(r);
        ok = !r->failed && (v.kind == VAL_TUPLE || v.kind == VAL_LIST) && v.as.list.count == names;
        if (!ok && !r->failed && v.kind != VAL_POISON) diag_error(r->d, v.at, "want %s here", COUNTED(names, "value"));
        for (uint32_t i = 0; ok && i < names; i++) bind_loop_value(r, name[i], &v.as.list.at[i], at);
    }
    for (uint32_t i = 0; !ok && i < names; i++) scope_bind(r, name[i], poison_at(at));
    end_statement(r);
}

// x += value, for a scalar.
static void read_scalar_update(reader *r, const char *name, loc at) {
    const value *target = find_scalar(r, name);
    value v;
    if (!target) {
        syntax_error(r, at, "'%s' is no variable that can change; write %s: T.int32 = ... first", name, name);
    } else if (read_augmented(r, target, &v)) {
        bool ok = !r->failed && v.kind != VAL_POISON;
        end_statement(r);
        if (ok) add_store(r, target->as.e->as.buffer, target, &v, at);
        return;
    }
    end_statement(r);
}

// By the token behind the name.
void read_loop_assignment(reader *r) {
    loc at = peek(r)->at;
    if (token_is(lexer_peek(r->lex, 1), "[")) {
        read_store(r);
        return;
    }
    const char *name = take_name(r, &at);
    if (!name)
        end_statement(r);
    else if (take(r, "="))
        read_named(r, name, at);
    else if (take(r, ":"))
        read_annotated(r, name, at);
    else if (at_op(r, ","))
        read_several(r, name, at);
    else
        read_scalar_update(r, name, at);
}
