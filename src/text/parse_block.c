// parse_block.c - with T.sblock("name"): iteration variables, regions, allocations, annotations.
#include "base/count_noun.h"
#include "text/parse_loop.h"
#include <string.h>

// --- T.axis.spatial(extent, value), T.axis.remap("SR", [i, j]).
static bool is_wide(const expr *e) { return dtype_bits(e->type) == 64; }

// Bounds of one axis have one type: an int32 beside an int64 is widened, unless the text is kept as written.
static const expr *widen(reader *r, const expr *e, bool wide) {
    if (!wide || is_wide(e)) return e;
    const expr *number = expr_number(r->exprs, e, DTYPE_OF(I64));
    return number ? number : expr_cast(r->exprs, DTYPE_OF(I64), e);
}

static bool is_news(reader *r, const char *name, loc at) {
    const block_parts *b = r->loop->block;
    for (uint32_t i = 0; i < b->iters.len; i++)
        if (strcmp(b->iters.at[i].var->as.var->name, name) == 0)
            return diag_error(r->d, at, "%s is an iteration variable of this block already", name);
    return true;
}

// The variable is new and its name is visible to the end of the block.
static bool add_iter(reader *r, const char *name, loc at, iter_kind kind, range dom, const expr *v) {
    if (!is_news(r, name, at)) return false;
    bool wide = !r->as_written && (is_wide(v) || is_wide(dom.extent) || is_wide(dom.min));
    iter it = {.kind = kind, .value = widen(r, v, wide)};
    it.dom = (range){widen(r, dom.min, wide), widen(r, dom.extent, wide)};
    it.var = expr_new_var(r->exprs, name, it.dom.extent->type);
    VEC_PUSH(r->scratch, &r->loop->block->iters, it);
    scope_bind(r, name, value_expr(at, it.var));
    return true;
}

// An extent, or a pair (low, high).
static bool read_domain(reader *r, const value *v, range *dom) {
    if (v->kind == VAL_TUPLE || v->kind == VAL_LIST) {
        if (v->as.list.count != 2) return diag_error(r->d, v->at, "a domain is an extent or (low, high)");
        const expr *low = to_expr(r, &v->as.list.at[0], (dtype){0}, "domain");
        const expr *high = to_expr(r, &v->as.list.at[1], low ? low->type : (dtype){0}, "domain");
        if (!low || !high) return false;
        *dom = (range){low, slice_extent(r, low, high)};
    } else {
        const expr *extent = to_expr(r, v, (dtype){0}, "domain");
        if (!extent) return false;
        *dom = (range){NULL, extent};
    }
    if (!dom->extent || !expr_is_index(dom->extent)) return diag_error(r->d, v->at, "a domain has an integer extent");
    if (!dom->min) dom->min = expr_int(r->exprs, dom->extent->type, 0);
    return true;
}

static bool read_single_axis(reader *r, const char *name, loc at, iter_kind kind, arguments *a) {
    const value *dom = arg_need(r, a, 0, "dom"), *binding = arg_need(r, a, 1, "binding");
    range domain;
    arg_at(a, 2, "dtype");
    if (!dom || !binding || !read_domain(r, dom, &domain)) return false;
    const expr *v = to_expr(r, binding, r->as_written ? (dtype){0} : domain.extent->type, a->callee);
    if (!v) return false;
    if (!expr_is_index(v)) return diag_error(r->d, binding->at, "%s: want an integer", a->callee);
    return add_iter(r, name, at, kind, domain, v) && args_done(r, a);
}

// What a block says of itself must not use what a statement inside of it binds.
bool at_block_head(reader *r, loc at, const char *callee) {
    return r->loop->items == r->loop->block->suite ||
           diag_error(r->d, at, "%s belongs into T.sblock itself, not into a statement inside of it", callee);
}

