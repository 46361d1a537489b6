// call_order.h - the functions of a module by who calls whom.
#ifndef PASS_CALL_ORDER_H
#define PASS_CALL_ORDER_H
#include "pass/support.h"

typedef struct call_order {
    word_list name;     // callees before their callers, except around a cycle
    text_map recursive; // names of functions that can come back to themselves
} call_order;
// Iterative: chains of calls may be as long as the module. n log n.
call_order call_order_of(const module *m);
#endif
