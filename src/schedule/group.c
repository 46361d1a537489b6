// group.c - group: rows of a contraction that choose by a number from memory what they are multiplied with are sorted
// by that number, so that tiles of rows share it.
//
//   for t, n, k: C[t, n] += A[t, k] * B[e[t], n, k]
//   ->
//   order: row = the rows sorted by e, each number's filled up to whole tiles; slot = where in it each row is;
//          of = the number of each tile, -1 for tiles that are left over
//   for tile, r, n, k: C_tiles[tile, r, n] += A[row[tile * 8 + r], k] * B[max(of[tile], 0), n, k]
//   for t, n: C[t, n] = C_tiles[slot[t] // 8, slot[t] % 8, n]
//
// skip: tiles that are left over are passed over. Nobody reads what is in them.
#include "loop/writer.h"
#include "schedule/inside.h"

static const char primitive[] = "group";

enum { KEYS_MOST = 4096 }; // numbers that rows may choose among

typedef struct grouping {
    schedule *sch;
    writer w;
    stmt_list path;      // of the block
    uint32_t scope, top; // path.at[scope]: the block around; path.at[top]: the outermost statement of the block's nest
    const block *b;
    block_shape shape;
    const iter *column;     // the only spatial variable that is no row
    const iter **over;      // the rows
    uint32_t count;         // of them
    const expr *key;        // the number
    int64_t keys, rows;     // how many numbers there are; rows of a tile
    const expr *all, *most; // rows there are; tiles there may be
    const buffer *row, *slot, *of, *made;
    const buffer *first, *filled, *used; // of each number: its first place, its rows; places in use
} grouping;

// --- What is grouped.

static bool is_row(const grouping *g, const expr *var) {
    for (uint32_t i = 0; i < g->count; i++)
        if (g->over[i]->var == var) return true;
    return false;
}

static bool uses_rows(const grouping *g, const expr *e) {
    for (uint32_t i = 0; i < g->count; i++)
        if (expr_uses_var(e, g->over[i]->var)) return true;
    return false;
}

// Whether it is read from memory, at places that rows alone say, and one of few numbers.
static bool is_key(grouping *g, const expr *e) {
    map loaded = MAP_IN(g->sch->mem);
    if (!expr_is_index(e) || !uses_rows(g, e)) return false;
    for (uint32_t i = 0; i < g->b->iters; i++)
        if (!is_row(g, g->b->iter[i].var) && expr_uses_var(e, g->b->iter[i].var)) return false;
    expr_loaded_buffers(e, &loaded);
    if (!loaded.len || map_has(&loaded, MAP_KEY(g->shape.out))) return false;
    interval v = expr_bounds(g->sch->s, e, g->sch->facts);
    if (!v.has_low || !v.has_high || v.low < 0 || v.high >= KEYS_MOST) return false;
    g->keys = v.high + 1;
    return true;
}

// The key in the indices of what moves with the columns. Nothing else of these may move with the rows.
static bool find_key(grouping *g) {
    expr_walk w = expr_walk_from(g->sch->mem, g->shape.store->as.store.value);
    for (const expr *x; (x = expr_walk_next(&w));) {
        if (x->op != EXPR_LOAD || x->as.buffer == g->shape.out || !expr_uses_var(x, g->column->var)) continue;
        map with = MAP_IN(g->sch->mem);
        expr_walk inside = expr_walk_from(g->sch->mem, x);
        bool known = g->key;
        // The smallest one: its multiples are keys as well.
        for (const expr *e; !known && (e = expr_walk_next(&inside));)
            if (e != x && is_key(g, e)) g->key = e;
        if (!g->key) continue;
        map_put(&with, MAP_KEY(g->key), (void *)(uintptr_t)expr_int(g->sch->s, g->key->type, 0));
        if (uses_rows(g, expr_substitute(g->sch->s, x, &with)))
            return refuse(g->sch, primitive, "%s moves with the rows of block %s", x->as.buffer->name, g->b->name);
    }
    return g->key || refuse(g->sch, primitive, "rows of block %s choose nothing by a number from memory", g->b->name);
}

// The spatial variable that no row is: the last one.
static bool find_rows(grouping *g) {
    const block *b = g->b;
    g->over = ARENA_NEW(g->sch->mem, const iter *, b->iters + 1);
    for (uint32_t i = 0; i < b->iters; i++) {
        if (!expr_is_int(b->iter[i].dom.min, 0) || b->iter[i].var->type.kind != DTYPE_I64) return false;
        if (b->iter[i].kind != ITER_SPATIAL) continue;
        if (g->column) g->over[g->count++] = g->column;
        g->column = &b->iter[i];
    }
    return g->count > 0;
}

