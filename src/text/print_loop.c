// print_loop.c - loop programs as TVM 0.25 spells them.
#include "text/print_loop.h"
#include "base/size.h"
#include "loop/walk.h"
#include <string.h>

void put_loop_expr(loop_printer *l, const expr *e) {
    expr_print_options style = loop_style(l->p);
    expr_print(l->p->out, e, &style);
}

// range(a, a + n) reads back as min a, extent n only if the end is spelled as min + extent.
void put_end(loop_printer *l, const expr *min, const expr *extent) {
    int64_t a, b;
    expr_session *s = l->p->m->exprs;
    const expr *sum = NULL;
    if (expr_const_int(min, &a) && expr_const_int(extent, &b) && int_add(a, b, &a))
        sum = expr_number(s, expr_i64(s, a), extent->type);
    if (expr_is_int(min, 0))
        put_loop_expr(l, extent);
    else
        put_loop_expr(l, sum ? sum : expr_binary(s, EXPR_ADD, min, extent));
}

void print_suite(loop_printer *l, const stmt *st) {
    uint32_t mark = names_mark(&l->p->names);
    l->p->indent++;
    if (stmt_is_empty(st))
        line(l->p, "pass");
    else
        print_statement(l, st);
    l->p->indent--;
    names_leave(&l->p->names, mark);
}

// --- Loops.
// T.grid says nothing but extents: such loops start at 0, run in order and have no annotations.
static bool is_simple_loop(const stmt *st) {
    return st->kind == STMT_FOR && st->as.loop.kind == FOR_SERIAL && !st->as.loop.annotations &&
           expr_is_int(st->as.loop.min, 0) && !st->as.loop.step;
}

// The loops that T.grid can stand for: each the whole body of the one before, none's extent using an outer variable.
static uint32_t grid_depth(loop_printer *l, const stmt *st) {
    enum { AT_ONCE = 60 };
    map outer = MAP_IN(l->p->mem);
    uint32_t depth = 0;
    for (; depth < AT_ONCE && is_simple_loop(st); depth++, st = st->as.loop.body) {
        expr_list vars = {0};
        expr_free_vars(st->as.loop.extent, l->p->mem, &vars);
        for (uint32_t i = 0; i < vars.len; i++)
            if (map_has(&outer, MAP_KEY(vars.at[i]))) return depth;
        map_put(&outer, MAP_KEY(st->as.loop.var), l);
    }
    return depth;
}

// The name is free again behind the loop; the table of ranges tells T.axis.remap what is whole.
static void enter_loop(loop_printer *l, const stmt *st) {
    define_var(l->p, st->as.loop.var);
    map_put(&l->ranges, MAP_KEY(st->as.loop.var), (void *)(uintptr_t)st);
}

static const char *var_name(loop_printer *l, const expr *var) { return map_find(&l->p->vars, MAP_KEY(var)); }

// All names first: each extent is printed in the scope outside the grid.
static void print_grid(loop_printer *l, const stmt *st, uint32_t depth) {
    text *out = l->p->out;
    const stmt *inner = st;
    uint32_t mark = names_mark(&l->p->names);
    for (uint32_t i = 0; i < depth; i++, inner = inner->as.loop.body) enter_loop(l, inner);
    line_begin(l->p, st);
    text_put(out, "for ");
    inner = st;
    for (uint32_t i = 0; i < depth; i++, inner = inner->as.loop.body)
        text_format(out, "%s%s", i ? ", " : "", var_name(l, inner->as.loop.var));
    text_put(out, " in T.grid(");
    inner = st;
    for (uint32_t i = 0; i < depth; i++, inner = inner->as.loop.body) {
        if (i) text_put(out, ", ");
        put_loop_expr(l, inner->as.loop.extent);
    }
    text_put(out, "):");
    line_end_at(l->p, st->at);
    print_suite(l, inner);
    names_leave(&l->p->names, mark);
}

