// module.c - modules of the compiler's library: read, print, compare, run passes over.
#include "api/api.h"
#include "base/file.h"
#include "base/not_text.h"
#include "graph/verify.h"
#include "pass/pass.h"
#include "text/script.h"
#include <stdlib.h>
#include <string.h>

enum { TEXT_LIMIT = 1 << 30 }; // bytes of a module's text

// --- Reading.

static rx_module *new_module(rx_session *s, const char *name, const char *bytes, size_t size) {
    rx_module *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->session = s;
    s->users++;
    m->mem = arena_new();
    m->text = (source){.name = arena_copy(m->mem, name, strlen(name)), .bytes = arena_copy(m->mem, bytes, size)};
    m->text.size = size;
    return m;
}

void rx_module_release(rx_module *m) {
    if (!m) return;
    api_forget(m->session, &m->text);
    rx_session_release(m->session);
    module_free(m->m);
    arena_free(m->mem);
    free(m->shown);
    free(m);
}

rx_status rx_module_parse(rx_session *s, const char *name, const char *bytes, size_t size, rx_module **out) {
    if (out) *out = NULL;
    if (!s || !out) return RX_INVALID_ARGUMENT;
    if (!bytes) return api_refuse(s, "the text of a module");
    diag *d = api_begin(s);
    rx_module *m = new_module(s, name ? name : "<text>", bytes, size);
    if (!m) return RX_OUT_OF_MEMORY;
    m->m = script_parse(&m->text, d);
    if (m->m && module_verify(m->m, d)) {
        *out = m;
        return RX_OK;
    }
    rx_module_release(m);
    return RX_INVALID_ARGUMENT;
}

rx_status rx_module_read(rx_session *s, const char *path, rx_module **out) {
    char why[FILE_WHY], *bytes;
    size_t size;
    if (out) *out = NULL;
    if (!s || !out) return RX_INVALID_ARGUMENT;
    if (!path) return api_refuse(s, "the path of a file");
    rx_status status = file_read(path, TEXT_LIMIT, &bytes, &size, why);
    if (status != RX_OK) {
        diag_error(api_begin(s), (loc){0}, "%s", why);
        return status;
    }
    const char *other = not_text(bytes, size);
    if (other) {
        diag_error(api_begin(s), (loc){0}, "%s: want the text of a module, this is %s", path, other);
        status = RX_INVALID_ARGUMENT;
    } else {
        status = rx_module_parse(s, path, bytes, size, out);
    }
    free(bytes);
    return status;
}

// --- Looking.

const char *api_show(rx_module *m, const char *bytes, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, bytes, size);
    copy[size] = 0;
    free(m->shown);
    return m->shown = copy;
}

const char *rx_module_text(rx_module *m) {
    if (!m) return NULL;
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    script_print(&t, m->m, NULL);
    const char *shown = api_show(m, text_get(&t), t.len);
    arena_free(mem);
    return shown;
}

static const module_func *function_at(const rx_module *m, uint32_t index) {
    return m && index < m->m->funcs.len ? m->m->funcs.entry[index].value : NULL;
}

uint32_t rx_module_function_count(const rx_module *m) { return m ? m->m->funcs.len : 0; }

const char *rx_module_function_name(const rx_module *m, uint32_t index) {
    const module_func *f = function_at(m, index);
    return f ? f->name : NULL;
}

int rx_module_function_is_public(const rx_module *m, uint32_t index) {
    const module_func *f = function_at(m, index);
    return f && f->kind == FUNC_GRAPH && !f->graph->is_private;
}

int rx_module_equal(rx_module *a, rx_module *b, const char **difference) {
    if (difference) *difference = "";
    if (!a || !b) return a == b;
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    bool equal = module_equal(a->m, b->m, &t);
    if (difference) *difference = api_show(a, text_get(&t), t.len);
    arena_free(mem);
    return equal;
}

rx_status rx_module_bound(rx_module *m, const char *symbol, int64_t lower, int64_t upper) {
    if (!m) return RX_INVALID_ARGUMENT;
    if (!symbol) return api_refuse(m->session, "the name of a symbol");
    diag *d = api_begin(m->session);
    if (lower < 0 || upper < lower) {
        diag_error(d, (loc){0}, "%s: want 0 <= lower <= upper, got %lld..%lld", symbol, (long long)lower,
                   (long long)upper);
        return RX_INVALID_ARGUMENT;
    }
    const driver_bound bound = {
        .symbol = arena_copy(m->m->mem, symbol, strlen(symbol)), .lower = lower, .upper = upper};
    return driver_apply_bound(m->m, &bound, d) ? RX_OK : RX_NOT_FOUND;
}

// --- Passes.

static const pass *pass_at(uint32_t index) {
    uint32_t count;
    const pass *const *all = pass_all(&count);
    return index < count ? all[index] : NULL;
}

uint32_t rx_pass_count(void) {
    uint32_t count;
    pass_all(&count);
    return count;
}

const char *rx_pass_name(uint32_t index) { return pass_at(index) ? pass_at(index)->name : NULL; }
const char *rx_pass_doc(uint32_t index) { return pass_at(index) ? pass_at(index)->doc : NULL; }

static rx_status run_steps(rx_module *m, const pass_list *steps, const char *target, diag *d) {
    char why[256];
    const arch *a = arch_parse(m->mem, target ? target : "cpu", why);
    if (!a) diag_error(d, (loc){0}, "%s", why);
    const pass_observer observer = {.verify = true};
    return a && pass_run(m->m, steps, a, &observer, d) ? RX_OK : RX_INVALID_ARGUMENT;
}

rx_status rx_module_pass(rx_module *m, const char *passes, const char *target) {
    if (!m) return RX_INVALID_ARGUMENT;
    if (!passes) return api_refuse(m->session, "the spelling of passes");
    diag *d = api_begin(m->session);
    pass_list steps = {0};
    if (!pass_parse(passes, m->mem, &steps, d)) return RX_INVALID_ARGUMENT;
    return run_steps(m, &steps, target, d);
}

rx_status rx_module_pipeline(rx_module *m, const char *pipeline, const char *target) {
    if (!m) return RX_INVALID_ARGUMENT;
    diag *d = api_begin(m->session);
    pass_list steps = {0};
    if (!pipeline_find(pipeline ? pipeline : "default", m->mem, &steps, d)) return RX_INVALID_ARGUMENT;
    return run_steps(m, &steps, target, d);
}
