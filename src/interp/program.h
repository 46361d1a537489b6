// program.h - a loop program compiled for the interpreter: instructions over registers, and what they refer to.
//
// A register holds one scalar; vectors are taken apart into lanes. A slot holds a view: where a buffer lies now. All of
// it is immutable once compiled and lives in the run's arena.
#ifndef INTERP_PROGRAM_H
#define INTERP_PROGRAM_H
#include "interp/run.h"

typedef enum code {
#define CODE(NAME, meaning) CODE_##NAME,
#include "interp/code.def"
} code;

typedef struct instr {
    uint16_t code, x;
    uint32_t a, b, c;
} instr;

static const uint32_t NO_REGISTER = UINT32_MAX, NO_SLOT = UINT32_MAX;

// One element of a buffer. In a buffer of vectors, `lane` of the element.
typedef struct access {
    uint32_t slot, lane;
    const uint32_t *index; // registers, buf->rank of them
    const buffer *buf;
} access;

enum { APPLY_MAX_OPERANDS = 8 };
// An operation that has no instruction of its own.
typedef struct applied {
    const expr *e;
    const uint32_t *in; // registers
} applied;

typedef enum setup_how {
    SETUP_PARAM, // the memory of parameter `from`
    SETUP_NEW,   // new memory, unwritten
    SETUP_OVER,  // the memory of slot `from`
    SETUP_MATCH, // a box of the view in slot `from`
} setup_how;

typedef struct setup {
    setup_how how;
    const buffer *buf;
    uint32_t slot, from;
    const uint32_t *dim;    // registers, buf->rank of them
    const uint32_t *stride; // registers; NULL: compact (MATCH: those of the source)
    uint32_t offset;        // register, in elements; NO_REGISTER: 0
    const uint32_t *box;    // MATCH: minimum of each dim of the source
    uint32_t box_rank;
    const uint32_t *stride_out; // MATCH: registers that get the strides; NO_REGISTER where none does. NULL: none at all
    uint32_t offset_out;        // MATCH: register that gets the offset; NO_REGISTER: none
    bool shared;                // one for all threads of a block
    bool per_thread;            // NEW outside of the threads: each gets its own
} setup;

typedef struct call_arg {
    enum { ARG_SCALAR, ARG_BUFFER, ARG_STRING } kind;
    dtype type;      // SCALAR; BUFFER: of a described array, void: the view as it is
    uint32_t at;     // SCALAR: register; BUFFER: slot
    uint32_t offset; // BUFFER: register, elements from the view's start; NO_REGISTER: the whole view
    uint32_t rank;   // of a described array
    const uint32_t *dim;
    const char *text;
} call_arg;

typedef struct call {
    const char *name;
    const loop_func *func; // NULL: an external
    const call_arg *arg;
    uint32_t args, result; // register; NO_REGISTER: none
    dtype type;            // of the result
} call;

// The threads of a block: tags x, y, z.
typedef struct fork {
    uint32_t extent[3]; // registers; NO_REGISTER: the tag is not used
    uint32_t tag[3];    // registers that hold each thread's index
    uint32_t end;       // instruction behind
} fork;

// What a BARRIER waits for: the block, the 32 threads of a warp; or (between two launches inside a block that no
// barrier separates in the text) those that come by.
typedef enum barrier_kind { BARRIER_BLOCK, BARRIER_WARP, BARRIER_IMPLICIT } barrier_kind;
typedef enum in_range_kind { IN_RANGE_ITER, IN_RANGE_THREADS } in_range_kind;

typedef struct program {
    const loop_func *f;
    const instr *code;
    const stmt *const *origin; // of each instruction; NULL: the signature
    uint32_t regs, slots, constants;
    const uint32_t *constant_reg;
    const scalar *constant;
    const access *access;
    const applied *applied;
    const setup *setup;
    const call *call;
    const fork *fork;
    const uint32_t *param_reg; // of scalar parameters; NO_REGISTER: a buffer
} program;

// Compiles f once per run. NULL after reporting.
const program *interp_program(run *r, const loop_func *f);
#endif
