// session.h - the inside of a session, for the files of expr/ alone.
#ifndef EXPR_SESSION_H
#define EXPR_SESSION_H
#include "expr/expr.h"

struct expr_session {
    arena *mem;
    text_map names;
    // Interning: open addressing over nodes by content.
    const expr **slot;
    uint32_t slots, len; // len is also the next node id
    uint32_t vars;       // the next variable id
    // Side tables of other files, indexed by node id, grown by their owners; zero until first use.
    struct canon_table *canon; // canon.c
};
#endif
