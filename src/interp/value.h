// value.h - values inside of a run: shapes, strings, tuples and closures are shared by reference counts.
//
// A value owns one reference to what it points to. Values of the user have no counts: value_import and value_export
// copy at the border.
#ifndef INTERP_VALUE_H
#define INTERP_VALUE_H
#include "interp/run.h"

// A function as a value. Immutable.
typedef struct interp_closure {
    const char *name;       // for messages; of an external, its name
    const graph_func *func; // a graph function; NULL: not
    const loop_func *loop;  // a loop program; NULL: not. Neither: an external
    const node *self;       // the node that made the closure: its own name inside
    const node *const *captured;
    uint32_t captures;
    value *value;        // of each captured node
    value bound;         // R.make_closure: a tuple of the last arguments; NULL: none
    struct scope *scope; // symbolic variables around it; NULL: none
} interp_closure;

value value_keep(value v); // another reference
void value_drop(value *v); // gives one back; leaves VALUE_NULL

// New values; the caller's references of what they hold go into them. VALUE_NULL: out of memory.
value value_of_tensor(tensor *t);
value value_of_int(dtype type, int64_t i);
value value_of_dtype(dtype type);
value value_of_shape(const int64_t *dim, uint32_t rank);
value value_of_text(const char *bytes, size_t size);
value value_of_tuple(value *item, uint32_t count); // the items are moved
value value_of_closure(const interp_closure *like, void (*release)(interp_closure *c));

// Copies at the border. The count of items is bounded: false after reporting.
bool value_import(run *r, const value *from, value *to);
bool value_export(run *r, const value *from, arena *mem, value *to);

const char *value_describe(const value *v); // "a tensor"
// The one number in a prim value or a tensor with one element. False if it holds none.
bool value_number(const value *v, int64_t *out);
#endif
