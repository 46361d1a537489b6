// parse_graph.h - what the files that read graph functions share.
#ifndef TEXT_PARSE_GRAPH_H
#define TEXT_PARSE_GRAPH_H
#include "text/reader.h"

typedef VEC(const char *) name_list;

// The branch of an `if` that is being read: its last binding is its value.
typedef struct branch {
    bool otherwise;   // the else branch
    const char *name; // bound last; NULL: nothing yet
    const node *result;
} branch;

// Names bound since `mark` that the block doesn't put out are visible no more.
void leave_dataflow(reader *r, uint32_t mark, const binding_block *closed);
void read_assignment(reader *r);                                // from its first name on
value read_item(reader *r, const value *tuple, uint32_t index); // postfix.c
#endif
