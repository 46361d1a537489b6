// parse_loop_with.c - what opens a scope in loop programs: for, with T.attr, T.launch_thread, T.allocate.
#include "base/count_noun.h"
#include "base/suggest.h"
#include "text/parse_loop.h"
#include <string.h>

// --- Loops.
typedef struct loop_head {
    for_kind kind;
    const char *thread;
    const attr *annotations;
    const expr *start, *step; // of a loop with a step: what its variable means is start + step * the count; else NULL
    bool counted;             // the step is gone, the range is that of the count;
    range walked;             // this one is as written
    VEC(range) dims;          // one loop each
} loop_head;

// low and high (or the extent alone) as one range; both take one type.
static bool add_range(reader *r, loop_head *h, const value *low, const value *high) {
    const value zero = value_int(high->at, 0);
    const value *fixed = low && low->kind == VAL_EXPR ? low : high;
    const expr *f = to_expr(r, fixed, (dtype){0}, "loop");
    if (!f) return false;
    if (!expr_is_index(f)) return diag_error(r->d, fixed->at, "the bounds of a loop are integers");
    const value *other = fixed == high ? (low ? low : &zero) : high;
    const expr *o = to_expr(r, other, f->type, "loop");
    if (!o) return false;
    const expr *min = fixed == high ? o : f, *end = fixed == high ? f : o;
    if (!dtype_equal(min->type, end->type)) return diag_error(r->d, high->at, "the bounds of a loop have one type");
    range dim = {min, slice_extent(r, min, end)};
    if (!dim.extent) return diag_error(r->d, high->at, "the bounds of a loop have one type");
    VEC_PUSH(r->scratch, &h->dims, dim);
    return true;
}

// Each extent is a loop; a pair is a start and an end.
static bool read_grid(reader *r, loop_head *h, arguments *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        const value *v = arg_at(a, i, NULL);
        if (!v) break;
        bool pair = v->kind == VAL_TUPLE && v->as.list.count == 2;
        if (!add_range(r, h, pair ? &v->as.list.at[0] : NULL, pair ? &v->as.list.at[1] : v)) return false;
    }
    if (!a->count) return diag_error(r->d, a->at, "T.grid: want at least one extent");
    return args_done(r, a);
}

// The thread may be the second or third argument.
static bool read_thread(reader *r, loop_head *h, arguments *a, const value **stop) {
    const value *thread = arg_at(a, 2, "thread");
    if (!thread && *stop && (*stop)->kind == VAL_STRING) { // T.thread_binding(4, "blockIdx.x")
        thread = *stop;
        *stop = NULL;
    }
    if (!thread) return diag_error(r->d, a->at, "T.thread_binding: argument 'thread' is missing");
    return (h->thread = to_string(r, thread, a->callee)) != NULL;
}

// A loop with a step counts from 0, unless it is read as written: range(a, b, 4) is range((b - a + 3) // 4), and its
// variable stands for a + i * 4. That is what TVM's CanonicalizeLoop makes of it.
static bool count_steps(reader *r, loop_head *h, const value *v) {
    range *dim = &h->dims.at[0];
    dtype type = dim->extent->type;
    int64_t known;
    if (!v || v->kind == VAL_NONE) return true;
    const expr *step = to_expr(r, v, type, "step");
    if (!step) return false;
    if (!dtype_equal(step->type, type)) return diag_error(r->d, v->at, "the step of a loop has the type of its bounds");
    if (expr_const_int(step, &known) && known < 1) return diag_error(r->d, v->at, "the step of a loop is at least 1");
    if (expr_is_int(step, 1) && !r->as_written) return true;
    const expr *one = expr_int(r->exprs, type, 1);
    const expr *sum = expr_binary(r->exprs, EXPR_ADD, dim->extent, expr_binary(r->exprs, EXPR_SUB, step, one));
    h->start = dim->min;
    h->walked = *dim;
    h->step = step;
    h->counted = !r->as_written;
    if (r->as_written) return true;
    dim->min = expr_int(r->exprs, type, 0);
    dim->extent = expr_canon(r->exprs, expr_binary(r->exprs, EXPR_FLOOR_DIV, sum, step));
    return true;
}