// `range` for plain loops, as TVM prints them; everything else by its name under T.
static void put_loop_kind(loop_printer *l, const stmt *st) {
    static const char *const name[] = {[FOR_SERIAL] = "T.serial",
                                       [FOR_PARALLEL] = "T.parallel",
                                       [FOR_VECTORIZED] = "T.vectorized",
                                       [FOR_UNROLLED] = "T.unroll",
                                       [FOR_THREAD] = "T.thread_binding"};
    text *out = l->p->out;
    bool plain = st->as.loop.kind == FOR_SERIAL && !st->as.loop.annotations;
    text_format(out, "%s(", plain ? "range" : name[st->as.loop.kind]);
    if (!expr_is_int(st->as.loop.min, 0) || st->as.loop.step) {
        put_loop_expr(l, st->as.loop.min);
        text_put(out, ", ");
    }
    put_end(l, st->as.loop.min, st->as.loop.extent);
    if (st->as.loop.step) {
        text_put(out, plain ? ", " : ", step=");
        put_loop_expr(l, st->as.loop.step);
    }
    if (st->as.loop.thread) text_format(out, ", thread=\"%s\"", st->as.loop.thread);
    if (st->as.loop.annotations) {
        expr_print_options style = loop_style(l->p);
        text_put(out, ", annotations=");
        put_attr(l->p, st->as.loop.annotations, &style);
    }
    text_put_char(out, ')');
}

// Several loops on one line where they read back as the same nest.
static void print_for(loop_printer *l, const stmt *st) {
    uint32_t depth = grid_depth(l, st);
    if (depth > 1) {
        print_grid(l, st, depth);
        return;
    }
    uint32_t mark = names_mark(&l->p->names);
    enter_loop(l, st);
    line_begin(l->p, st);
    text_format(l->p->out, "for %s in ", var_name(l, st->as.loop.var));
    put_loop_kind(l, st);
    text_put_char(l->p->out, ':');
    line_end_at(l->p, st->at);
    print_suite(l, st->as.loop.body);
    names_leave(&l->p->names, mark);
}

// --- Simple statements.
// A predicate has no operator: it needs the method vstore.
static void print_store(loop_printer *l, const stmt *st) {
    const buffer *b = st->as.store.buf;
    unsigned lanes = dtype_lanes(st->as.store.value->type);
    // Printing interns this node: the target is spelled like a load.
    const expr *target = expr_load(l->p->m->exprs, b, dtype_vector(dtype_scalar(b->type), lanes), st->as.store.index,
                                   st->as.store.count);
    line_begin(l->p, st);
    if (st->as.store.predicate) {
        const char *name = map_find(&l->p->buffers, MAP_KEY(b));
        text_format(l->p->out, "%s.vstore([", name ? name : b->name);
        for (uint32_t i = 0; i < st->as.store.count; i++) {
            if (i) text_put(l->p->out, ", ");
            put_loop_expr(l, st->as.store.index[i]);
        }
        text_put(l->p->out, "], ");
        put_loop_expr(l, st->as.store.value);
        text_put(l->p->out, ", predicate=");
        put_loop_expr(l, st->as.store.predicate);
        text_put_char(l->p->out, ')');
    } else {
        put_loop_expr(l, target);
        text_put(l->p->out, " = ");
        put_loop_expr(l, st->as.store.value);
    }
    line_end_at(l->p, st->at);
}

// A call is a statement by itself; any other expression would read as nothing without T.evaluate.
static void print_evaluate(loop_printer *l, const stmt *st) {
    const expr *e = st->as.value;
    bool call = e->op == EXPR_CALL || e->op == EXPR_CALL_FUNC;
    bool returns = e->op == EXPR_CALL && e->as.intrin->id == INTRIN_RET && e->count == 1;
    line_begin(l->p, st);
    text_put(l->p->out, returns ? "return " : call ? "" : "T.evaluate(");
    put_loop_expr(l, returns ? e->in[0] : e);
    if (!call) text_put_char(l->p->out, ')');
    line_end_at(l->p, st->at);
}

