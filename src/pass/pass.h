// pass.h - the passes over modules: one file each, listed in pass.def; pipelines order them.
#ifndef PASS_PASS_H
#define PASS_PASS_H
#include "arch/arch.h"
#include "graph/build.h"

typedef struct pass_option {
    const char *name; // TVM's name for it
    const char *preset;
    const char *doc;
} pass_option;

// What a pass may use besides the module.
typedef struct pass_ctx {
    diag *d;
    const arch *target;  // never NULL
    const attr *options; // a dict of strings: what the user wrote after the pass's name; NULL: none
    bool named;          // the user named the pass: it always acts
} pass_ctx;

// Statements about the module that a pass may need to hold (contract.c); a well-formed module all of them do.
typedef enum pass_need {
    NEEDS_NO_DATAFLOW = 1,  // no dataflow blocks: ToNonDataflow
    NEEDS_EFFECTS = 2,      // functions may have effects: RemovePurityChecking
    NEEDS_DESTINATIONS = 4, // no R.call_tir, which allocates by itself: CallTIRRewrite
} pass_need;

enum { PASS_MAX_OPTIONS = 8 };
typedef struct pass {
    const char *name;                     // TVM's where it has it: "FuseOps"
    const char *doc;                      // one line: what it does
    pass_option option[PASS_MAX_OPTIONS]; // ends at the first NULL name
    uint32_t needs;                       // pass_need bits, checked before it runs
    bool erases;                          // dims from annotations: its result is for a machine that has them elsewhere
    // Rewrites *m. False after reporting, m is then unusable. Functions it does not touch are kept as they are.
    bool (*run)(module *m, const pass_ctx *c);
} pass;

#define PASS(name) extern const pass pass_##name;
#include "pass/pass.def"

const pass *pass_find(const char *name); // NULL if there is none
const pass *const *pass_all(uint32_t *count);
const char *pass_get(const pass_ctx *c, const pass *p, const char *option); // as written, or the preset

typedef struct pass_step {
    const pass *pass;
    const attr *options;
    bool named;
} pass_step;
typedef VEC(pass_step) pass_list;
// Reads "A:k=v;k=v,B", checked against the table. False after reporting (unknown names get the nearest one).
bool pass_parse(const char *spelling, arena *mem, pass_list *out, diag *d);
// A row of pipelines.def: "default", "legalize", …
bool pipeline_find(const char *name, arena *mem, pass_list *out, diag *d);

// The rows of pipelines.def, for listings: the name of row i with what it is for and its steps.
uint32_t pipeline_count(void);
const char *pipeline_name(uint32_t i, const char **doc, const char **steps);

// What happens after each step (printing, dumping, verifying, timing).
typedef struct pass_observer {
    bool verify;                                                                       // always on in debug builds
    void (*after)(void *user, const module *m, const pass_step *step, double seconds); // may be NULL
    void *user;
} pass_observer;
bool pass_run(module *m, const pass_list *steps, const arch *target, const pass_observer *o, diag *d); // o may be NULL
#endif
