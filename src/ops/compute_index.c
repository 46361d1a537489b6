// compute_index.c - the indices of one statement: which there are, how many dims a group spans, how far each runs.
#include "base/count_noun.h"
#include "expr/prove.h"
#include "ops/compute_nest.h"
#include <string.h>

enum { MAX_RANK = 64 };

bool nest_fail(nest *z, loc at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *message = arena_vformat(z->p->mem, format, args);
    va_end(args);
    z->failed = true;
    const node *n = z->p->n;
    if (at.col == 0) return diag_error(z->p->c->d, n->at, "%s: %s", n->op->name, message);
    return diag_error(z->p->c->d, n->at, "%s: compute text, column %u: %s", n->op->name, at.col, message);
}

// Few indices a statement: a search in order is the fastest map.
comp_index *nest_index(nest *z, const char *name) {
    for (uint32_t i = 0; i < z->index.len; i++)
        if (strcmp(z->index.at[i].name, name) == 0) return &z->index.at[i];
    return NULL;
}

comp_tensor *nest_tensor(nest *z, const term *access) { return text_map_find(&z->p->tensors, access->name); }

bool is_one(program *p, const expr *dim) {
    return expr_is_int(dim, 1) || prove_equal(p->s, dim, expr_i64(p->s, 1), NULL);
}

// --- Names.
static bool is_word(const char *name) {
    return strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0 || strcmp(name, "true") == 0 ||
           strcmp(name, "false") == 0;
}

// Whatever is known by name already is no index; everything else is one, so a misspelt operand shows up as an index
// that nothing gives an extent to.
static void add_index(nest *z, const term *t) {
    program *p = z->p;
    if (nest_index(z, t->name) || text_map_find(&p->constants, t->name) || text_map_find(&p->tensors, t->name)) return;
    if (is_word(t->name)) return;
    comp_index i = {.name = t->name, .group = t->kind == TERM_GROUP, .len = t->kind == TERM_GROUP ? -1 : 1};
    VEC_PUSH(p->mem, &z->index, i);
}

// Arguments of functions that are names of other things than indices.
static bool names_no_index(const term *call, uint32_t i) {
    static const struct {
        const char *name;
        bool first, second;
    } known[] = {{"cast", false, true},       {"reinterpret", false, true}, {"dim", true, true},
                 {"dims", true, true},        {"lowest", true, false},      {"highest", true, false},
                 {"lookup_grid", true, false}};
    for (size_t k = 0; k < COUNT(known); k++)
        if (strcmp(call->name, known[k].name) == 0) return (i == 0 && known[k].first) || (i == 1 && known[k].second);
    return false;
}

// Indices in order of mention, accesses outer before inner: an inner one may be the index of an outer one.
static void collect(nest *z, const term *t) {
    if (t->kind == TERM_NAME || t->kind == TERM_GROUP) add_index(z, t);
    if (t->kind == TERM_ACCESS) VEC_PUSH(z->p->mem, &z->access, t);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->kind != TERM_CALL || !names_no_index(t, i)) collect(z, t->in[i]);
}

// --- Sizes of what stands in an access.
static comp_index *group_in(nest *z, const term *t) {
    if (t->kind == TERM_GROUP) return nest_index(z, t->name);
    if (t->kind == TERM_ACCESS || (t->kind == TERM_CALL && strcmp(t->name, "unflat") == 0)) return NULL;
    if (t->kind == TERM_CALL && (strcmp(t->name, "flat") == 0 || strcmp(t->name, "extent") == 0)) return NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        comp_index *g = group_in(z, t->in[i]);
        if (g) return g;
    }
    return NULL;
}

static bool is_unflat(const term *t) { return t->kind == TERM_CALL && strcmp(t->name, "unflat") == 0; }

// How many dims a place names; `rank` of the tensor for None.
static uint32_t place_count(nest *z, const place *pl, uint32_t rank) {
    if (pl->where->kind == TERM_INT) return 1;
    const compute_name *c = text_map_find(&z->p->constants, pl->where->name);
    if (!c) return nest_fail(z, pl->where->at, "nothing is called `%s`", pl->where->name), 1;
    return c->is_none ? rank : c->is_list ? c->count : 1;
}