// An else branch that is one `if` is an elif: chains of any length stay at one indentation.
static void print_if(loop_printer *l, const stmt *st) {
    for (const char *word = "if ";; word = "elif ") {
        line_begin(l->p, st);
        text_put(l->p->out, word);
        put_loop_expr(l, st->as.branch.condition);
        text_put_char(l->p->out, ':');
        line_end_at(l->p, st->at);
        print_suite(l, st->as.branch.then);
        const stmt *otherwise = st->as.branch.otherwise;
        if (!otherwise) return;
        if (otherwise->kind != STMT_IF) {
            line(l->p, "else:");
            print_suite(l, otherwise);
            return;
        }
        st = otherwise;
    }
}

static void print_while(loop_printer *l, const stmt *st) {
    line_begin(l->p, st);
    text_put(l->p->out, "while ");
    put_loop_expr(l, st->as.loop_while.condition);
    text_put_char(l->p->out, ':');
    line_end_at(l->p, st->at);
    print_suite(l, st->as.loop_while.body);
}

// --- Openers: flat where nothing follows them in their sequence, else `with` that says where they end.
// T.int64, T.float32x4, T.handle.
static void put_type(loop_printer *l, dtype t) {
    char type[32];
    text_format(l->p->out, "T.%s", dtype_spell(t, type));
}

// As an annotation without brackets, as a declaration with them; what a pointer points to needs them in both.
void put_var_type(loop_printer *l, const expr *var, bool call) {
    const expr_var *v = var->as.var;
    char element[32];
    put_type(l, var->type);
    if (v->element.kind != DTYPE_VOID) {
        text_format(l->p->out, "(\"%s\"", dtype_spell(v->element, element));
        if (v->scope && strcmp(v->scope, "global") != 0) text_format(l->p->out, ", \"%s\"", v->scope);
        text_put_char(l->p->out, ')');
    } else if (v->size) {
        text_put(l->p->out, "(is_size_var=True)");
    } else if (call) {
        text_put(l->p->out, "()");
    }
}

// Where statements follow the body in its sequence, `with` says where the scope ends.
static void print_let(loop_printer *l, const stmt *st, bool flat) {
    const expr *var = st->as.let.var;
    text *out = l->p->out;
    const char *name = define_var(l->p, var);
    line_begin(l->p, st);
    if (!flat) {
        text_format(out, "%s = ", name);
        put_var_type(l, var, true);
        line_end(l->p);
        line_begin(l->p, st);
        text_format(out, "with T.let(%s, ", name);
    } else {
        text_format(out, "%s: T.let[", name);
        put_var_type(l, var, false);
        text_put(out, "] = ");
    }
    put_loop_expr(l, st->as.let.value);
    if (!flat) text_put(out, "):");
    line_end_at(l->p, st->at);
}

// The pair of kind and parts is how TVM 0.25 spells a message; a bare string reads the same.
static void print_assert(loop_printer *l, const stmt *st, bool flat) {
    text *out = l->p->out;
    line_begin(l->p, st);
    text_put(out, flat ? "assert " : "with T.Assert(");
    put_loop_expr(l, st->as.assertion.condition);
    text_put(out, ", (");
    text_put_quoted(out, st->as.assertion.kind, strlen(st->as.assertion.kind));
    text_put(out, ", [");
    text_put_quoted(out, st->as.assertion.message, strlen(st->as.assertion.message));
    text_put(out, flat ? "])" : "])):");
    line_end_at(l->p, st->at);
}

// A thread that several launches share, or that is named before, has a line T.env_thread of its own.
static void put_with_thread(loop_printer *l, const stmt *st) {
    text *out = l->p->out;
    const expr *var = st->as.attribute.var;
    bool own_line = map_has(&l->threads, MAP_KEY(var));
    text_put(out, "with T.launch_thread(");
    if (own_line)
        text_put(out, var_name(l, var));
    else
        text_put_quoted(out, st->as.attribute.thread, strlen(st->as.attribute.thread));
    text_put(out, ", ");
    put_loop_expr(l, st->as.attribute.value);
    text_put_char(out, ')');
    if (!own_line) text_format(out, " as %s", define_var(l->p, var));
}