// The letters of T.axis.remap("SRO", ...).
static bool remap_kind(char c, iter_kind *kind) {
    *kind = c == 'R' ? ITER_REDUCE : ITER_SPATIAL;
    return c == 'S' || c == 'R';
}

// The range of the loop variable becomes the domain: known here because the loop was read before.
static bool remap_one(reader *r, const char *name, loc at, char letter, const value *v) {
    const range *dom = v->kind == VAL_EXPR ? map_find(&r->loop->ranges, MAP_KEY(v->as.e)) : NULL;
    iter_kind kind;
    if (!dom)
        return v->kind != VAL_POISON && diag_error(r->d, v->at, "T.axis.remap: want the variable of a loop around");
    if (!remap_kind(letter, &kind))
        return diag_error(r->d, at, "T.axis.remap: the letters are S and R, got '%c'", letter);
    return add_iter(r, name, at, kind, *dom, v->as.e);
}

static bool read_remap(reader *r, const char *const *name, uint32_t names, loc at, arguments *a) {
    const value *kinds = arg_need(r, a, 0, "kinds"), *list = arg_need(r, a, 1, "bindings");
    const char *letters = kinds ? to_string(r, kinds, a->callee) : NULL;
    arg_named(a, "dtype");
    if (!letters || !list) return false;
    bool listed = list->kind == VAL_LIST || list->kind == VAL_TUPLE;
    if (!listed || list->as.list.count != names || strlen(letters) != names)
        return diag_error(r->d, at, "T.axis.remap: %u names, but %s and %s", names, COUNTED(strlen(letters), "letter"),
                          COUNTED(listed ? list->as.list.count : 1, "loop"));
    for (uint32_t i = 0; i < names; i++)
        if (!remap_one(r, name[i], at, letters[i], &list->as.list.at[i])) return false;
    return args_done(r, a);
}

// One name for a single axis, as many as letters for remap.
bool read_axis(reader *r, const char *const *name, uint32_t names, loc at) {
    static const struct {
        const char *name;
        iter_kind kind;
    } row[] = {{"spatial", ITER_SPATIAL}, {"S", ITER_SPATIAL}, {"reduce", ITER_REDUCE},
               {"R", ITER_REDUCE},        {"scan", ITER_SCAN}, {"opaque", ITER_OPAQUE}};
    loc here = peek(r)->at;
    const char *which = expect(r, ".") ? take_name(r, &here) : NULL;
    arguments a;
    if (!which || !read_arguments(r, arena_format(r->scratch, "T.axis.%s", which), here, &a)) return false;
    if (!at_block_head(r, here, a.callee)) return false;
    if (strcmp(which, "remap") == 0) return read_remap(r, name, names, at, &a);
    for (size_t i = 0; i < COUNT(row); i++) {
        if (strcmp(row[i].name, which) != 0) continue;
        if (names != 1) return diag_error(r->d, at, "T.axis.%s: want one name", which);
        return read_single_axis(r, name[0], at, row[i].kind, &a);
    }
    return diag_error(r->d, here, "T.axis.%s is not known; there are spatial, reduce, scan, opaque and remap", which);
}

// --- T.where, T.reads, T.writes, T.sblock_attr.
// One condition a block: a second T.where replaces it.
static void read_where(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "predicate");
    const expr *e = v ? to_expr(r, v, (dtype){0}, a->callee) : NULL;
    if (!e) return;
    if (dtype_family_of(e->type) != FAMILY_BOOL)
        diag_error(r->d, v->at, "T.where: want a condition");
    else
        r->loop->block->where = e;
}

// An empty call states that nothing is read (or written), which is not the same as no call.
static void read_regions(reader *r, arguments *a, region_list *out) {
    value_list list = {a->value, a->count};
    for (uint32_t i = 0; i < a->count; i++) arg_at(a, i, NULL);
    if (list.count == 1 && (list.at[0].kind == VAL_LIST || list.at[0].kind == VAL_TUPLE)) list = list.at[0].as.list;
    for (uint32_t i = 0; i < list.count; i++) {
        region one;
        if (to_region(r, &list.at[i], &one)) VEC_PUSH(r->scratch, out, one);
    }
}

