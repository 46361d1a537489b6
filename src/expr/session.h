// session.h - the inside of a session, for the files of expr/ alone.
#ifndef EXPR_SESSION_H
#define EXPR_SESSION_H
#include "expr/expr.h"

// Interning: open addressing over nodes by content. Eight bytes a slot keep the table of a large session in the caches;
// the hash is kept so that a probe rarely touches a node.
typedef struct expr_slot {
    uint32_t hash;
    uint32_t place; // of the node: block << NODE_BLOCK_BITS | word; 0: free
} expr_slot;

// Nodes lie one after another in blocks of words, not in the arena's units: most nodes are five words.
enum { NODE_BLOCK_BITS = 12, NODE_BLOCK = 1 << NODE_BLOCK_BITS };
typedef struct node_pool {
    uint64_t **block; // NODE_BLOCK words each; a node that is larger has a block of its own
    uint32_t blocks, room;
    uint32_t open, used; // the block that is filled, and how many of its words are taken
} node_pool;

struct expr_session {
    arena *mem;
    text_map names;
    arena *table; // holds `slot` alone, so that an outgrown table is given back
    expr_slot *slot;
    uint32_t slots, len; // len is also the next node id
    node_pool nodes;
    uint32_t vars; // the next variable id
    // Side tables of other files, indexed by node id, grown by their owners; zero until first use.
    struct canon_table *canon;     // canon.c
    struct replace_table *replace; // subst.c
    uint32_t *asking;              // prove.c: steps left of the question being answered; NULL: none is
    uint32_t given_up;             // prove.c: questions that were given up for want of steps
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