// range(n), range(a, b), and the T. loops with thread= and annotations=.
static bool read_single_loop(reader *r, loop_head *h, arguments *a, bool python) {
    const value *start = arg_need(r, a, 0, "start"), *stop = arg_at(a, 1, "stop");
    const value *annotations = arg_named(a, "annotations");
    if (!start) return false;
    if (h->kind == FOR_THREAD && !read_thread(r, h, a, &stop)) return false;
    const value *step = python ? arg_at(a, 2, "step") : arg_named(a, "step");
    if (annotations && annotations->kind != VAL_NONE && !(h->annotations = to_attr(r, annotations, a->callee)))
        return false;
    if (stop && stop->kind == VAL_NONE) stop = NULL;
    return add_range(r, h, stop ? start : NULL, stop ? stop : start) && count_steps(r, h, step) && args_done(r, a);
}

// Older spellings are read, too.
static bool find_loop(const char *name, for_kind *kind) {
    static const struct {
        const char *name;
        for_kind kind;
    } row[] = {{"serial", FOR_SERIAL},     {"grid", FOR_SERIAL},           {"range", FOR_SERIAL},
               {"parallel", FOR_PARALLEL}, {"vectorized", FOR_VECTORIZED}, {"unroll", FOR_UNROLLED},
               {"unrolled", FOR_UNROLLED}, {"thread_binding", FOR_THREAD}};
    for (size_t i = 0; i < COUNT(row); i++)
        if (strcmp(row[i].name, name) == 0) return *kind = row[i].kind, true;
    return false;
}

// The kind of the loop and its extents, up to the colon.
static bool read_loop_head(reader *r, loop_head *h) {
    loc at = peek(r)->at;
    bool python = take(r, "range");
    if (!python && !(take(r, "T") && take(r, ".")))
        return syntax_error(r, at, "a loop runs over range(...), T.serial(...), T.grid(...) and the like");
    const char *name = python ? "range" : take_name(r, &at);
    arguments a;
    if (!name) return false;
    if (!find_loop(name, &h->kind)) {
        static const char *const known[] = {"serial", "parallel", "vectorized", "unroll", "thread_binding", "grid"};
        const char *near = text_nearest(name, known, COUNT(known));
        return syntax_error(r, at, "T.%s is no kind of loop%s", name, text_suggest(r->scratch, near, "T.", ""));
    }
    if (!read_arguments(r, arena_format(r->scratch, python ? "%s" : "T.%s", name), at, &a)) return false;
    for (uint32_t i = 0; i < a.count; i++)
        if (a.value[i].kind == VAL_POISON) return false;
    return strcmp(name, "grid") == 0 ? read_grid(r, h, &a) : read_single_loop(r, h, &a, python);
}

// As many names as loops; Python's brackets around them are allowed.
static bool read_loop_names(reader *r, const char **name, uint32_t room, uint32_t *count, loc *at) {
    *at = peek(r)->at;
    bool parentheses = take(r, "(");
    do {
        if (*count && (at_op(r, "in") || at_op(r, ")"))) break;
        if (*count == room) return syntax_error(r, *at, "at most %s at once", COUNTED(room, "loop"));
        if (!(name[*count] = take_name(r, NULL))) return false;
        ++*count;
    } while (take(r, ","));
    return (!parentheses || expect(r, ")")) && expect(r, "in");
}

// The loops of one head inside one another around the body.
static stmt *nest_loops(reader *r, const loop_head *h, const expr *const *var, const stmt *body, loc at) {
    stmt *st = NULL;
    for (uint32_t i = h->dims.len; i-- > 0; body = st) {
        st = new_stmt(r, STMT_FOR, at);
        st->as.loop.var = var[i];
        st->as.loop.min = h->dims.at[i].min;
        st->as.loop.extent = h->dims.at[i].extent;
        st->as.loop.step = h->counted ? NULL : h->step;
        st->as.loop.kind = h->kind;
        st->as.loop.thread = h->thread;
        st->as.loop.annotations = h->annotations;
        st->as.loop.body = body;
    }
    return st;
}

// T.axis.remap needs it.
static void keep_range(reader *r, const expr *var, const range *dim) {
    range *copy = ARENA_NEW(r->scratch, range, 1);
    *copy = *dim;
    map_put(&r->loop->ranges, MAP_KEY(var), copy);
}

static const expr *bind_loop_variable(reader *r, const char *name, loc at, const range *dim) {
    const expr *var = expr_new_var(r->exprs, name, dim->extent->type);
    keep_range(r, var, dim);
    scope_bind(r, name, value_expr(at, var));
    return var;
}

