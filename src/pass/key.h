// key.h - what a binding computes, as text: equal texts mean equal values.
//
// Values are known by identity (the address of their node), expressions too (they are interned), so the text serves to
// look things up within one run; it is never printed or sorted.
#ifndef PASS_KEY_H
#define PASS_KEY_H
#include "pass/support.h"

// Which nodes stand for others: MAP_KEY(node) -> const node *, looked up in both maps until neither has one.
typedef struct stand_ins {
    const map *same, *local; // NULL: none
} stand_ins;
// Adds the key of what node n is (operator, attributes, operands, annotations it states). False where nothing can be
// said: an effect, new memory, an `if`, a closure.
bool key_node(text *out, const node *n, stand_ins by);
#endif
