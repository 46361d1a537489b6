// remote.c - a function run by a command; arguments and expected results are files.
#define _GNU_SOURCE
#include "remote.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct remote_call {
    arena *mem;
    const char *path;
    text command;
    uint32_t files;
    bool sayable; // every value has a form on the command line
    double rtol, atol;
    tolerance_of *tolerance;
} remote_call;

static const char *file_of(const remote_call *c, uint32_t i) { return arena_format(c->mem, "%s.%u.npy", c->path, i); }

static void put_file(remote_call *c, rx_value *v) {
    const char *file = file_of(c, c->files++);
    c->sayable = rx_tensor_save(v, file, NULL) == RX_OK && c->sayable;
    text_format(&c->command, "@%s'", file);
}

static void put_shape(remote_call *c, rx_value *v) {
    text_put_char(&c->command, '(');
    for (uint32_t i = 0; i < rx_value_count(v); i++)
        text_format(&c->command, "%s%" PRId64, i ? "," : "", rx_shape_dims(v)[i]);
    text_put(&c->command, rx_value_count(v) == 1 ? ",)'" : ")'");
}

static void put_argument(remote_call *c, rx_value *v) {
    int64_t number;
    text_put(&c->command, " --input '");
    if (rx_value_kind(v) == RX_TENSOR)
        put_file(c, v);
    else if (rx_value_kind(v) == RX_SHAPE)
        put_shape(c, v);
    else if (rx_value_kind(v) == RX_PRIM && rx_value_int(v, &number) == RX_OK)
        text_format(&c->command, "%" PRId64 "'", number);
    else
        c->sayable = false;
}

static void put_expected(remote_call *c, const char *name, rx_value *v) {
    dtype t;
    double rtol, atol;
    for (uint32_t i = 0; rx_value_kind(v) == RX_TUPLE && i < rx_value_count(v); i++) {
        rx_value *item = NULL;
        const char *dot = strcmp(name, "out") == 0 ? "" : ".";
        if (rx_value_item(v, i, &item) == RX_OK) put_expected(c, arena_format(c->mem, "%s%s%u", name, dot, i), item);
        rx_value_release(item);
    }
    if (rx_value_kind(v) != RX_TENSOR) return;
    if (!dtype_parse(rx_tensor_dtype(v), strlen(rx_tensor_dtype(v)), &t)) return;
    c->tolerance(t, &rtol, &atol);
    if (rtol > c->rtol) c->rtol = rtol;
    if (atol > c->atol) c->atol = atol;
    text_format(&c->command, " --expect '%s=", strcmp(name, "out") == 0 ? "out0" : name);
    put_file(c, v);
}

// What the command said, where it failed.
static const char *execute(const remote_call *c) {
    text said = TEXT_IN(c->mem);
    FILE *f = popen(text_get(&c->command), "r");
    if (!f) return "the command could not be started";
    for (char line[1024]; fgets(line, sizeof line, f);) text_put(&said, line);
    int status = pclose(f);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NULL;
    return arena_format(c->mem, "%s (%s)", text_get(&said), text_get(&c->command));
}

static remote_call begin(arena *mem, const remote_run *r) {
    remote_call c = {.mem = mem, .path = r->path, .command = TEXT_IN(mem), .sayable = true};
    text_format(&c.command, "%s '%s' --func '%s'", r->runner, r->path, r->func);
    if (r->threads) text_format(&c.command, " --threads %u", r->threads);
    for (uint32_t i = 0; i < r->count; i++) put_argument(&c, r->arg[i]);
    return c;
}

static const char *end(const remote_call *c) {
    const char *why = c->sayable ? execute(c) : NULL;
    for (uint32_t i = 0; i < c->files; i++) unlink(file_of(c, i));
    return why;
}

const char *remote_differs(arena *mem, const remote_run *r, rx_value *want, tolerance_of *tolerance) {
    remote_call c = begin(mem, r);
    c.tolerance = tolerance;
    put_expected(&c, "out", want);
    text_format(&c.command, " --rtol %g --atol %g 2>&1", c.rtol, c.atol);
    return end(&c);
}

rx_value *remote_result(arena *mem, const remote_run *r) {
    rx_value *out = NULL;
    remote_call c = begin(mem, r);
    const char *folder = arena_format(mem, "%s.out", r->path), *file = arena_format(mem, "%s/out0.npy", folder);
    text_format(&c.command, " --output '%s' 2>&1", folder);
    if (!end(&c) && rx_tensor_load(file, &out, NULL) != RX_OK) out = NULL;
    unlink(file);
    rmdir(folder);
    return out;
}
