// compile.h - the inside of compilation of loop programs, for compile*.c alone.
#ifndef INTERP_COMPILE_H
#define INTERP_COMPILE_H
#include "interp/program.h"

enum { COMPILE_MAX_DEPTH = 1500, COMPILE_MAX_CODE = 1 << 22 };

// A value that was computed already. It may be used again while its scope is open and, if it was loaded from memory,
// nothing can have been written since.
typedef struct known_value {
    const expr *e;
    uint32_t lane, reg, scope, version, epoch;
    bool reads;
} known_value;

// The threads of a block, while their region is compiled.
typedef struct thread_region {
    bool on;
    const expr *extent[3]; // NULL: the tag is not used
    uint32_t extent_reg[3], tag_reg[3];
    unsigned open[3]; // loops over the tag around the current statement
} thread_region;

typedef struct compiler {
    run *r;
    arena *mem;
    expr_session *s;
    const loop_func *f;
    program *p;
    const stmt *at; // being compiled
    bool failed;
    unsigned depth;
    VEC(instr) code;
    VEC(const stmt *) origin;
    VEC(uint32_t) constant_reg;
    VEC(scalar) constant;
    VEC(access) access;
    VEC(applied) applied;
    VEC(setup) setup;
    VEC(call) call;
    VEC(fork) fork;
    map vars;       // MAP_KEY(var) -> register + 1, of lane 0
    map buffers;    // MAP_KEY(buffer) -> slot + 1
    map handles;    // MAP_KEY(handle variable) -> slot + 1
    map over;       // MAP_KEY(handle variable) -> buffer_vec *: undeclared buffers over it
    map known;      // -> known_value *
    map loops;      // MAP_KEY(var) -> counted_loop *
    VEC(bool) open; // scopes by number
    uint32_t scope, version, epoch;
    bool reads; // what is being compiled reads memory
    thread_region threads;
    VEC(uint32_t) breaks, continues; // jumps to be patched
    uint32_t loop_breaks, loop_continues;
    bool in_loop;
    bool only_inits; // of reductions without steps: the variables of their loops are these
    expr_list without_steps;
} compiler;

bool compile_fail(compiler *c, const char *format, ...) RX_PRINTF(2, 3); // reports once; false

uint32_t compile_emit(compiler *c, code what, uint32_t a, uint32_t b, uint32_t to); // its index
void compile_emit_x(compiler *c, code what, unsigned x, uint32_t a, uint32_t b, uint32_t to);
void compile_patch(compiler *c, uint32_t at); // its jump leads to what comes next
uint32_t compile_register(compiler *c, uint32_t count);
uint32_t compile_int(compiler *c, int64_t n);
uint32_t compile_bind(compiler *c, const expr *var); // a new register for it
void compile_set(compiler *c, const expr *var, uint32_t reg);
uint32_t compile_open(compiler *c); // returns the scope to go back to
void compile_close(compiler *c, uint32_t outer);
void compile_forget(compiler *c); // values loaded so far may be stale from here on

// One lane of an expression into a register.
uint32_t compile_value(compiler *c, const expr *e, uint32_t lane);
uint32_t *compile_list(compiler *c, const expr *const *e, uint32_t count);
const expr *compile_pair(compiler *c, expr_op how, const expr *a, const expr *b); // a after reporting
uint32_t compile_binary(compiler *c, expr_op how, const expr *a, const expr *b);  // of scalars
// The slot whose beginning a handle points to. False if that can't be told.
bool compile_handle(compiler *c, const expr *e, uint32_t *slot);
// A call with effects, for its value or (result void) without one.
uint32_t compile_call(compiler *c, const expr *e);
void compile_stmt(compiler *c, const stmt *st);
void compile_signature(compiler *c);

uint32_t compile_slot(compiler *c, const buffer *b); // NO_SLOT after reporting
uint32_t compile_access(compiler *c, const buffer *b, const uint32_t *index, uint32_t count, uint32_t lane);
void compile_setup(compiler *c, const setup *like);              // registers of dims, strides and offset are filled in
void compile_over(compiler *c, const expr *data, uint32_t slot); // buffers over memory that has just become known

// compile_threads.c
bool compile_thread_tag(const char *thread, unsigned *tag);
void compile_threads(compiler *c, const stmt *st, unsigned tag);
typedef struct counted_loop { // a loop as the parts share it
    const expr *var, *min, *extent;
    const stmt *body;
} counted_loop;
void compile_loop(compiler *c, const counted_loop *l);
#endif