// The names are visible in the suite alone.
void read_for(reader *r) {
    enum { ROOM = 64 };
    const char *name[ROOM];
    const expr *var[ROOM];
    uint32_t names = 0;
    loop_head h = {0};
    loc at = peek(r)->at, names_at;
    take(r, "for");
    if (!read_loop_names(r, name, ROOM, &names, &names_at) || !read_loop_head(r, &h)) {
        skip_line(r);
        return;
    }
    if (names != h.dims.len) {
        diag_error(r->d, names_at, "%s for %s", COUNTED(names, "variable"), COUNTED(h.dims.len, "loop"));
        skip_line(r);
        return;
    }
    uint32_t mark = scope_mark(r);
    for (uint32_t i = 0; i < names; i++) var[i] = bind_loop_variable(r, name[i], names_at, &h.dims.at[i]);
    if (h.counted) {
        const expr *walked = expr_binary(r->exprs, EXPR_MUL, var[0], h.step);
        if (!expr_is_int(h.start, 0)) walked = expr_binary(r->exprs, EXPR_ADD, h.start, walked);
        keep_range(r, walked, &h.walked);
        scope_bind(r, name[0], value_expr(names_at, walked));
    }
    const stmt *body = read_loop_suite(r);
    scope_leave(r, mark);
    if (body) add_item(r, ITEM_PLAIN, nest_loops(r, &h, var, body, at));
}

// --- T.launch_thread("blockIdx.x", 16), T.launch_thread(bx, 16)

// TVM prints a thread that an attribute names before its launch as a plain variable: only its name says which it is.
static const char *thread_of_name(const char *name) {
    static const char *const known[] = {"blockIdx.x",  "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",
                                        "threadIdx.z", "vthread.x",  "vthread.y",  "vthread.z"};
    for (size_t i = 0; i < COUNT(known); i++) {
        size_t size = strlen(known[i]);
        bool same =
            strncmp(name, known[i], size - 2) == 0 && name[size - 2] == '_' && name[size - 1] == known[i][size - 1];
        if (same && (!name[size] || name[size] == '_')) return known[i];
    }
    return NULL;
}

stmt *read_launch(reader *r, loc at, const char *name) {
    arguments a;
    if (!read_arguments(r, "T.launch_thread", at, &a)) return NULL;
    const value *thread = arg_need(r, &a, 0, "thread"), *extent = arg_need(r, &a, 1, "extent");
    if (!thread || !extent) return NULL;
    const expr *e = to_expr(r, extent, (dtype){0}, a.callee), *var = NULL;
    const char *tag = NULL;
    if (!e) return NULL;
    if (!expr_is_index(e)) {
        diag_error(r->d, extent->at, "T.launch_thread: the extent is an integer");
        return NULL;
    }
    if (thread->kind == VAL_EXPR) {
        var = thread->as.e;
        tag = map_find(&r->loop->threads, MAP_KEY(var));
        if (!tag && var->op == EXPR_VAR) tag = thread_of_name(var->as.var->name);
    } else if ((tag = to_string(r, thread, a.callee))) {
        var = expr_new_var(r->exprs, name ? name : tag, e->type);
    }
    if (!tag) {
        if (thread->kind == VAL_EXPR)
            diag_error(r->d, thread->at, "T.launch_thread: want a thread such as \"blockIdx.x\"");
        return NULL;
    }
    if (name) scope_bind(r, name, value_expr(at, var));
    stmt *st = new_stmt(r, STMT_ATTR, at);
    st->as.attribute.node = attr_none();
    st->as.attribute.key = "thread_extent";
    st->as.attribute.value = e;
    st->as.attribute.var = var;
    st->as.attribute.thread = tag;
    return args_done(r, &a) ? st : NULL;
}

// --- T.attr(node, "key", value), T.attr({"key": value})
// A buffer as a value means its memory.
static stmt *make_attr(reader *r, loc at, const attr *node_of, const value *key, const value *v) {
    const char *name = to_string(r, key, "T.attr");
    const expr *e = v->kind == VAL_BUFFER ? v->as.buf->data : to_expr(r, v, (dtype){0}, "T.attr");
    if (!name || !e) return NULL;
    stmt *st = new_stmt(r, STMT_ATTR, at);
    st->as.attribute.node = node_of;
    st->as.attribute.key = name;
    st->as.attribute.value = e;
    return st;
}

// What an attribute is about: None, a string, a variable, a buffer's memory, a reducer.
static const attr *attr_node(reader *r, const value *v) {
    if (v->kind == VAL_INT) return attr_expr(r->mem, to_expr(r, v, (dtype){0}, "T.attr"));
    if (v->kind == VAL_BUFFER) return attr_expr(r->mem, v->as.buf->data);
    return to_attr(r, v, "T.attr");
}