// The dims an item takes, -1 when that hangs on a group whose length is not known yet. Optional places apart.
static int32_t item_size(nest *z, const term *t, const place *pl, uint32_t rank) {
    const comp_index *one = t->kind == TERM_NAME ? nest_index(z, t->name) : NULL;
    if (one && one->dropped) return 0;
    if (is_unflat(t)) return -1;
    const comp_index *g = group_in(z, t);
    if (g && g->len >= 0) return g->len;
    if (pl->placed) return (int32_t)place_count(z, pl, rank);
    return g ? -1 : 1;
}

// Does an optional place stand in a tensor of that rank?
static bool place_stands(nest *z, const term *access, uint32_t item, uint32_t rank) {
    int32_t total = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        if (i == item) continue;
        int32_t size = item_size(z, access->in[i], &access->place[i], rank);
        total += size < 0 ? 0 : size;
    }
    return (uint32_t)total + place_count(z, &access->place[item], rank) <= rank;
}

uint32_t nest_written_rank(nest *z, const term *access) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        if (access->place[i].placed && access->place[i].optional) continue;
        int32_t size = item_size(z, access->in[i], &access->place[i], 0);
        if (size > 0) rank += (uint32_t)size;
    }
    return rank;
}

// --- Lengths of groups.
// An index written `~i` is dropped everywhere when a tensor has fewer dims than its single indices need.
static void drop_optional(nest *z, const term *access, uint32_t rank) {
    uint32_t single = 0;
    for (uint32_t i = 0; i < access->count; i++)
        if (!group_in(z, access->in[i]) && !access->place[i].placed) single++;
    for (uint32_t i = 0; i < access->count && single > rank; i++) {
        if (!access->place[i].optional || access->place[i].placed || access->in[i]->kind != TERM_NAME) continue;
        comp_index *index = nest_index(z, access->in[i]->name);
        if (!index) continue;
        index->dropped = true;
        index->len = 0;
        single--;
    }
}

// A list of places says how long the group beside it is.
static void learn_places(nest *z, const term *access, uint32_t rank) {
    for (uint32_t i = 0; i < access->count; i++) {
        if (!access->place[i].placed) continue;
        comp_index *g = group_in(z, access->in[i]);
        if (g && g->len < 0) g->len = (int32_t)place_count(z, &access->place[i], rank);
    }
}

typedef struct unknowns {
    comp_index *group; // the last one
    uint32_t count;
    int32_t fixed; // dims of the others
} unknowns;

static unknowns count_unknowns(nest *z, const term *access, uint32_t first, uint32_t last, uint32_t rank) {
    unknowns u = {0};
    for (uint32_t i = first; i < last; i++) {
        const place *pl = &access->place[i];
        if (pl->placed && pl->optional && !place_stands(z, access, i, rank)) continue;
        int32_t size = item_size(z, access->in[i], pl, rank);
        if (size >= 0) u.fixed += size;
        if (size < 0) u.count++, u.group = group_in(z, access->in[i]);
    }
    return u;
}

static int64_t place_at(nest *z, const place *pl, uint32_t i, uint32_t rank) {
    int64_t at = i;
    const compute_name *c = pl->where->name ? text_map_find(&z->p->constants, pl->where->name) : NULL;
    if (!c) at = pl->where->ival;
    if (c && !c->is_none && !expr_const_int(c->is_list ? c->list[i] : c->value, &at))
        nest_fail(z, pl->where->at, "`%s` is no number", pl->where->name);
    return at < 0 ? at + rank : at;
}

// `x[a..., w[j...] @ axis, b...]`: the group before a placed index has as many dims as stand before the place.
static void learn_split(nest *z, const term *access, uint32_t rank) {
    for (uint32_t i = 0; i < access->count; i++) {
        if (!access->place[i].placed || place_count(z, &access->place[i], rank) != 1) continue;
        unknowns u = count_unknowns(z, access, 0, i, rank);
        if (count_unknowns(z, access, i + 1, access->count, rank).count == 0) continue;
        if (u.count == 1 && u.group) u.group->len = (int32_t)place_at(z, &access->place[i], 0, rank) - u.fixed;
    }
}

