// verify_access.c - the rule that a program stays inside its memory, as far as the contrary can be proved.
#include "loop/access.h"
#include "loop/verify.h"

bool loop_verify_access(const loop_func *f, expr_session *s, diag *d) {
    uint32_t errors = d->errors;
    arena *mem = arena_new();
    doubt_list doubts = {0};
    loop_find_doubts(s, mem, f, &doubts);
    for (uint32_t i = 0; i < doubts.len; i++) {
        const access_doubt *one = &doubts.at[i];
        loc at = loop_place(f, one->at);
        if (one->wrong) diag_error(d, at, "%s: %s %s", f->name, one->what, one->wrong);
    }
    arena_free(mem);
    return d->errors == errors;
}