static bool can_group(grouping *g) {
    schedule *sch = g->sch;
    const char *name = g->b->name;
    g->top = g->path.len - 1;
    while (g->top > 0 && g->path.at[g->top - 1]->kind == STMT_FOR) g->top--;
    for (g->scope = g->top; g->scope > 0 && g->path.at[g->scope - 1]->kind != STMT_BLOCK;) g->scope--;
    if (!g->scope--) return refuse(sch, primitive, "block %s does not stand inside another block", name);
    const char *way = in_the_way(&g->path, g->scope, g->path.len);
    if (way) return refuse(sch, primitive, "%s stands around block %s", way, name);
    if (!block_understand(sch, g->b, &g->shape) || g->b->body != g->shape.store || g->b->where || !g->b->init ||
        g->shape.store->as.store.predicate || !find_rows(g) || !runs_over_domain(sch, &g->path, g->scope, NULL))
        return refuse(sch, primitive, "block %s is no contraction with rows, or is guarded", name);
    return find_key(g);
}

// --- The order.

static const buffer *integers(const grouping *g, const char *name, const expr *size) {
    name = arena_format(g->sch->mem, "%s_%s", g->b->name, name);
    return buffer_new(g->sch->s, name, DTYPE_OF(I64), &size, size ? 1 : 0, "global");
}

static void make_buffers(grouping *g) {
    const writer *w = &g->w;
    const expr *keys = write_int(w, g->keys);
    g->all = g->over[0]->dom.extent;
    for (uint32_t i = 1; i < g->count; i++) g->all = write_op(w, EXPR_MUL, g->all, g->over[i]->dom.extent);
    // Each number that there is leaves less than a tile free.
    g->most = write_op(w, EXPR_ADD, write_op(w, EXPR_FLOOR_DIV, g->all, write_int(w, g->rows)),
                       write_op(w, EXPR_MIN, g->all, keys));
    g->row = integers(g, "row", write_op(w, EXPR_MUL, g->most, write_int(w, g->rows)));
    g->slot = integers(g, "slot", g->all);
    g->of = integers(g, "of", g->most);
    g->first = integers(g, "first", keys);
    g->filled = integers(g, "filled", keys);
    g->used = integers(g, "used", NULL);
    const expr *dim[] = {g->most, write_int(w, g->rows), g->column->dom.extent};
    g->made = buffer_new(w->s, arena_format(w->mem, "%s_tiles", g->b->name), g->shape.out->type, dim, 3, "global");
}

// The rows' variables as digits of one number.
static void put_digits(const grouping *g, const expr *number, map *with) {
    const writer *w = &g->w;
    for (uint32_t i = g->count; i-- > 0;) {
        const expr *size = g->over[i]->dom.extent;
        const expr *digit = i ? write_op(w, EXPR_FLOOR_MOD, number, size) : number;
        map_put(with, MAP_KEY(g->over[i]->var), (void *)(uintptr_t)digit);
        if (i) number = write_op(w, EXPR_FLOOR_DIV, number, size);
    }
}

static const expr *key_of(const grouping *g, const expr *number) {
    map with = MAP_IN(g->w.mem);
    put_digits(g, number, &with);
    return write_as_int(&g->w, expr_substitute(g->w.s, g->key, &with));
}

static const stmt *set_all(const grouping *g, const buffer *b, const expr *size, int64_t value) {
    const expr *i = write_index(&g->w, "i");
    return write_loop(&g->w, i, size, write_store(&g->w, b, i, write_int(&g->w, value)));
}

static const stmt *add_to(const grouping *g, const buffer *b, const expr *i, const expr *more) {
    return write_store(&g->w, b, i, write_op(&g->w, EXPR_ADD, write_load(&g->w, b, i), more));
}

// first[key] = where its tiles begin.
static const stmt *put_firsts(const grouping *g) {
    const writer *w = &g->w;
    const expr *key = write_index(w, "key"), *tiles = write_ceil_div(w, write_load(w, g->filled, key), g->rows);
    const stmt *both[] = {write_store(w, g->first, key, write_load(w, g->used, NULL)),
                          add_to(g, g->used, NULL, write_op(w, EXPR_MUL, tiles, write_int(w, g->rows)))};
    return write_loop(w, key, write_int(w, g->keys), write_seq(w, both, 2));
}

