// programs.h - what passes ask of loop programs and their calls: phases, workspaces, what symbols are worth at a call.
#ifndef PASS_PROGRAMS_H
#define PASS_PROGRAMS_H
#include "pass/support.h"

// The root block of a program, NULL if it has none; *body is what stands inside (or the whole body).
const block *program_root(const loop_func *f, const stmt **body);
// The top-level statements of a body: those of its sequence, or (*out NULL) the one that it is.
uint32_t program_phases(const stmt *body, const stmt *const **out);
bool phase_is_parallel(const stmt *phase);
// A program whose body is calls of other programs or of library functions, maybe under conditions.
bool is_dispatcher(const loop_func *f);
// A program that copies each element of its one input to the same place in row-major order of its output.
bool program_is_view(module *m, const loop_func *f);
// Do no two calls of a dispatcher that can happen in one run use parameter a and parameter b?
bool dispatch_excludes(const loop_func *f, uint32_t a, uint32_t b);
bool is_program_call(const stmt *st); // EVALUATE of cls.f(...)
bool is_packed_call(const expr *e);   // T.call_packed, T.call_cpacked

// The buffers a statement loads from, stores to or names in match_buffer, as keys with any non-NULL value.
void used_buffers(arena *mem, const stmt *st, map *out);

// Which parameters a program writes: one flag per parameter, from the module's arena. Of a dispatcher, what any of the
// programs it calls writes; library functions are taken to write all they are given.
const bool *program_writes(module *m, const loop_func *f);

// What the program's symbols (dims and scalar parameters) are worth for the dims and values of arguments, one per
// parameter; *worth maps MAP_KEY(var) -> const expr *. False where the arguments contradict the program.
typedef struct program_arg {
    const expr *const *dim; // of a buffer parameter
    const expr *value;      // of a scalar parameter
} program_arg;
bool program_worth(expr_session *s, arena *mem, const loop_func *f, const program_arg *arg, map *worth);
// The same for a call within the program f, such as a dispatcher, in f's symbols; where arguments contradict the
// callee, what is known so far.
map program_worth_passed(module *m, const loop_func *f, const loop_func *callee, const expr *call);

#define NO_PARAMETER UINT32_MAX
// Which parameter with a buffer an argument of such a call passes on, by its handle or its elements' variable.
uint32_t program_passes(const loop_func *f, const expr *argument);
#endif
