// session.h - the inside of a session, for the files of expr/ alone.
#ifndef EXPR_SESSION_H
#define EXPR_SESSION_H
#include "expr/expr.h"

typedef struct expr_slot {
    const expr *e; // NULL: free
    uint32_t hash;
} expr_slot;

struct expr_session {
    arena *mem;
    text_map names;
    // Interning: open addressing over nodes by content; the hash is kept so that a probe rarely touches a node.
    expr_slot *slot;
    uint32_t slots, len; // len is also the next node id
    uint32_t vars;       // the next variable id
    // Side tables of other files, indexed by node id, grown by their owners; zero until first use.
    struct canon_table *canon;     // canon.c
    struct replace_table *replace; // subst.c
};

// The payload of a node: the same word as the union in expr. Pointers are the text, variable, intrinsic or buffer.
typedef union expr_payload {
    int64_t ival;
    double fval;
    const void *pointer;
} expr_payload;

// The one node with this content. Of EXPR_FLOAT fval is as written; the node gets it rounded, and the written one
// behind itself, where other nodes have operands. Operands must be of this session. No checks: the builders make them.
const expr *expr_intern(expr_session *s, expr_op op, dtype type, expr_payload as, const expr *const *in,
                        uint32_t count);
#endif