// T.attr({"key": value}) is short for node 0, which is what most attributes have.
static void print_attribute(loop_printer *l, const stmt *st) {
    text *out = l->p->out;
    expr_print_options style = loop_style(l->p);
    const attr *of = st->as.attribute.node;
    bool plain = of && of->kind == ATTR_EXPR && of->as.e->type.kind == DTYPE_I32 && expr_is_int(of->as.e, 0);
    line_begin(l->p, st);
    if (st->as.attribute.var) {
        put_with_thread(l, st);
    } else if (plain) {
        text_put(out, "with T.attr({");
        text_put_quoted(out, st->as.attribute.key, strlen(st->as.attribute.key));
        text_put(out, ": ");
        put_loop_expr(l, st->as.attribute.value);
        text_put(out, "})");
    } else {
        text_put(out, "with T.attr(");
        put_attr(l->p, of ? of : attr_none(), &style);
        text_put(out, ", ");
        text_put_quoted(out, st->as.attribute.key, strlen(st->as.attribute.key));
        text_put(out, ", ");
        put_loop_expr(l, st->as.attribute.value);
        text_put_char(out, ')');
    }
    text_put_char(out, ':');
    line_end_at(l->p, st->at);
}

// An allocation whose memory one buffer describes is one line: B = T.alloc_buffer((16,)).
static bool is_alloc_buffer(const stmt *st) {
    const stmt *inner = st->as.allocate.body;
    if (!inner || inner->kind != STMT_DECL_BUFFER || st->as.allocate.condition) return false;
    const buffer *b = inner->as.declare.buf;
    bool same = b->data == st->as.allocate.var && dtype_equal(b->type, st->as.allocate.type) &&
                b->rank == st->as.allocate.rank && strcmp(b->scope, st->as.allocate.scope) == 0;
    for (uint32_t i = 0; same && i < b->rank; i++) same = b->dim[i] == st->as.allocate.extent[i];
    return same;
}

// Raw memory: no buffer describes it, or its condition has no other spelling.
static void print_allocate(loop_printer *l, const stmt *st) {
    text *out = l->p->out;
    char type[32];
    line_begin(l->p, st);
    text_put(out, "with T.allocate([");
    for (uint32_t i = 0; i < st->as.allocate.rank; i++) {
        if (i) text_put(out, ", ");
        put_loop_expr(l, st->as.allocate.extent[i]);
    }
    text_format(out, "], \"%s\", \"%s\"", dtype_spell(st->as.allocate.type, type), st->as.allocate.scope);
    if (st->as.allocate.condition) {
        text_put(out, ", ");
        put_loop_expr(l, st->as.allocate.condition);
    }
    if (st->as.allocate.annotations) {
        expr_print_options style = loop_style(l->p);
        text_put(out, ", annotations=");
        put_attr(l->p, st->as.allocate.annotations, &style);
    }
    text_format(out, ") as %s:", define_var(l->p, st->as.allocate.var));
    line_end_at(l->p, st->at);
}

// T.decl_buffer over memory that exists, T.alloc_buffer with memory of its own (of which `notes` say more).
static void put_described(loop_printer *l, const char *callee, const buffer *b, bool data, const attr *notes) {
    text *out = l->p->out;
    text_format(out, "%s(", callee);
    put_buffer_arguments(l, b, false);
    if (data) {
        text_put(out, ", data=");
        put_loop_expr(l, b->data);
    }
    if (notes) {
        expr_print_options style = loop_style(l->p);
        text_put(out, ", annotations=");
        put_attr(l->p, notes, &style);
    }
    text_put_char(out, ')');
}

// `allocation`: the STMT_ALLOCATE that is on the same line; NULL: none. Its memory may have a name already.
static void print_buffer_line(loop_printer *l, const stmt *st, const buffer *b, const stmt *allocation, bool flat) {
    text *out = l->p->out;
    bool data = !allocation || map_has(&l->p->vars, MAP_KEY(b->data));
    const char *name = define_buffer(l->p, b);
    line_begin(l->p, st);
    if (flat)
        text_format(out, "%s = ", name);
    else
        text_put(out, "with ");
    const char *callee = allocation ? "T.alloc_buffer" : flat && st->as.declare.silent ? "T.Buffer" : "T.decl_buffer";
    put_described(l, callee, b, data, allocation ? allocation->as.allocate.annotations : NULL);
    if (!flat) text_format(out, " as %s:", name);
    line_end_at(l->p, st->at);
}