// Each row takes the next place of its number. Places without a row have row 0, which is as good as any.
static const stmt *put_rows(const grouping *g) {
    const writer *w = &g->w;
    const expr *p = write_index(w, "p"), *key = key_of(g, p), *at = write_load(w, g->slot, p);
    const stmt *all[] = {
        write_store(w, g->slot, p, write_load(w, g->first, key)),
        write_store(w, g->row, at, p),
        write_store(w, g->of, write_op(w, EXPR_FLOOR_DIV, at, write_int(w, g->rows)), key),
        add_to(g, g->first, key, write_int(w, 1)),
    };
    return write_loop(w, p, g->all, write_seq(w, all, 4));
}

static const stmt *order_block(const grouping *g) {
    const writer *w = &g->w;
    const expr *p = write_index(w, "p"), *keys = write_int(w, g->keys);
    const stmt *all[] = {set_all(g, g->filled, keys, 0),
                         set_all(g, g->of, g->most, -1),
                         set_all(g, g->row, g->row->dim[0], 0),
                         write_store(w, g->used, NULL, write_int(w, 0)),
                         write_loop(w, p, g->all, add_to(g, g->filled, key_of(g, p), write_int(w, 1))),
                         put_firsts(g),
                         put_rows(g)};
    const block b = {.name = unique_block(g->sch, arena_format(w->mem, "%s_order", g->b->name)),
                     .body = write_seq(w, all, COUNT(all))};
    return stmt_block(w->mem, &b);
}

// --- The tiles, and what reads them.

// A nest of the block's own loops, one for each of its variables.
static const stmt *nest_of(const grouping *g, block *b, iter *iters) {
    const expr **var = ARENA_NEW(g->w.mem, const expr *, b->iters + 1);
    for (uint32_t i = 0; i < b->iters; i++)
        iters[i].value = var[i] = new_loop_var(g->sch, arena_format(g->w.mem, "ax%u", i), DTYPE_OF(I64));
    b->iter = iters;
    const stmt *st = stmt_block(g->w.mem, b);
    for (uint32_t i = b->iters; i-- > 0;)
        st = stmt_for(g->w.mem, FOR_SERIAL, var[i], iters[i].dom.min, iters[i].dom.extent, st);
    return st;
}

static const expr *put_iter(const grouping *g, block *b, iter *iters, const char *name, iter_kind kind,
                            const expr *extent) {
    const expr *var = expr_new_var(g->w.s, name, DTYPE_OF(I64));
    iters[b->iters++] = (iter){.var = var, .kind = kind, .dom = {write_int(&g->w, 0), extent}};
    return var;
}

static const expr *copied_iter(const grouping *g, block *b, iter *iters, const iter *it, map *with) {
    const expr *var = put_iter(g, b, iters, it->var->as.var->name, it->kind, it->dom.extent);
    map_put(with, MAP_KEY(it->var), (void *)(uintptr_t)var);
    return var;
}

static const stmt *tiles_nest(const grouping *g, block *b) {
    const writer *w = &g->w;
    schedule *sch = g->sch;
    map with = MAP_IN(sch->mem);
    iter *iters = ARENA_NEW(sch->mem, iter, g->b->iters + 3);
    const expr *tile = put_iter(g, b, iters, "v_tile", ITER_SPATIAL, g->most);
    const expr *r = put_iter(g, b, iters, "v_row", ITER_SPATIAL, write_int(w, g->rows));
    const expr *column = copied_iter(g, b, iters, g->column, &with);
    for (uint32_t i = 0; i < g->b->iters; i++)
        if (g->b->iter[i].kind == ITER_REDUCE) copied_iter(g, b, iters, &g->b->iter[i], &with);
    const expr *own = expr_load(w->s, g->shape.out, g->shape.out->type, g->shape.written, g->shape.rank);
    const expr *at[] = {tile, r, column}, *of = write_load(w, g->of, tile);
    const expr *key = expr_cast(w->s, g->key->type, write_op(w, EXPR_MAX, of, write_int(w, 0)));
    put_digits(g, write_load(w, g->row, write_times_plus(w, tile, g->rows, r)), &with);
    map_put(&with, MAP_KEY(g->key), (void *)(uintptr_t)key);
    map_put(&with, MAP_KEY(own), (void *)(uintptr_t)write_load_at(w, g->made, at));
    b->name = unique_block(sch, arena_format(sch->mem, "%s_tiles", g->b->name));
    b->body = write_store_at(w, g->made, at, expr_substitute(w->s, g->shape.store->as.store.value, &with));
    b->init = write_store_at(w, g->made, at, expr_substitute(w->s, g->b->init->as.store.value, &with));
    return nest_of(g, b, iters);
}

