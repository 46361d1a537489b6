// two_phases.h - two programs of which the second reads what the first one gives, as one; for MergeLaunches.
#ifndef PASS_TWO_PHASES_H
#define PASS_TWO_PHASES_H
#include "pass/programs.h"

// The attribute of a merged program that names what its first phase was: profilers show the phases apart.
#define FIRST_PHASE_ATTR "relax.first_phase"

// What takes the place of two programs: the inputs of the first one, then all parameters of the second one.
typedef struct two_phases {
    const loop_func *func; // in the module; NULL: they stay two
    uint32_t inputs;
    const uint32_t *input; // parameters of the first program that it reads
} two_phases;

// `second` is a dispatcher; `to` says for each parameter of `first` which parameter of `second` is the tensor that it
// writes there, NO_PARAMETER for what it reads. Where the programs allow it, puts into the module the program for few
// rows and the dispatcher that chooses it.
void two_phases_for_few(module *m, fresh_names *names, const loop_func *first, const loop_func *second,
                        const uint32_t *to, two_phases *out);
#endif