void print_silent_view(loop_printer *l, const stmt *st) { print_buffer_line(l, st, st->as.declare.buf, NULL, true); }

// Prints the opening line; the body, and whether it stands indented below.
static const stmt *print_opener(loop_printer *l, const stmt *st, bool flat, bool *indented) {
    *indented = !flat;
    switch (st->kind) {
    case STMT_LET: print_let(l, st, flat); return st->as.let.body;
    case STMT_ASSERT: print_assert(l, st, flat); return st->as.assertion.body;
    case STMT_ATTR:
        *indented = true;
        print_attribute(l, st);
        return st->as.attribute.body;
    case STMT_DECL_BUFFER: print_buffer_line(l, st, st->as.declare.buf, NULL, flat); return st->as.declare.body;
    case STMT_ALLOCATE:
        if (flat && is_alloc_buffer(st)) {
            const stmt *declare = st->as.allocate.body;
            print_buffer_line(l, st, declare->as.declare.buf, st, true);
            return declare->as.declare.body;
        }
        *indented = true;
        print_allocate(l, st);
        return st->as.allocate.body;
    case STMT_SEQ:
    case STMT_FOR:
    case STMT_BLOCK:
    case STMT_STORE:
    case STMT_EVALUATE:
    case STMT_IF:
    case STMT_WHILE: break;
    }
    return NULL;
}

// Statements with a body that TVM prints as lines before that body.
static bool is_opener(const stmt *st) {
    return st->kind == STMT_LET || st->kind == STMT_ASSERT || st->kind == STMT_ATTR || st->kind == STMT_DECL_BUFFER ||
           st->kind == STMT_ALLOCATE;
}

// Closed over the kinds; openers and sequences were taken apart by print_statement.
static void print_plain(loop_printer *l, const stmt *st) {
    switch (st->kind) {
    case STMT_FOR: print_for(l, st); return;
    case STMT_BLOCK: print_sblock(l, st); return;
    case STMT_STORE: print_store(l, st); return;
    case STMT_EVALUATE: print_evaluate(l, st); return;
    case STMT_IF: print_if(l, st); return;
    case STMT_WHILE: print_while(l, st); return;
    case STMT_SEQ:
    case STMT_LET:
    case STMT_ALLOCATE:
    case STMT_DECL_BUFFER:
    case STMT_ATTR:
    case STMT_ASSERT: return; // taken apart before
    }
}

// Chains of flat openers cost no recursion, however long.
void print_statement(loop_printer *l, const stmt *st) {
    while (st) {
        if (st->kind == STMT_SEQ) {
            uint32_t count = st->as.seq.count;
            for (uint32_t i = 0; i + 1 < count; i++) {
                const stmt *one = st->as.seq.list[i];
                bool indented;
                if (is_opener(one))
                    print_suite(l, print_opener(l, one, false, &indented));
                else
                    print_plain(l, one);
            }
            st = count ? st->as.seq.list[count - 1] : NULL;
        } else if (is_opener(st)) {
            bool indented;
            const stmt *body = print_opener(l, st, true, &indented);
            if (indented) print_suite(l, body);
            st = indented ? NULL : body;
        } else {
            print_plain(l, st);
            st = NULL;
        }
    }
}

// --- Functions.
// Written in the signature and still possible there: with constant dims, as symbols are defined by T.match_buffer.
static bool is_inline(const loop_param *q) {
    return q->buf && q->inline_buffer && is_plain_buffer(q->buf) && buffer_is_static(q->buf);
}

// A parameter that became a handle beside its buffer may not take the buffer's name.
static const char *handle_hint(printer *p, const loop_param *q) {
    const char *name = q->var->as.var->name;
    return q->buf && strcmp(name, q->buf->name) == 0 ? arena_format(p->mem, "var_%s", name) : name;
}

