// session.c - an expression session: where nodes live, and the table that makes equal ones the same pointer.
#include "expr/session.h"
#include <assert.h>
#include <string.h>

// A power of two. At most half of the slots are taken, so a probe is short even where hashes cluster.
enum { FIRST_SLOTS = 1024 };

// ---- where nodes lie ----

// The index of a new block.
static uint32_t add_block(expr_session *s, size_t words) {
    node_pool *p = &s->nodes;
    CHECK(p->blocks < UINT32_MAX >> NODE_BLOCK_BITS);
    if (p->blocks == p->room) {
        uint32_t room = p->room ? p->room * 2 : 16;
        p->block = arena_grow(s->mem, p->block, p->room * sizeof *p->block, room * sizeof *p->block);
        p->room = room;
    }
    p->block[p->blocks] = ARENA_NEW(s->mem, uint64_t, words);
    return p->blocks++;
}

// A node's room; its place goes to *place. What is left of a full block is lost: less than a node in a hundred.
static void *new_node(expr_session *s, size_t bytes, uint32_t *place) {
    node_pool *p = &s->nodes;
    size_t words = (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    if (words > NODE_BLOCK) {
        uint32_t own = add_block(s, words);
        *place = own << NODE_BLOCK_BITS;
        return p->block[own];
    }
    if (words > NODE_BLOCK - p->used) {
        p->open = add_block(s, NODE_BLOCK);
        p->used = 0;
    }
    *place = p->open << NODE_BLOCK_BITS | p->used;
    void *at = p->block[p->open] + p->used;
    p->used += (uint32_t)words;
    return at;
}

static const expr *node_at(const expr_session *s, uint32_t place) {
    return (const expr *)(const void *)(s->nodes.block[place >> NODE_BLOCK_BITS] + (place & (NODE_BLOCK - 1)));
}

// ---- sessions ----

// The session lives in its own arena.
expr_session *expr_open(void) {
    arena *mem = arena_new();
    expr_session *s = ARENA_NEW(mem, expr_session, 1);
    s->mem = mem;
    s->names = TEXT_MAP_IN(mem);
    s->slots = FIRST_SLOTS;
    s->table = arena_new();
    s->slot = ARENA_NEW(s->table, expr_slot, s->slots);
    add_block(s, NODE_BLOCK);
    s->nodes.used = 1; // place 0 is none
    return s;
}

// Nodes and everything computed from them die together.
void expr_close(expr_session *s) {
    if (!s) return;
    arena_free(s->table);
    arena_free(s->mem);
}

arena *expr_arena(expr_session *s) { return s->mem; }

uint32_t expr_count(const expr_session *s) { return s->len; }

uint32_t expr_var_count(const expr_session *s) { return s->vars; }

const char *expr_name(expr_session *s, const char *bytes, size_t size) { return text_intern(&s->names, bytes, size); }

// Multiplication by an odd constant moves information up, the shift brings it down again.
static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

// From ids, not addresses: the same program hashes alike on every run.
static uint32_t content_hash(const expr *key, uint64_t payload, const expr *const *in) {
    uint64_t h =
        mix((uint64_t)key->op << 40 ^ (uint64_t)key->type.kind << 32 ^ (uint64_t)key->type.lanes << 16 ^ key->count,
            payload);
    for (uint32_t i = 0; i < key->count; i++) h = mix(h, in[i]->id);
    h ^= h >> 32;
    return (uint32_t)h;
}

// The payload as it was given to expr_intern.
static uint64_t payload_of(const expr *e) {
    uint64_t payload;
    memcpy(&payload, e->op == EXPR_FLOAT ? (const void *)e->in : (const void *)&e->as, sizeof payload);
    return payload;
}

double expr_written(const expr *e) {
    CHECK(e->op == EXPR_FLOAT);
    double written;
    memcpy(&written, e->in, sizeof written);
    return written;
}

// Operands are interned already, so comparing their addresses compares them wholly.
static bool same_content(const expr *e, const expr *key, uint64_t payload, const expr *const *in) {
    if (e->op != key->op || !dtype_equal(e->type, key->type) || e->count != key->count || payload_of(e) != payload)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->in[i] != in[i]) return false;
    return true;
}

// The hashes are kept in the table, so that no node is touched.
static void grow(expr_session *s) {
    uint32_t slots = s->slots * 2;
    arena *table = arena_new();
    expr_slot *slot = ARENA_NEW(table, expr_slot, slots);
    for (uint32_t i = 0; i < s->slots; i++) {
        if (!s->slot[i].place) continue;
        uint32_t at = s->slot[i].hash & (slots - 1);
        while (slot[at].place) at = (at + 1) & (slots - 1);
        slot[at] = s->slot[i];
    }
    arena_free(s->table);
    s->table = table;
    s->slot = slot;
    s->slots = slots;
}

// The payload in the node is rounded; the written one lies behind the node.
static void keep_float(expr *e, uint64_t written) {
    memcpy(e->in, &written, sizeof written);
    e->as.fval = dtype_round(e->type, e->as.fval);
}

// The arena gives zeroed memory, so what is not set (padding, the rest of the union) compares equal.
static const expr *add_node(expr_session *s, const expr *key, uint64_t payload, const expr *const *in,
                            uint32_t *place) {
    size_t behind = key->op == EXPR_FLOAT ? sizeof payload : key->count * sizeof in[0];
    expr *e = new_node(s, sizeof *e + behind, place);
    CHECK(s->len < UINT32_MAX);
    e->op = key->op;
    e->type = key->type;
    e->id = s->len++;
    e->count = key->count;
    memcpy(&e->as, &payload, sizeof payload);
    for (uint32_t i = 0; i < key->count; i++) e->in[i] = in[i];
    if (key->op == EXPR_FLOAT) keep_float(e, payload);
    return e;
}

const expr *expr_intern(expr_session *s, expr_op op, dtype type, expr_payload as, const expr *const *in,
                        uint32_t count) {
    static_assert(sizeof(expr_payload) == sizeof(uint64_t), "a payload is one word");
    if (!type.lanes) type = dtype_vector(type, 1); // one spelling of scalars
    expr key = {.op = (uint8_t)op, .type = type, .count = count};
    uint64_t payload;
    memcpy(&payload, &as, sizeof payload);
    if (s->len >= s->slots / 2) grow(s);
    uint32_t hash = content_hash(&key, payload, in), at = hash & (s->slots - 1);
    for (; s->slot[at].place; at = (at + 1) & (s->slots - 1)) {
        if (s->slot[at].hash != hash) continue;
        const expr *known = node_at(s, s->slot[at].place);
        if (same_content(known, &key, payload, in)) return known;
    }
    s->slot[at].hash = hash;
    return add_node(s, &key, payload, in, &s->slot[at].place);
}
