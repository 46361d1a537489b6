// canon.h - the table of canonical forms of a session, and floor division of sums. For the files of expr/ alone.
#ifndef EXPR_CANON_H
#define EXPR_CANON_H
#include "expr/poly.h"
#include "expr/prove.h"
#include "expr/session.h"

enum {
    NODE_DATA = 1,    // holds a load or a value from floats: its arithmetic wraps, so that canon leaves it as it is
    NODE_EFFECT = 2,  // holds a call with an effect: not even equal to itself
    NODE_PARTIAL = 4, // may have no value: holds a division by what may be zero, a load, a call
    NODE_SETTLED = 8,
};

typedef struct canon_entry {
    const poly *sum;  // of index expressions; NULL: not computed
    const expr *form; // NULL: not computed, or not yet rendered from the sum
    uint32_t cost;    // 0: not computed
    uint8_t flags;    // NODE_…
} canon_entry;

// Entries by node id, in chunks that stay where they are.
enum { CANON_CHUNK_BITS = 10, CANON_CHUNK = 1 << CANON_CHUNK_BITS };
struct canon_table {
    canon_entry **chunk;
    uint32_t chunks;
    expr_list stack;              // nodes that wait for their operands
    map ranges;                   // MAP_KEY(atom or product) -> range *, without facts
    const struct rule_set *rules; // rules.c; NULL until first used
};

canon_entry *canon_add_chunk(expr_session *s, const expr *e); // helper of canon_at
static inline canon_entry *canon_at(expr_session *s, const expr *e) {
    struct canon_table *t = s->canon;
    uint32_t chunk = e->id >> CANON_CHUNK_BITS;
    if (!t || chunk >= t->chunks || !t->chunk[chunk]) return canon_add_chunk(s, e);
    return &t->chunk[chunk][e->id & (CANON_CHUNK - 1)];
}

// The canonical sum of an index expression (expr_is_index).
const poly *canon_sum(expr_session *s, const expr *e);
// The sum 1 * atom, and from now on the canonical sum of that node. Not for a % b, which is held as a difference.
const poly *canon_monomial(expr_session *s, const expr *atom);
const expr *canon_form(expr_session *s, const poly *p); // the canonical expression of a canonical sum
// The same value with a - b * (a // b) folded to a % b, where that leaves fewer terms.
const poly *canon_folded(expr_session *s, const poly *p);
void fold_mods(expr_session *s, poly_sum *p);
// int32 and int64 scalars: arithmetic does not wrap.
static inline bool canon_is_exact(dtype type) {
    return (type.kind == DTYPE_I64 || type.kind == DTYPE_I32) && type.lanes <= 1;
}
bool canon_has_effect(expr_session *s, const expr *e);
bool canon_is_partial(expr_session *s, const expr *e);

// out += k * (a // b) and out += k * (a % b), canonical; facts may be NULL.
void add_quotient(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k, const facts *f);
void add_remainder(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k, const facts *f);
// The operands of nested minima (or maxima) of canonical sums; false when there are more than EXTREMUM_MAX.
enum { EXTREMUM_MAX = 16 };
typedef struct extremum {
    expr_op op; // EXPR_MIN or EXPR_MAX
    uint32_t count;
    const poly *operand[EXTREMUM_MAX];
} extremum;
bool extremum_gather(expr_session *s, extremum *x, const poly *operand);
// out += k * the extremum.
void add_extremum(expr_session *s, poly_sum *out, const extremum *x, int64_t k, const facts *f);

// The number of nodes of e as a tree, divisions counted threefold; saturates.
uint32_t canon_cost(expr_session *s, const expr *e);
#endif