// What can't stand inline is a handle here and gets a T.match_buffer line below.
static void put_parameter(loop_printer *l, const loop_param *q) {
    printer *p = l->p;
    if (is_inline(q)) {
        text_format(p->out, "%s: T.Buffer(", define_buffer(p, q->buf));
        put_buffer_arguments(l, q->buf, true);
        text_put_char(p->out, ')');
        return;
    }
    const char *name = names_define(&p->names, handle_hint(p, q));
    map_put(&p->vars, MAP_KEY(q->var), (void *)(uintptr_t)name);
    text_format(p->out, "%s: ", name);
    put_var_type(l, q->var, false);
}

// Decorator and signature, up to the colon.
static void print_loop_head(loop_printer *l, const loop_func *f) {
    printer *p = l->p;
    line_begin(p, NULL);
    text_put(p->out, "@T.prim_func");
    if (f->is_private || f->s_tir)
        text_format(p->out, "(%s%s%s)", f->is_private ? "private=True" : "", f->is_private && f->s_tir ? ", " : "",
                    f->s_tir ? "s_tir=True" : "");
    line_end(p);
    line_begin(p, f);
    text_format(p->out, "def %s(", f->name);
    for (uint32_t i = 0; i < f->params; i++) {
        if (i) text_put(p->out, ", ");
        put_parameter(l, &f->param[i]);
    }
    text_put_char(p->out, ')');
    if (f->result.kind != DTYPE_VOID) {
        text_put(p->out, " -> ");
        put_type(l, f->result);
    }
    text_put_char(p->out, ':');
    line_end_at(p, f->at);
}

static void print_loop_attrs(loop_printer *l, const attr *attrs) {
    expr_print_options style = loop_style(l->p);
    if (attrs && attrs->count) print_attr_call(l->p, "T.func_attr", attrs, &style);
}

static void print_match_buffer(loop_printer *l, const loop_param *q) {
    const char *name = define_buffer(l->p, q->buf);
    line_begin(l->p, NULL);
    text_format(l->p->out, "%s = T.match_buffer(%s, ", name, var_name(l, q->var));
    put_buffer_arguments(l, q->buf, false);
    text_put_char(l->p->out, ')');
    line_end(l->p);
}

// Without any block a reader would put no root around the body.
static bool has_block_inside(printer *p, const stmt *body) {
    stmt_walk w = stmt_walk_from(p->mem, body);
    while (stmt_walk_next(&w))
        if (w.st->kind == STMT_BLOCK) return true;
    return false;
}

// A root block that a reader would put there itself is only a comment.
static bool is_implied_root(printer *p, const stmt *st) {
    const block *b = st->kind == STMT_BLOCK ? st->as.block : NULL;
    if (!b || b->iters || b->regions_written || b->where || b->annotations || b->init || b->matches) return false;
    if (strcmp(b->name, "root") != 0 || !has_block_inside(p, b->body)) return false;
    return b->allocs || b->body->kind != STMT_BLOCK || b->body->as.block->iters;
}

// The order of a body: attributes, variables nobody binds, matched buffers, statements.
void print_loop_func(printer *p, const loop_func *f) {
    loop_printer l = {.p = p, .ranges = MAP_IN(p->mem), .threads = MAP_IN(p->mem)};
    uint32_t mark = names_mark(&p->names);
    p->vars = p->buffers = MAP_IN(p->mem);
    print_loop_head(&l, f);
    size_t empty = p->out->len;
    p->indent++;
    print_loop_attrs(&l, f->attrs);
    print_free_variables(&l, f);
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].buf && !is_inline(&f->param[i])) print_match_buffer(&l, &f->param[i]);
    if (is_implied_root(p, f->body)) {
        line(p, "# with T.sblock(\"root\"):");
        print_block_body(&l, f->body->as.block, false);
    } else {
        print_statement(&l, f->body);
    }
    if (p->out->len == empty) line(p, "pass");
    p->indent--;
    names_leave(&p->names, mark);
}
