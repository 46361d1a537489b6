// print_loop.h - what the files that print loop programs share.
#ifndef TEXT_PRINT_LOOP_H
#define TEXT_PRINT_LOOP_H
#include "text/printer.h"

typedef struct loop_printer {
    printer *p;
    map ranges;  // MAP_KEY(loop variable) -> the STMT_FOR
    map threads; // MAP_KEY(variable) -> non-NULL: a thread with a line of its own
} loop_printer;

void put_loop_expr(loop_printer *l, const expr *e);
void put_var_type(loop_printer *l, const expr *var, bool call);     // T.int64, T.handle("float32"); call: T.int64()
void put_end(loop_printer *l, const expr *min, const expr *extent); // min + extent, as a reader takes it apart again
void print_statement(loop_printer *l, const stmt *st);
void print_suite(loop_printer *l, const stmt *st); // indented; an empty one says pass
void print_sblock(loop_printer *l, const stmt *st);
void print_silent_view(loop_printer *l, const stmt *st); // the line of a T.Buffer(..., data=...) without its body
void print_block_body(loop_printer *l, const block *b, bool head); // head: its iteration variables and regions too
void put_buffer_arguments(loop_printer *l, const buffer *b, bool dtype_always); // (4, n), "float32", strides=...
bool is_plain_buffer(const buffer *b);                                          // nothing but dims and dtype to say
// Lines for the variables that nothing binds: n = T.int64(), bx = T.env_thread("blockIdx.x").
void print_free_variables(loop_printer *l, const loop_func *f);
#endif
