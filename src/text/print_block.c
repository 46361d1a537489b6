// print_block.c - with T.sblock("name"): iteration variables, regions, allocations, the body.
#include "text/print_loop.h"
#include <string.h>

static bool is_zero(const expr *e) { return expr_is_int(e, 0); }

// --- Iteration variables.

// Does the variable run over a loop's range as it is?
static bool is_remapped(loop_printer *l, const iter *it) {
    const stmt *loop = map_find(&l->ranges, MAP_KEY(it->value));
    return loop && (it->kind == ITER_SPATIAL || it->kind == ITER_REDUCE) && loop->as.loop.min == it->dom.min &&
           loop->as.loop.extent == it->dom.extent;
}

static void print_remap(loop_printer *l, const iter *it, uint32_t count) {
    text *out = l->p->out;
    line_begin(l->p, NULL);
    for (uint32_t i = 0; i < count; i++) text_format(out, "%s%s", i ? ", " : "", define_var(l->p, it[i].var));
    text_put(out, " = T.axis.remap(\"");
    for (uint32_t i = 0; i < count; i++) text_put_char(out, it[i].kind == ITER_SPATIAL ? 'S' : 'R');
    text_put(out, "\", [");
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_put(out, ", ");
        put_loop_expr(l, it[i].value);
    }
    text_put(out, "])");
    line_end(l->p);
}

// T.axis.spatial(n, value), or a pair where the domain does not start at 0.
static void print_axis(loop_printer *l, const iter *it) {
    static const char *const kind[] = {
        [ITER_SPATIAL] = "spatial", [ITER_REDUCE] = "reduce", [ITER_SCAN] = "scan", [ITER_OPAQUE] = "opaque"};
    text *out = l->p->out;
    line_begin(l->p, NULL);
    text_format(out, "%s = T.axis.%s(", define_var(l->p, it->var), kind[it->kind]);
    if (is_zero(it->dom.min)) {
        put_loop_expr(l, it->dom.extent);
    } else {
        text_put_char(out, '(');
        put_loop_expr(l, it->dom.min);
        text_put(out, ", ");
        put_end(l, it->dom.min, it->dom.extent);
        text_put_char(out, ')');
    }
    text_put(out, ", ");
    put_loop_expr(l, it->value);
    text_put_char(out, ')');
    line_end(l->p);
}

// Neighbouring remapped axes share a line, as TVM prints them.
static void print_iters(loop_printer *l, const block *b) {
    enum { AT_ONCE = 60 };
    for (uint32_t i = 0; i < b->iters;) {
        uint32_t run = 0;
        while (i + run < b->iters && run < AT_ONCE && is_remapped(l, &b->iter[i + run])) run++;
        if (run > 1) {
            print_remap(l, &b->iter[i], run);
            i += run;
        } else {
            print_axis(l, &b->iter[i++]);
        }
    }
}

// --- Regions.
// A point of extent 1 prints as an index.
static void put_range(loop_printer *l, range dim) {
    put_loop_expr(l, dim.min);
    if (expr_is_int(dim.extent, 1)) return;
    text_put_char(l->p->out, ':');
    put_end(l, dim.min, dim.extent);
}

static const char *buffer_name(loop_printer *l, const buffer *b) {
    const char *name = map_find(&l->p->buffers, MAP_KEY(b));
    return name ? name : b->name;
}

static void put_region(loop_printer *l, const region *one) {
    text *out = l->p->out;
    text_format(out, "%s[", buffer_name(l, one->buf));
    for (uint32_t i = 0; i < one->buf->rank; i++) {
        if (i) text_put(out, ", ");
        put_range(l, one->dim[i]);
    }
    if (!one->buf->rank) text_put(out, "()");
    text_put_char(out, ']');
}

static void print_regions(loop_printer *l, const char *name, const region *list, uint32_t count) {
    line_begin(l->p, NULL);
    text_format(l->p->out, "T.%s(", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_put(l->p->out, ", ");
        put_region(l, &list[i]);
    }
    text_put_char(l->p->out, ')');
    line_end(l->p);
}

// --- The rest of the head.
// Stands before the regions: TVM expects it there.
static void print_where(loop_printer *l, const expr *where) {
    line_begin(l->p, NULL);
    text_put(l->p->out, "T.where(");
    put_loop_expr(l, where);
    text_put_char(l->p->out, ')');
    line_end(l->p);
}

static void print_alloc(loop_printer *l, const buffer *b) {
    const char *name = define_buffer(l->p, b);
    line_begin(l->p, NULL);
    text_format(l->p->out, "%s = T.sblock_alloc_buffer(", name);
    put_buffer_arguments(l, b, false);
    text_put_char(l->p->out, ')');
    line_end(l->p);
}

// The part of the outer buffer, then what the inner one is.
static void print_match(loop_printer *l, const buffer_match *m) {
    const char *name = define_buffer(l->p, m->inner);
    line_begin(l->p, NULL);
    text_format(l->p->out, "%s = T.match_buffer(", name);
    put_region(l, &m->source);
    text_put(l->p->out, ", ");
    put_buffer_arguments(l, m->inner, false);
    text_put_char(l->p->out, ')');
    line_end(l->p);
}

static void print_init(loop_printer *l, const stmt *init) {
    line(l->p, "with T.init():");
    print_suite(l, init);
}

// As an annotation's value, or in a list that is one.
static bool names_buffer(const attr *a, const buffer *b) {
    if (a->kind == ATTR_BUFFER) return a->as.buffer == b;
    bool found = false;
    for (uint32_t i = 0; !found && (a->kind == ATTR_LIST || a->kind == ATTR_DICT) && i < a->count; i++)
        found = names_buffer(a->list[i], b);
    return found;
}

// Views that only an annotation names stand before it: B_1 = T.Buffer((16,), data=B.data). The rest of the body.
static const stmt *print_annotated_views(loop_printer *l, const block *b) {
    const stmt *body = b->body;
    while (b->annotations && body && body->kind == STMT_DECL_BUFFER && body->as.declare.silent &&
           names_buffer(b->annotations, body->as.declare.buf)) {
        print_silent_view(l, body);
        body = body->as.declare.body;
    }
    return body;
}

// The order that TVM prints and needs: axes, where, regions, annotations, buffers, init, body.
void print_block_body(loop_printer *l, const block *b, bool head) {
    if (head) print_iters(l, b);
    if (head && b->where) print_where(l, b->where);
    if (head && b->regions_written) {
        print_regions(l, "reads", b->read, b->reads);
        print_regions(l, "writes", b->write, b->writes);
    }
    expr_print_options style = loop_style(l->p);
    const stmt *body = print_annotated_views(l, b);
    if (b->annotations && b->annotations->count) print_attr_call(l->p, "T.sblock_attr", b->annotations, &style);
    for (uint32_t i = 0; i < b->allocs; i++) print_alloc(l, b->alloc[i]);
    for (uint32_t i = 0; i < b->matches; i++) print_match(l, &b->match[i]);
    if (b->init) print_init(l, b->init);
    print_statement(l, body);
}

void print_sblock(loop_printer *l, const stmt *st) {
    const block *b = st->as.block;
    uint32_t mark = names_mark(&l->p->names);
    line_begin(l->p, st);
    text_put(l->p->out, "with T.sblock(");
    text_put_quoted(l->p->out, b->name, strlen(b->name));
    text_put(l->p->out, "):");
    line_end_at(l->p, st->at);
    size_t empty = l->p->out->len;
    l->p->indent++;
    print_block_body(l, b, true);
    if (l->p->out->len == empty) line(l->p, "pass");
    l->p->indent--;
    names_leave(&l->p->names, mark);
}