static bool has_optional_place(const term *access) {
    for (uint32_t i = 0; i < access->count; i++)
        if (access->place[i].placed && access->place[i].optional) return true;
    return false;
}

// With one unknown group left in an access, it takes the dims that the others leave.
static bool learn_whole(nest *z, const term *access, uint32_t rank) {
    unknowns u = count_unknowns(z, access, 0, access->count, rank);
    if (u.count != 1 || !u.group || (int32_t)rank < u.fixed) return false;
    u.group->len = (int32_t)rank - u.fixed;
    return true;
}

// The longest that any access on the right side asks for: shorter ones broadcast.
static bool learn_longest(nest *z) {
    int32_t best[MAX_RANK];
    for (uint32_t i = 0; i < MAX_RANK; i++) best[i] = -1;
    for (uint32_t i = 1; i < z->access.len; i++) {
        const comp_tensor *t = nest_tensor(z, z->access.at[i]);
        if (!t) continue;
        unknowns u = count_unknowns(z, z->access.at[i], 0, z->access.at[i]->count, t->rank);
        ptrdiff_t g = u.group ? u.group - z->index.at : MAX_RANK;
        if (u.count == 1 && g < MAX_RANK && (int32_t)t->rank - u.fixed > best[g]) best[g] = (int32_t)t->rank - u.fixed;
    }
    bool any = false;
    for (uint32_t i = 0; i < z->index.len && i < MAX_RANK; i++)
        if (z->index.at[i].len < 0 && best[i] >= 0) z->index.at[i].len = best[i], any = true;
    return any;
}

// What says most goes first: lists of places, then the target, whose rank is that of the result; a group that only
// values mention is as long as the longest of them. What nothing says is a group of no dims.
static void learn_lengths(nest *z) {
    for (uint32_t i = 0; i < z->access.len; i++) {
        const comp_tensor *t = nest_tensor(z, z->access.at[i]);
        if (!t) continue;
        drop_optional(z, z->access.at[i], t->rank);
        learn_places(z, z->access.at[i], t->rank);
    }
    const comp_tensor *target = nest_tensor(z, z->st->target);
    for (uint32_t i = 1; i < z->access.len; i++) {
        const comp_tensor *t = nest_tensor(z, z->access.at[i]);
        if (t) learn_split(z, z->access.at[i], t->rank);
    }
    if (target && !has_optional_place(z->st->target)) learn_whole(z, z->st->target, target->rank);
    while (learn_longest(z)) {}
    if (target) learn_whole(z, z->st->target, target->rank);
    for (uint32_t i = 0; i < z->index.len; i++)
        if (z->index.at[i].len < 0) z->index.at[i].len = 0;
}

// --- What stands at each dim.
typedef struct spread {
    int32_t size[MAX_RANK]; // dims of each item
    int32_t skip[MAX_RANK]; // elements of its group that this tensor has no dims for (they broadcast)
} spread;

// How many dims each item takes. An access shorter than its group leaves out the first elements: they broadcast.
static bool measure(nest *z, const term *access, uint32_t rank, spread *sp) {
    int32_t total = 0, flexible = -1;
    for (uint32_t i = 0; i < access->count; i++) {
        const place *pl = &access->place[i];
        bool absent = pl->placed && pl->optional && !place_stands(z, access, i, rank);
        sp->size[i] = absent ? 0 : item_size(z, access->in[i], pl, rank);
        sp->skip[i] = 0;
        if (sp->size[i] < 0 || (!pl->placed && group_in(z, access->in[i]))) flexible = (int32_t)i;
        total += sp->size[i] < 0 ? 0 : sp->size[i];
    }
    int32_t spare = (int32_t)rank - total;
    if (spare == 0 && (flexible < 0 || sp->size[flexible] >= 0)) return true;
    if (flexible < 0) return nest_fail(z, access->at, "`%s` has %s, not %d", access->name, COUNTED(rank, "dim"), total);
    if (sp->size[flexible] < 0) return sp->size[flexible] = spare, spare >= 0;
    sp->skip[flexible] = -spare;
    sp->size[flexible] += spare;
    return sp->size[flexible] >= 0 && spare <= 0;
}

