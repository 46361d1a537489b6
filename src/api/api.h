// api.h - what stands behind the handles of relax/compiler.h; for the files of api/ alone.
#ifndef API_API_H
#define API_API_H
#include "driver/driver.h"
#include "relax/compiler.h"

// Diagnostics live from the start of one call to the start of the next.
struct rx_session {
    uint32_t users; // the caller, modules, builders: the last to go frees it
    bool colour;
    arena *mem; // of the last call's diagnostics
    diag *d;
    const char *report; // NULL: not printed yet
};

// A module keeps the text it was read from: places in it are shown by later diagnostics.
struct rx_module {
    rx_session *session;
    arena *mem; // of the text and of bounds
    source text;
    module *m;
    char *shown; // malloc'd: what the last call on the module returned
};

// Every call that can say something begins with this: forgets what the last one said.
diag *api_begin(rx_session *s);
// A call that got NULL for `what`. RX_INVALID_ARGUMENT.
rx_status api_refuse(rx_session *s, const char *what);
// RX_OK if nothing was reported as an error, else what the machine refused, or RX_INVALID_ARGUMENT.
rx_status api_end(const rx_session *s);
// A text goes: diagnostics that point into it are printed while it is there, and keep its name.
void api_forget(rx_session *s, const source *gone);
void api_forget_all(rx_session *s); // the same for all that they point into
// Keeps a copy of the text as the answer of this call.
const char *api_show(rx_module *m, const char *bytes, size_t size);
#endif
