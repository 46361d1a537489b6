// verify_inside.h - what the files of the graph verifier share; for verify*.c alone.
#ifndef GRAPH_VERIFY_INSIDE_H
#define GRAPH_VERIFY_INSIDE_H
#include "graph/verify.h"

// One function being checked; closures link to the function around them.
typedef struct frame {
    const graph_func *f;
    uint32_t *scope; // by node id: number of the scope the value is visible in; 0: not defined yet
    struct frame *outer;
} frame;

typedef struct donation {
    const node *memory, *call;
} donation;

typedef struct verifier {
    const module *m;
    diag *d;
    arena *mem;     // dies with the verification
    frame *frame;   // innermost function
    VEC(bool) open; // by scope number: is it still open? Number 0 is never used
    uint32_t scope; // the one being filled
    bool dataflow;  // inside a dataflow block
    bool forms;     // no proofs about what loop programs access
    map vars;       // MAP_KEY(symbolic variable) -> scope number
    map owners;     // MAP_KEY(symbolic variable) -> function that defines it, over the whole module
    facts *facts;
    map donated;                    // MAP_KEY(value) -> the call that took it over; NULL: not any more
    VEC(struct donation) donations; // in order
} verifier;

// --- Scopes (verify_scope.c).
void verifier_enter(verifier *v, uint32_t *before); // opens a scope
void verifier_leave(verifier *v, uint32_t before);
bool verifier_sees(const verifier *v, const node *n); // is the value visible here?
void verifier_define(verifier *v, const node *n);     // reports a second definition
// Variables that occur alone in the annotation (as a dim or a value) become defined.
void verifier_define_vars(verifier *v, const ann *a);
// Reports the first variable of `a` that is not visible; `what` says where it stands. Callables have variables of their
// own.
bool verifier_check_vars(verifier *v, loc at, const char *what, const ann *a);
bool verifier_check_sizes(verifier *v, loc at, const char *what, const ann *a); // no dim is provably below 0
bool verifier_check_expr(verifier *v, loc at, const char *what, const expr *e);

// --- Rules about one bound node (verify_node.c), in order.
void verify_node_rules(verifier *v, const node *n);
void verify_use(verifier *v, const node *user, const node *n); // the rule about operands, for results too
// --- Linear use of donated values (verify_donated.c).
void verify_donated_use(verifier *v, const node *user, const node *n); // as operand or result
void verify_donation(verifier *v, const node *call);
uint32_t verify_donation_mark(const verifier *v);
void verify_donation_undo(verifier *v, uint32_t mark); // for the other branch
void verify_donation_redo(verifier *v, uint32_t from, uint32_t to);
// --- Functions return (verify_return.c): reports those that call themselves on every path, by way of others or not.
void verify_returns(const module *m, arena *mem, diag *d);
#endif