// unflat is spread over all dims that are left, so each of its slots must know which one it is.
static slot slot_of(nest *z, const term *t, int32_t i, int32_t size) {
    if (is_unflat(t)) return (slot){.t = t, .element = -1, .flat_of = (uint32_t)i, .flat_dims = (uint32_t)size};
    return (slot){.t = t, .element = group_in(z, t) ? i : -1};
}

static void place_flat(nest *z, uint32_t rank, slot *out) {
    for (uint32_t i = 0; i < rank; i++) {
        if (!out[i].flat_dims) continue;
        out[i].flat_at = ARENA_NEW(z->p->mem, uint32_t, out[i].flat_dims);
        for (uint32_t k = 0; k < rank; k++)
            if (out[k].t == out[i].t) out[i].flat_at[out[k].flat_of] = k;
    }
}

bool nest_slots(nest *z, const term *access, uint32_t rank, slot *out) {
    spread sp;
    if (rank > MAX_RANK || access->count > MAX_RANK) return nest_fail(z, access->at, "too many dims");
    if (!measure(z, access, rank, &sp))
        return nest_fail(z, access->at, "`%s` does not have %s", access->name, COUNTED(rank, "dim"));
    memset(out, 0, rank * sizeof *out);
    for (uint32_t i = 0; i < access->count; i++) {
        if (!access->place[i].placed) continue;
        for (int32_t k = 0; k < sp.size[i]; k++) {
            int64_t at = place_at(z, &access->place[i], (uint32_t)k, rank);
            if (at < 0 || at >= rank) return nest_fail(z, access->at, "`%s` has no dim %d", access->name, (int)at);
            out[at] = slot_of(z, access->in[i], k + sp.skip[i], sp.size[i]);
        }
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < access->count; i++)
        for (int32_t k = 0; k < sp.size[i] && !access->place[i].placed; k++) {
            while (next < rank && out[next].t) next++;
            if (next == rank) return nest_fail(z, access->at, "`%s` has only %s", access->name, COUNTED(rank, "dim"));
            out[next] = slot_of(z, access->in[i], k + sp.skip[i], sp.size[i]);
        }
    place_flat(z, rank, out);
    return true;
}

int32_t nest_plain(nest *z, const slot *s) {
    if (s->t->kind != TERM_NAME && s->t->kind != TERM_GROUP) return -1;
    const comp_index *i = nest_index(z, s->t->name);
    if (!i || i->dropped) return -1;
    return (int32_t)i->first + (i->group ? s->element : 0);
}

// --- Extents.
static void number_elements(nest *z) {
    arena *mem = z->p->mem;
    for (uint32_t i = 0; i < z->index.len; i++) {
        comp_index *index = &z->index.at[i];
        index->first = z->element.len;
        for (int32_t k = 0; k < index->len; k++) {
            index_element e = {.name = index->group ? arena_format(mem, "%s%d", index->name, (int)k) : index->name};
            e.var = expr_new_var(z->p->s, arena_format(mem, "v_%s", e.name), DTYPE_OF(I64));
            VEC_PUSH(mem, &z->element, e);
        }
    }
}

// The target decides; among values a dim of 1 gives way, since it may be the one that is repeated.
static void learn_extent(nest *z, const term *access, bool target) {
    const comp_tensor *t = nest_tensor(z, access);
    slot slots[MAX_RANK];
    if (!t || !nest_slots(z, access, t->rank, slots)) return;
    for (uint32_t i = 0; i < t->rank; i++) {
        int32_t k = nest_plain(z, &slots[i]);
        if (k < 0) continue;
        index_element *e = &z->element.at[k];
        if (e->extent && !(e->from_value && is_one(z->p, e->extent))) continue;
        e->extent = t->dim[i];
        e->from_value = !target;
    }
}