// Adds the openers; false after reporting.
static bool read_attr(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "T.attr", at, &a)) return false;
    const value *first = arg_need(r, &a, 0, "node");
    if (!first) return false;
    if (first->kind == VAL_DICT) {
        for (uint32_t i = 0; i + 1 < first->as.list.count; i += 2) {
            const attr *zero = attr_expr(r->mem, expr_int(r->exprs, DTYPE_OF(I32), 0));
            stmt *st = make_attr(r, at, zero, &first->as.list.at[i], &first->as.list.at[i + 1]);
            if (!st) return false;
            add_item(r, ITEM_OPENER, st);
        }
        return args_done(r, &a);
    }
    const value *key = arg_need(r, &a, 1, "attr_key"), *v = arg_need(r, &a, 2, "value");
    const attr *node_of = key && v ? attr_node(r, first) : NULL;
    stmt *st = node_of ? make_attr(r, at, node_of, key, v) : NULL;
    if (!st || !args_done(r, &a)) return false;
    add_item(r, ITEM_OPENER, st);
    return true;
}

bool read_flat_scope(reader *r, loc at) {
    bool attribute = take_t(r, "attr");
    if (!attribute && !take_t(r, "launch_thread")) return false;
    if (attribute) {
        read_attr(r, at);
    } else {
        stmt *st = read_launch(r, at, NULL);
        if (st) add_item(r, ITEM_OPENER, st);
    }
    end_statement(r);
    return true;
}

// --- T.allocate([16], "float32", "global")
// T.allocate gives memory without a buffer; T.decl_buffer describes it.
static stmt *read_allocate(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "T.allocate", at, &a)) return NULL;
    const value *extents = arg_need(r, &a, 0, "extents"), *type = arg_need(r, &a, 1, "dtype");
    const value *place = arg_at(&a, 2, "scope"), *condition = arg_at(&a, 3, "condition"),
                *notes = arg_named(&a, "annotations");
    if (!extents || !type) return NULL;
    bool listed = extents->kind == VAL_LIST || extents->kind == VAL_TUPLE;
    uint32_t rank = listed ? extents->as.list.count : 1;
    stmt *st = new_stmt(r, STMT_ALLOCATE, at);
    const expr **dim = ARENA_NEW(r->mem, const expr *, rank);
    for (uint32_t i = 0; i < rank; i++)
        if (!(dim[i] = to_expr(r, listed ? &extents->as.list.at[i] : extents, (dtype){0}, "T.allocate"))) return NULL;
    st->as.allocate.extent = dim;
    st->as.allocate.rank = rank;
    st->as.allocate.scope = place ? to_string(r, place, "scope") : "global";
    if (!st->as.allocate.scope || !to_dtype(r, type, &st->as.allocate.type, "T.allocate")) return NULL;
    bool always = !condition || condition->kind == VAL_NONE || (condition->kind == VAL_BOOL && condition->as.i);
    if (!always && !(st->as.allocate.condition = to_expr(r, condition, (dtype){0}, "condition"))) return NULL;
    if (notes && notes->kind != VAL_NONE && !(st->as.allocate.annotations = to_attr(r, notes, "annotations")))
        return NULL;
    return args_done(r, &a) ? st : NULL;
}

// A buffer over memory that exists.
static stmt *read_decl(reader *r, loc at, const char *name) {
    arguments a;
    if (!read_arguments(r, "T.decl_buffer", at, &a)) return NULL;
    const buffer *b = read_buffer(r, &a, 0, name ? name : "buffer");
    if (!b) return NULL;
    map_put(&r->loop->declared, MAP_KEY(b), r);
    if (name) scope_bind(r, name, (value){.kind = VAL_BUFFER, .at = at, .as.buf = b});
    stmt *st = new_stmt(r, STMT_DECL_BUFFER, at);
    st->as.declare.buf = b;
    return st;
}

// `with T.let(x, value):`
static stmt *read_let_scope(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "T.let", at, &a)) return NULL;
    const value *var = arg_need(r, &a, 0, "var"), *v = arg_need(r, &a, 1, "value");
    if (!var || !v) return NULL;
    if (var->kind != VAL_EXPR || var->as.e->op != EXPR_VAR) {
        diag_error(r->d, var->at, "T.let: want a variable");
        return NULL;
    }
    const expr *e = to_expr(r, v, var->as.e->type, "T.let");
    stmt *st = new_stmt(r, STMT_LET, at);
    st->as.let.var = var->as.e;
    st->as.let.value = e;
    return e && args_done(r, &a) ? st : NULL;
}

