// session.c - sessions of the compiler's library, and what the last call had to say.
#include "api/api.h"
#include "base/text.h"
#include "base/versions.h"
#include <stdlib.h>
#include <string.h>

const char *rx_compiler_version(void) { return RELAX_VERSION; }

rx_status rx_session_new(const rx_session_options *options, rx_session **out) {
    static const struct_versions versions = {"rx_session_options", {sizeof(rx_session_options)}};
    rx_session_options o;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!struct_read(&versions, &o, options, NULL)) return RX_INVALID_ARGUMENT;
    rx_session *s = calloc(1, sizeof *s);
    if (!s) return RX_OUT_OF_MEMORY;
    s->users = 1;
    s->colour = o.colour != 0;
    api_begin(s);
    *out = s;
    return RX_OK;
}

void rx_session_release(rx_session *s) {
    if (!s || --s->users) return;
    arena_free(s->mem);
    free(s);
}

diag *api_begin(rx_session *s) {
    arena_free(s->mem);
    s->mem = arena_new();
    s->d = diag_new(s->mem);
    s->report = NULL;
    return s->d;
}

rx_status api_refuse(rx_session *s, const char *what) {
    diag_error(api_begin(s), (loc){0}, "want %s, got NULL", what);
    return RX_INVALID_ARGUMENT;
}

rx_status api_end(const rx_session *s) {
    if (!s->d->errors) return RX_OK;
    return s->d->refused == RX_OK ? RX_INVALID_ARGUMENT : s->d->refused;
}

void api_forget(rx_session *s, const source *gone) {
    source *name = ARENA_NEW(s->mem, source, 1);
    name->name = arena_copy(s->mem, gone->name, strlen(gone->name));
    rx_session_report(s);
    for (uint32_t i = 0; i < s->d->len; i++)
        if (s->d->record[i].at.src == gone) s->d->record[i].at.src = name;
}

void api_forget_all(rx_session *s) {
    for (uint32_t i = 0; i < s->d->len; i++)
        if (s->d->record[i].at.src) api_forget(s, s->d->record[i].at.src);
}

uint32_t rx_session_diagnostic_count(const rx_session *s) { return s ? s->d->len : 0; }

rx_status rx_session_diagnostic(const rx_session *s, uint32_t index, rx_diagnostic *out) {
    static const rx_severity severity[] = {[DIAG_ERROR] = RX_ERROR, [DIAG_WARNING] = RX_WARNING, [DIAG_NOTE] = RX_NOTE};
    static const struct_versions versions = {"rx_diagnostic", {sizeof(rx_diagnostic)}};
    if (!s || !out || !struct_check(&versions, out->struct_size, NULL)) return RX_INVALID_ARGUMENT;
    if (index >= s->d->len) return RX_NOT_FOUND;
    const diag_record *r = &s->d->record[index];
    const rx_diagnostic full = {.severity = severity[r->level],
                                .message = r->message,
                                .source = r->at.src ? r->at.src->name : "",
                                .line = r->at.line,
                                .column = r->at.col};
    return struct_fill(&versions, out, &full, NULL) ? RX_OK : RX_INVALID_ARGUMENT;
}

const char *rx_session_report(rx_session *s) {
    if (!s) return "";
    if (!s->report) {
        text t = TEXT_IN(s->mem);
        diag_print(s->d, &t, s->colour);
        s->report = text_get(&t);
    }
    return s->report;
}