static void learn_ranges(nest *z) {
    for (uint32_t i = 0; i < z->index.len; i++) {
        const comp_index *index = &z->index.at[i];
        for (int32_t k = 0; k < index->len && index->range; k++)
            z->element.at[index->first + (uint32_t)k].extent =
                nest_value(z, index->range, index->group ? k : -1, DTYPE_OF(I64));
    }
}

// An index without an extent is most often an operand whose value the call does not show.
static bool fail_extent(nest *z, const char *name) {
    const op *o = z->p->n->op;
    for (uint32_t i = 0; i < op_inputs(o); i++)
        if (o->input[i].kind == INPUT_PRIM && strcmp(o->input[i].name, name) == 0)
            return nest_fail(z, (loc){0}, "the value of `%s` must be known", name);
    return nest_fail(z, z->st->target->at, "nothing says how far `%s` runs", name);
}

static bool learn_extents(nest *z) {
    learn_ranges(z);
    for (uint32_t i = 0; i < z->access.len; i++) learn_extent(z, z->access.at[i], i == 0);
    for (uint32_t i = 0; i < z->index.len && !z->failed; i++)
        for (int32_t k = 0; k < z->index.at[i].len; k++)
            if (!z->element.at[z->index.at[i].first + (uint32_t)k].extent) return fail_extent(z, z->index.at[i].name);
    return !z->failed;
}

// --- Order: as the target's dims, then as the value mentions them.
static bool reads_tensor(const term *t) {
    if (t->kind == TERM_ACCESS) return true;
    for (uint32_t i = 0; i < t->count; i++)
        if (reads_tensor(t->in[i])) return true;
    return false;
}

// Order of first use; an element that the left side has is spatial, whatever the right side does with it.
static void use(nest *z, uint32_t k, bool spatial) {
    index_element *e = &z->element.at[k];
    if (e->used) return;
    e->used = true;
    e->spatial = spatial;
    VEC_PUSH(z->p->mem, &z->order, k);
}

static void use_all(nest *z, const term *t, int32_t one, bool spatial) {
    const comp_index *i = t->kind == TERM_NAME || t->kind == TERM_GROUP ? nest_index(z, t->name) : NULL;
    if (i && one >= 0 && i->group) use(z, i->first + (uint32_t)one, spatial);
    for (int32_t k = 0; i && (one < 0 || !i->group) && k < i->len; k++) use(z, i->first + (uint32_t)k, spatial);
    for (uint32_t k = 0; k < t->count; k++) use_all(z, t->in[k], t->kind == TERM_ACCESS ? -1 : one, spatial);
}

static bool order_elements(nest *z) {
    const comp_tensor *t = nest_tensor(z, z->st->target);
    uint32_t rank = t ? t->rank : nest_written_rank(z, z->st->target);
    slot slots[MAX_RANK];
    if (!nest_slots(z, z->st->target, rank, slots)) return false;
    for (uint32_t i = 0; i < rank; i++)
        if (!reads_tensor(slots[i].t)) use_all(z, slots[i].t, slots[i].element, true);
    for (uint32_t i = 0; i < rank; i++) use_all(z, slots[i].t, slots[i].element, false);
    use_all(z, z->st->value, -1, false);
    if (z->st->where) use_all(z, z->st->where, -1, false);
    return true;
}

// `k in e` for indices that stand at no dim of their own.
static void take_range(nest *z, const statement *r) {
    comp_index *i = nest_index(z, r->target->name);
    if (!i) return;
    i->range = r->value;
    const compute_name *c = r->value->kind == TERM_NAME ? text_map_find(&z->p->constants, r->value->name) : NULL;
    if (c && c->is_list) i->len = (int32_t)c->count;
}

bool nest_indices(nest *z, const statement *const *spans, uint32_t span_count) {
    collect(z, z->st->target);
    collect(z, z->st->value);
    if (z->st->where) collect(z, z->st->where);
    for (uint32_t i = 0; i < span_count; i++) take_range(z, spans[i]);
    learn_lengths(z);
    if (z->failed) return false;
    number_elements(z);
    return learn_extents(z) && order_elements(z);
}