// `with T.Assert(condition, message):`
static stmt *read_assert_scope(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "T.Assert", at, &a)) return NULL;
    const value *condition = arg_need(r, &a, 0, "condition"), *message = arg_need(r, &a, 1, "message");
    stmt *st = new_stmt(r, STMT_ASSERT, at);
    if (!condition || !message || condition->kind == VAL_POISON || message->kind == VAL_POISON) return NULL;
    st->as.assertion.condition = to_expr(r, condition, (dtype){0}, "T.Assert");
    if (!st->as.assertion.condition || !read_message(r, message, st)) return NULL;
    if (dtype_family_of(st->as.assertion.condition->type) == FAMILY_BOOL) return args_done(r, &a) ? st : NULL;
    diag_error(r->d, condition->at, "T.Assert: want a condition");
    return NULL;
}

// The name behind `as`: known before the suite, but after the arguments. The opener is made without it, and named then.
static const char *read_as(reader *r) { return take(r, "as") ? take_name(r, NULL) : NULL; }

static stmt *read_opener(reader *r, loc at) {
    stmt *st = NULL;
    const char *name = NULL;
    if (take_t(r, "launch_thread")) {
        st = read_launch(r, at, NULL);
        name = read_as(r);
        if (st && name) {
            if (!map_find(&r->loop->threads, MAP_KEY(st->as.attribute.var)))
                st->as.attribute.var = expr_new_var(r->exprs, name, st->as.attribute.value->type);
            scope_bind(r, name, value_expr(at, st->as.attribute.var));
        }
    } else if (take_t(r, "allocate")) {
        st = read_allocate(r, at);
        name = read_as(r);
        if (st) st->as.allocate.var = expr_new_var(r->exprs, name ? name : "p", DTYPE_OF(HANDLE));
        if (st && name) scope_bind(r, name, value_expr(at, st->as.allocate.var));
    } else if (take_t(r, "decl_buffer")) {
        st = read_decl(r, at, "buffer");
        name = read_as(r);
        if (st && name) {
            buffer *b = (buffer *)(uintptr_t)st->as.declare.buf;
            b->name = name;
            scope_bind(r, name, (value){.kind = VAL_BUFFER, .at = at, .as.buf = b});
        }
    } else if (take_t(r, "let") || take_t(r, "LetStmt")) {
        st = read_let_scope(r, at);
    } else if (take_t(r, "Assert")) {
        st = read_assert_scope(r, at);
    } else {
        syntax_error(r, at,
                     "'with' opens T.sblock, T.init, T.attr, T.launch_thread, T.allocate, T.decl_buffer or T.let");
    }
    return r->failed ? NULL : st;
}

static void read_init(reader *r, loc at) {
    block_parts *b = r->loop->block;
    if (!expect(r, "(") || !expect(r, ")")) {
        skip_line(r);
        return;
    }
    if (!at_block_head(r, at, "T.init")) {
        skip_line(r);
        return;
    }
    if (b->init) diag_error(r->d, at, "this block has a T.init already");
    uint32_t mark = scope_mark(r);
    b->init = read_loop_suite(r);
    scope_leave(r, mark);
}

// The openers of the line take the suite as their body.
static void read_scope(reader *r, loc at) {
    item_list own = {0}, *outer = r->loop->items;
    uint32_t mark = scope_mark(r);
    r->loop->items = &own;
    bool ok = true;
    do {
        if (take_t(r, "attr")) {
            ok = read_attr(r, at) && ok;
            continue;
        }
        stmt *st = read_opener(r, at);
        if (st)
            add_item(r, ITEM_OPENER, st);
        else
            ok = false;
    } while (ok && take(r, ","));
    const stmt *body = ok ? read_loop_suite(r) : NULL;
    if (!ok) skip_line(r);
    r->loop->items = outer;
    scope_leave(r, mark);
    if (!body) return;
    if (body->kind != STMT_SEQ || body->as.seq.count) {
        item last = {.kind = ITEM_PLAIN, .st = (stmt *)(uintptr_t)body};
        VEC_PUSH(r->scratch, &own, last);
    }
    add_item(r, ITEM_PLAIN, (stmt *)(uintptr_t)fold_items(r, &own));
}

void read_loop_with(reader *r) {
    loc at = peek(r)->at;
    take(r, "with");
    bool old = at_t(r, "block");
    if (take_t(r, "sblock") || take_t(r, "block"))
        read_block(r, at, old);
    else if (take_t(r, "init"))
        read_init(r, at);
    else
        read_scope(r, at);
}