// Under the old block's name.
static const stmt *readers_nest(const grouping *g) {
    const writer *w = &g->w;
    map with = MAP_IN(w->mem);
    block b = {.name = g->b->name};
    iter *iters = ARENA_NEW(w->mem, iter, g->count + 1);
    const expr *place = NULL;
    for (uint32_t i = 0; i < g->count; i++) {
        const expr *var = copied_iter(g, &b, iters, g->over[i], &with);
        place = place ? write_op(w, EXPR_ADD, write_op(w, EXPR_MUL, place, g->over[i]->dom.extent), var) : var;
    }
    const expr *column = copied_iter(g, &b, iters, g->column, &with), *slot = write_load(w, g->slot, place);
    const expr *rows = write_int(w, g->rows);
    const expr *at[] = {write_op(w, EXPR_FLOOR_DIV, slot, rows), write_op(w, EXPR_FLOOR_MOD, slot, rows), column};
    const stmt *store =
        stmt_store(w->mem, g->shape.out, g->shape.written, g->shape.rank, write_load_at(w, g->made, at));
    b.body = stmt_replace(w->s, w->mem, store, &with, NULL);
    return nest_of(g, &b, iters);
}

static void install(grouping *g, const stmt *const nest[3]) {
    schedule *sch = g->sch;
    const buffer *made[] = {g->row, g->slot, g->of, g->made, g->first, g->filled, g->used};
    stmt_list below = {0};
    for (uint32_t i = g->scope; i <= g->top; i++) VEC_PUSH(sch->mem, &below, g->path.at[i]);
    block around = *path_replaced(sch, &below, stmt_seq(sch->mem, nest, 3))->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, around.allocs + COUNT(made));
    for (uint32_t i = 0; i < around.allocs; i++) alloc[i] = around.alloc[i];
    for (uint32_t i = 0; i < COUNT(made); i++) alloc[around.allocs++] = made[i];
    around.alloc = alloc;
    g->path.len = g->scope + 1;
    tree_replace(sch, &g->path, stmt_block(sch->mem, &around));
}

block_ref schedule_group(schedule *sch, block_ref b, int64_t rows, int64_t *keys) {
    grouping g = {.sch = sch, .rows = rows, .w = {.s = sch->s, .mem = sch->mem, .real = DTYPE_OF(F32)}};
    block tiles = {0};
    if (!must_block(sch, b, primitive, &g.path)) return (block_ref){0};
    g.b = path_end(&g.path)->as.block;
    bool fits = rows >= 1 && rows <= 1 << 10;
    if (!fits) refuse(sch, primitive, "the tile of %lld rows is no size", (long long)rows);
    if (!fits || !can_group(&g)) return (block_ref){0};
    make_buffers(&g);
    const char *which = block_name(sch, b);
    const stmt *nest[] = {order_block(&g), tiles_nest(&g, &tiles), readers_nest(&g)};
    install(&g, nest);
    sch->tiles_of = g.of;
    block_handle(sch, nest[0]->as.block->name);
    block_ref out = block_handle(sch, tiles.name);
    trace_line(sch, "%s = group(%s, %lld)", new_block_name(sch, out), which, (long long)rows);
    if (keys) *keys = g.keys;
    return out;
}

bool schedule_skip(schedule *sch, loop_ref l) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "skip", &path)) return false;
    const stmt *loop = path_end(&path);
    const char *name = loop_name(sch, l);
    writer w = {.s = sch->s, .mem = sch->mem};
    const buffer *of = sch->tiles_of;
    bool over = of && reads_buffer(sch, loop, of) && !writes_buffer(sch, loop, of) &&
                loop->as.loop.extent == of->dim[0] && expr_is_int(loop->as.loop.min, 0);
    if (!over) return refuse(sch, "skip", "loop %s is not over tiles that group made", loop->as.loop.var->as.var->name);
    const expr *some = write_op(&w, EXPR_GE, write_load(&w, of, loop->as.loop.var), write_int(&w, 0));
    tree_replace(sch, &path, loop_with_body(sch, loop, stmt_if(sch->mem, some, loop->as.loop.body, NULL)));
    trace_line(sch, "skip(%s)", name);
    return true;
}
