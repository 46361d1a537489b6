// calls_of.h - the private functions whose every use is a call, with those calls: the ones whose signature may change.
#ifndef PASS_CALLS_OF_H
#define PASS_CALLS_OF_H
#include "pass/support.h"

typedef struct call_site {
    const node *call;         // FORM_CALL
    const graph_func *caller; // the function of the module it stands in (maybe inside a closure)
} call_site;
typedef struct called {
    graph_func *f;
    VEC(call_site) site;
    bool escapes; // it is used otherwise than called
    void *plan;   // of the pass
} called;

// Private graph functions without the attributes Primitive and Codegen, by name -> called *.
text_map calls_of(module *m);
// Makes known that a function takes and gives something else from now on, before bodies are built that call it.
void change_signature(module *m, const graph_func *f, const ann *const *param, uint32_t params, const ann *result);
#endif