static void read_annotations(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "attrs");
    const attr *dict = v ? to_attr(r, v, a->callee) : NULL;
    if (dict && dict->kind != ATTR_DICT)
        diag_error(r->d, v->at, "%s: want a dictionary", a->callee);
    else if (dict)
        r->loop->block->annotations = merge_attrs(r, r->loop->block->annotations, dict, "");
}

bool read_block_call(reader *r, loc at) {
    static const char *const name[] = {"where", "reads", "writes", "sblock_attr", "block_attr"};
    size_t i = 0;
    while (i < COUNT(name) && !take_t(r, name[i])) i++;
    if (i == COUNT(name)) return false;
    arguments a;
    block_parts *b = r->loop->block;
    if (read_arguments(r, arena_format(r->scratch, "T.%s", name[i]), at, &a) && at_block_head(r, at, a.callee)) {
        if (i == 0) read_where(r, &a);
        if (i == 1) read_regions(r, &a, &b->reads);
        if (i == 2) read_regions(r, &a, &b->writes);
        b->reads_written = b->reads_written || i == 1;
        b->writes_written = b->writes_written || i == 2;
        if (i > 2) read_annotations(r, &a);
        args_done(r, &a);
    }
    end_statement(r);
    return true;
}

// --- The block.
// Lists grew in scratch memory; the block's own are in the module.
static void copy_parts(const block_parts *p, block *b) {
    b->iters = p->iters.len;
    b->iter = p->iters.at;
    b->reads = p->reads.len;
    b->read = p->reads.at;
    b->writes = p->writes.len;
    b->write = p->writes.at;
    b->regions_written = p->reads_written || p->writes_written;
    b->allocs = p->allocs.len;
    b->alloc = p->allocs.at;
    b->matches = p->matches.len;
    b->match = p->matches.at;
    b->where = p->where;
    b->annotations = p->annotations;
    b->init = p->init;
}

// Where only T.reads or only T.writes is stated, the other follows from the body.
static void derive_other(reader *r, const block_parts *p, block *b) {
    region_list reads = {0}, writes = {0};
    block_regions(r->exprs, r->mem, b, &reads, &writes);
    if (p->writes_written) {
        b->read = reads.at;
        b->reads = reads.len;
    } else {
        b->write = writes.at;
        b->writes = writes.len;
    }
}

// Also used for the root block that no text shows.
const stmt *finish_block(reader *r, const block_parts *p, const char *name, const stmt *body, loc at) {
    block b = {.name = name, .body = body};
    copy_parts(p, &b);
    if (p->reads_written != p->writes_written) derive_other(r, p, &b);
    stmt *st = (stmt *)(uintptr_t)stmt_block(r->mem, &b); // made a moment ago
    st->at = at;
    return st;
}

static const char *read_block_name(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "T.sblock", at, &a)) return NULL;
    const value *v = arg_at(&a, 0, "name");
    arg_named(&a, "no_realize");
    const char *name = v ? to_string(r, v, "T.sblock") : "";
    return name && args_done(r, &a) ? name : NULL;
}

void read_block(reader *r, loc at, bool old) {
    loop_reader *l = r->loop;
    block_parts parts = {0}, *outer = l->block;
    const char *name = read_block_name(r, at);
    if (!name) {
        skip_line(r);
        return;
    }
    l->has_blocks = true;
    l->old_blocks = l->old_blocks || old;
    l->block = &parts;
    uint32_t mark = scope_mark(r);
    const stmt *body = read_loop_suite(r);
    scope_leave(r, mark);
    l->block = outer;
    if (!body) return;
    add_item(r, ITEM_PLAIN, (stmt *)(uintptr_t)finish_block(r, &parts, name, body, at));
}
